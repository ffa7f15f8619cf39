package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ways to find, unpack and load a library, and in which that fails, that one JVM can take one after the other. */
class LibraryFinderTest {
    private static final String LIBRARY = "outcrop.rocksdb.library";

    @TempDir
    private static Path jars;
    private static Path jar;

    @TempDir
    private Path directory;
    private Path cache;

    @BeforeAll
    static void writeJar() throws IOException {
        jar = NativesJar.write(jars.resolve("natives.jar"));
    }

    @BeforeEach
    void useCache() {
        cache = directory.resolve("cache");
        System.setProperty(LibraryCache.DIRECTORY_PROPERTY, cache.toString());
    }

    @AfterEach
    void clearProperties() {
        System.clearProperty(LibraryCache.DIRECTORY_PROPERTY);
        System.clearProperty(LIBRARY);
    }

    @Test
    void unpackedFileIsUsedAgain() throws Exception {
        load(jar);
        Object inode = Files.getAttribute(unpacked(), "unix:ino");
        assertThat(load(jar)).startsWith("loaded");
        assertThat(Files.getAttribute(unpacked(), "unix:ino")).isEqualTo(inode);
    }

    /** It is not loaded before: code that is in use must not change. */
    @Test
    void damagedUnpackedFileIsReplacedByNewOne() throws Exception {
        byte[] library = NativesJar.library();
        Path file = new LibraryCache(cache).unpack(
                Files.write(directory.resolve("library"), library).toUri().toURL(), NativesJar.FILE,
                NativesJar.sha256(library));
        assertThat(file).isEqualTo(unpacked());
        Object inode = Files.getAttribute(file, "unix:ino");
        byte[] damaged = library.clone();
        damaged[damaged.length / 2] ^= 1;
        Files.write(file, damaged);
        assertThat(load(jar)).startsWith("loaded");
        assertThat(file).hasBinaryContent(library);
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(inode);
    }

    @Test
    void damagedJarIsRefused() throws Exception {
        Path damaged = NativesJar.write(directory.resolve("damaged.jar"), new byte[1000],
                NativesJar.sha256(new byte[1001]));
        String output = load(damaged);
        assertThat(output).startsWith("UnsatisfiedLinkError").contains("damaged.jar", "is damaged",
                NativesJar.sha256(new byte[1000]));
        assertThat(NativesJar.filesIn(cache.resolve(NativesJar.sha256(new byte[1001])))).isEmpty();
    }

    @Test
    void hashThatIsNoHashIsRefused() throws Exception {
        Path odd = NativesJar.write(directory.resolve("odd.jar"), NativesJar.library(), "../../../etc");
        assertThat(load(odd)).startsWith("UnsatisfiedLinkError").contains("no SHA-256");
    }

    @Test
    void propertyNamesTheLibrary() throws Exception {
        Path library = Files.write(directory.resolve("mine.so"), NativesJar.library());
        assertThat(loadNamed(library.toString()))
                .isEqualTo("loaded " + library + " with symbols");
        assertThat(cache).doesNotExist();
    }

    @Test
    void propertyWithMissingFileIsAnErrorEvenIfThereIsAJar() throws Exception {
        assertThat(loadNamed("/no/such/file.so"))
                .startsWith("UnsatisfiedLinkError")
                .contains("outcrop.rocksdb.library", "'/no/such/file.so'", "not a file");
    }

    @Test
    void withoutLibraryTheErrorListsWhatWasTriedAndWhatToAdd() throws Exception {
        String classifier = NativesJar.PLATFORM.classifier();
        assertThat(load(null)).startsWith("UnsatisfiedLinkError").contains(
                "property outcrop.rocksdb.library, which is not set",
                "resource dev/outcrop/natives/" + classifier + "/" + NativesJar.FILE,
                "Add the dependency dev.outcrop:outcrop-rocksdb-natives:", ":" + classifier)
                .doesNotContain("--add-modules");
    }

    @Test
    void windowsAndUnknownProcessorsAreToldWhy() {
        assertThatThrownBy(() -> new LibraryFinder("rocksdb", new Platform("windows", "x86_64", "")).load())
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContainingAll("windows-x86_64", "Windows is not supported yet", "exports no C API");
        assertThatThrownBy(() -> new LibraryFinder("rocksdb", new Platform("linux", "mips64", "glibc")).load())
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContainingAll("linux-mips64", "No library is published");
    }

    @Test
    void cacheThatOthersMayWriteIsRefused() throws Exception {
        Files.createDirectory(cache);
        for (String permissions : List.of("rwxrwx---", "rwx----w-")) {
            Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString(permissions));
            assertThat(load(jar)).startsWith("UnsatisfiedLinkError").contains(
                    cache + " can be written by others (" + permissions, "chmod 700", "outcrop.cache.directory");
            assertThat(NativesJar.filesIn(cache)).isEmpty();
        }
    }

    @Test
    void cacheOfAnotherUserIsRefused() throws Exception {
        assumeTrue(Posix.userId() == 0, "only root can make a directory that belongs to another user");
        Files.createDirectory(cache);
        Files.setAttribute(cache, "unix:uid", 4711);
        assertThat(load(jar)).startsWith("UnsatisfiedLinkError")
                .contains(cache + " belongs to another user (uid 4711", "outcrop.cache.directory");
        assertThat(NativesJar.filesIn(cache)).isEmpty();
    }

    @Test
    void withoutHomeAFreshDirectoryIsForThisUserOnly() throws Exception {
        Path file = Path.of(loadHomeless(directory).substring("loaded ".length()).replace(" with symbols", ""));
        Path parent = directory.toRealPath();
        Path inside = parent.relativize(file);
        assertThat(inside.getNameCount()).isEqualTo(3);
        for (Path made : List.of(inside.subpath(0, 1), inside.subpath(0, 2))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent.resolve(made))))
                    .isEqualTo("rwx------");
        }
        assertThat(file).hasBinaryContent(NativesJar.library());
    }

    /** Also if a directory on the way is such, or a symbolic link leads into one. */
    @Test
    void temporaryDirectoryThatOthersMayReplaceIsRefused() throws Exception {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        Path inside = Files.createDirectory(shared.resolve("inside"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), inside);
        for (int mode : new int[]{0777, 0775, 0757}) {
            Files.setAttribute(shared, "unix:mode", mode);
            for (Path temporary : List.of(shared, inside, link)) {
                assertThat(loadHomeless(temporary)).startsWith("UnsatisfiedLinkError").contains(
                        "home directory of this user ('/nonexistent') does not exist",
                        "directory " + shared.toRealPath(), "can be written by others", "without the sticky bit",
                        "outcrop.cache.directory", LIBRARY);
                assertThat(NativesJar.filesIn(inside)).isEmpty();
                assertThat(NativesJar.filesIn(shared)).containsExactly("inside");
            }
        }
        Files.setAttribute(shared, "unix:mode", 01777);
        assertThat(loadHomeless(shared)).startsWith("loaded " + shared.toRealPath());
        assertThat(loadHomeless(link)).startsWith("loaded " + inside.toRealPath());
    }

    @Test
    void temporaryDirectoryOfAnotherUserIsRefused() throws Exception {
        assumeTrue(Posix.userId() == 0, "only root can make a directory that belongs to another user");
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path inside = Files.createDirectory(theirs.resolve("inside"));
        Files.setAttribute(theirs, "unix:uid", 4711);
        assertThat(loadHomeless(inside)).startsWith("UnsatisfiedLinkError")
                .contains(theirs.toRealPath() + ", which", "belongs to another user (uid 4711",
                        "outcrop.cache.directory");
        assertThat(NativesJar.filesIn(inside)).isEmpty();
    }

    @Test
    void missingTemporaryDirectoryIsNamed() throws Exception {
        assertThat(loadHomeless(directory.resolve("missing"))).startsWith("UnsatisfiedLinkError")
                .contains("/nonexistent", "java.io.tmpdir names '" + directory.resolve("missing"),
                        "outcrop.cache.directory");
    }

    /** And leaves nothing behind. */
    @Test
    void damagedJarIsRefusedInAFreshDirectoryToo() throws Exception {
        Path damaged = NativesJar.write(jars.resolve("damaged.jar"), new byte[1000],
                NativesJar.sha256(new byte[1001]));
        assertThat(loadHomeless(directory, damaged)).startsWith("UnsatisfiedLinkError").containsOnlyOnce("is damaged");
        assertThat(directory).isEmptyDirectory();
    }

    private static String loadHomeless(Path temporary) throws IOException {
        return loadHomeless(temporary, jar);
    }

    private static String loadHomeless(Path temporary, Path natives) throws IOException {
        assumeTrue(System.getenv("XDG_CACHE_HOME") == null && System.getenv("ROCKSDB_SHAREDLIB_DIR") == null,
                "the environment names a directory for the library");
        String home = System.getProperty("user.home");
        String before = System.getProperty("java.io.tmpdir");
        System.clearProperty(LibraryCache.DIRECTORY_PROPERTY);
        try {
            System.setProperty("user.home", "/nonexistent");
            System.setProperty("java.io.tmpdir", temporary.toString());
            return load(natives);
        } finally {
            System.setProperty("user.home", home);
            System.setProperty("java.io.tmpdir", before);
        }
    }

    private static String loadNamed(String library) throws IOException {
        System.setProperty(LIBRARY, library);
        return load(jar);
    }

    /** Returns what was loaded, or why nothing was. */
    private static String load(@Nullable Path natives) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        URL[] urls = natives == null ? new URL[0] : new URL[]{natives.toUri().toURL()};
        try (URLClassLoader context = new URLClassLoader(urls, null)) {
            thread.setContextClassLoader(context);
            LibraryFinder.NativeLibrary library = new LibraryFinder("rocksdb", NativesJar.PLATFORM).load();
            return "loaded " + library.path() + (library.symbols().find("getpid").isPresent() ? " with symbols" : "");
        } catch (UnsatisfiedLinkError e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Path unpacked() throws IOException {
        return cache.toRealPath().resolve(NativesJar.sha256(NativesJar.library())).resolve(NativesJar.FILE);
    }
}
