package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.programs.LoadRocksdb;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every way to find, unpack and load a library, and every way in which that fails, each in a JVM of its own. */
class NativeLibrariesTest {
    @TempDir
    Path directory;
    private Path cache;
    private Path jar;

    @BeforeEach
    void writeJar() throws IOException {
        cache = directory.resolve("cache");
        jar = NativesJar.write(directory.resolve("natives.jar"));
    }

    @Test
    void libraryFromJarIsUnpackedIntoPrivateDirectoryOfItsHash() throws Exception {
        String output = load(child().classPath(jar));
        assertThat(output).isEqualTo("loaded " + unpacked() + " with symbols");
        assertThat(unpacked()).hasBinaryContent(NativesJar.library());
        assertThat(permissions(cache)).isEqualTo("rwx------");
        assertThat(permissions(unpackedDirectory())).isEqualTo("rwx------");
        assertThat(filesIn(unpackedDirectory())).containsExactly(NativesJar.FILE);
    }

    @Test
    void unpackedFileIsUsedAgain() throws Exception {
        load(child().classPath(jar));
        Object inode = Files.getAttribute(unpacked(), "unix:ino");
        assertThat(load(child().classPath(jar))).startsWith("loaded");
        assertThat(Files.getAttribute(unpacked(), "unix:ino")).isEqualTo(inode);
    }

    @Test
    void damagedUnpackedFileIsReplacedByNewOne() throws Exception {
        load(child().classPath(jar));
        Object inode = Files.getAttribute(unpacked(), "unix:ino");
        byte[] damaged = NativesJar.library();
        damaged[damaged.length / 2] ^= 1;
        Files.write(unpacked(), damaged);
        assertThat(load(child().classPath(jar))).startsWith("loaded");
        assertThat(unpacked()).hasBinaryContent(NativesJar.library());
        assertThat(Files.getAttribute(unpacked(), "unix:ino")).isNotEqualTo(inode);
    }

    @Test
    void processesMayUnpackAtOnce() throws Exception {
        List<ChildJvm.Running> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            running.add(child().classPath(jar).launch(LoadRocksdb.class));
        }
        for (ChildJvm.Running process : running) {
            assertThat(process.await().output().strip()).isEqualTo("loaded " + unpacked() + " with symbols");
        }
        assertThat(filesIn(unpackedDirectory())).containsExactly(NativesJar.FILE);
    }

    @Test
    void jarOfContextClassLoaderIsFound() throws Exception {
        String output = child().run(LoadRocksdb.class, jar.toString()).output().strip();
        assertThat(output).isEqualTo("loaded " + unpacked() + " with symbols");
    }

    @Test
    void damagedJarIsRefused() throws Exception {
        Path damaged = NativesJar.write(directory.resolve("damaged.jar"), new byte[1000],
                NativesJar.sha256(new byte[1001]));
        String output = load(child().classPath(damaged));
        assertThat(output).startsWith("UnsatisfiedLinkError").contains("damaged.jar", "is damaged",
                NativesJar.sha256(new byte[1000]));
        assertThat(filesIn(cache.resolve(NativesJar.sha256(new byte[1001])))).isEmpty();
    }

    @Test
    void hashThatIsNoHashIsRefused() throws Exception {
        Path odd = NativesJar.write(directory.resolve("odd.jar"), NativesJar.library(), "../../../etc");
        assertThat(load(child().classPath(odd))).startsWith("UnsatisfiedLinkError").contains("no SHA-256");
    }

    @Test
    void propertyNamesTheLibrary() throws Exception {
        Path library = Files.write(directory.resolve("mine.so"), NativesJar.library());
        assertThat(load(child().classPath(jar).option("-Doutcrop.rocksdb.library=" + library)))
                .isEqualTo("loaded " + library + " with symbols");
        assertThat(cache).doesNotExist();
    }

    @Test
    void propertyWithMissingFileIsAnErrorEvenIfThereIsAJar() throws Exception {
        assertThat(load(child().classPath(jar).option("-Doutcrop.rocksdb.library=/no/such/file.so")))
                .startsWith("UnsatisfiedLinkError")
                .contains("outcrop.rocksdb.library", "'/no/such/file.so'", "not a file");
    }

    @Test
    void propertyWithUnloadableFileTellsTheLinkersReason() throws Exception {
        Path text = Files.writeString(directory.resolve("text.so"), "This is no library.".repeat(100));
        assertThat(load(child().option("-Doutcrop.rocksdb.library=" + text)))
                .contains("UnsatisfiedLinkError", "outcrop.rocksdb.library", text.toString())
                .containsIgnoringCase("ELF");
    }

    @Test
    void withoutLibraryTheErrorListsWhatWasTriedAndWhatToAdd() throws Exception {
        String classifier = NativesJar.PLATFORM.classifier();
        assertThat(load(child())).startsWith("UnsatisfiedLinkError").contains(
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
            assertThat(load(child().classPath(jar))).startsWith("UnsatisfiedLinkError").contains(
                    cache + " can be written by others (" + permissions, "chmod 700", "outcrop.cache.directory");
            assertThat(filesIn(cache)).isEmpty();
        }
    }

    @Test
    void cacheOfAnotherUserIsRefused() throws Exception {
        assumeTrue(Posix.userId() == 0, "only root can make a directory that belongs to another user");
        Files.createDirectory(cache);
        Files.setAttribute(cache, "unix:uid", 4711);
        assertThat(load(child().classPath(jar))).startsWith("UnsatisfiedLinkError")
                .contains(cache + " belongs to another user (uid 4711", "outcrop.cache.directory");
        assertThat(filesIn(cache)).isEmpty();
    }

    @Test
    void defaultCacheIsThatOfTheUser() throws Exception {
        assumeTrue(NativesJar.PLATFORM.os().equals("linux"), "the XDG directories are those of Linux");
        String file = NativesJar.sha256(NativesJar.library()) + "/" + NativesJar.FILE;
        assertThat(load(ChildJvm.shortLived().classPath(jar).withoutEnvironment("XDG_CACHE_HOME")
                .option("-Duser.home=" + directory)))
                .startsWith("loaded " + directory.resolve(".cache/outcrop").resolve(file));
        assertThat(load(ChildJvm.shortLived().classPath(jar).environment("XDG_CACHE_HOME", directory + "/xdg")))
                .startsWith("loaded " + directory.resolve("xdg/outcrop").resolve(file));
    }

    @Test
    void withoutHomeTheErrorNamesTheProperty() throws Exception {
        for (String home : List.of("?", directory + "/missing")) {
            assertThat(load(ChildJvm.shortLived().classPath(jar).withoutEnvironment("XDG_CACHE_HOME")
                    .option("-Duser.home=" + home)))
                    .startsWith("UnsatisfiedLinkError")
                    .contains("home directory of this user ('" + home + "')", "outcrop.cache.directory",
                            "outcrop.rocksdb.library");
        }
    }

    @Test
    void noexecFileSystemIsNamedAsTheReason() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount a file system");
        Files.createDirectory(cache);
        ChildJvm child = child().classPath(jar).withDisk(cache, "noexec,mode=700");
        assertThat(load(child)).startsWith("UnsatisfiedLinkError")
                .contains("Cannot load " + unpacked(), "mounted noexec", "outcrop.cache.directory");
    }

    @Test
    void fullFileSystemIsNamedAsTheReason() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount a file system");
        Files.createDirectory(cache);
        ChildJvm child = child().classPath(jar).withDisk(cache, "size=1m,mode=700");
        assertThat(load(child)).startsWith("UnsatisfiedLinkError").contains("No space left", "outcrop.cache.directory");
    }

    @Test
    void withoutNativeAccessTheErrorContainsTheFlag() throws Exception {
        assertThat(load(ChildJvm.bare().option("--illegal-native-access=deny").classPath(jar)))
                .startsWith("IllegalStateException").contains("--enable-native-access=ALL-UNNAMED");
    }

    private ChildJvm child() {
        return ChildJvm.shortLived().option("-Doutcrop.cache.directory=" + cache);
    }

    private static String load(ChildJvm child) throws IOException, InterruptedException {
        return child.run(LoadRocksdb.class).output().strip();
    }

    private Path unpacked() throws IOException {
        return unpackedDirectory().resolve(NativesJar.FILE);
    }

    private Path unpackedDirectory() throws IOException {
        return cache.toRealPath().resolve(NativesJar.sha256(NativesJar.library()));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static List<String> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
