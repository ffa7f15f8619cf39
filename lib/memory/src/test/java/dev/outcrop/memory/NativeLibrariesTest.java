package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.programs.LoadRocksdb;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways to find, unpack and load a library that take a JVM, or several, of their own; {@link LibraryFinderTest} has the others. */
@Tag("verify")
class NativeLibrariesTest {
    /** More in the nightly run, because each is a JVM that starts. */
    private static final int PROCESSES = TestSize.choose("outcrop.unpack.processes", 2, 8);

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
    }

    @Test
    void libraryFromJarIsUnpackedIntoPrivateDirectoryOfItsHash() throws Exception {
        String output = load(child().classPath(jar));
        assertThat(output).isEqualTo("loaded " + unpacked() + " with symbols");
        assertThat(unpacked()).hasBinaryContent(NativesJar.library());
        assertThat(permissions(cache)).isEqualTo("rwx------");
        assertThat(permissions(unpackedDirectory())).isEqualTo("rwx------");
        assertThat(NativesJar.filesIn(unpackedDirectory())).containsExactly(NativesJar.FILE);
    }

    @Test
    void processesMayUnpackAtOnce() throws Exception {
        List<ChildJvm.Running> running = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            running.add(child().classPath(jar).launch(LoadRocksdb.class));
        }
        for (ChildJvm.Running process : running) {
            assertThat(process.await().output().strip()).isEqualTo("loaded " + unpacked() + " with symbols");
        }
        assertThat(NativesJar.filesIn(unpackedDirectory())).containsExactly(NativesJar.FILE);
    }

    @Test
    void jarOfContextClassLoaderIsFound() throws Exception {
        String output = child().run(LoadRocksdb.class, jar.toString()).output().strip();
        assertThat(output).isEqualTo("loaded " + unpacked() + " with symbols");
    }

    @Test
    void propertyWithUnloadableFileTellsTheLinkersReason() throws Exception {
        Path text = Files.writeString(directory.resolve("text.so"), "This is no library.".repeat(100));
        assertThat(load(child().option("-Doutcrop.rocksdb.library=" + text)))
                .contains("UnsatisfiedLinkError", "outcrop.rocksdb.library", text.toString())
                .containsIgnoringCase("ELF");
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

    @ParameterizedTest
    @ValueSource(strings = {"?", "/nonexistent", "/proc"})
    void withoutHomeAFreshDirectoryIsUsedAndDeletedAtTheEnd(String home) throws Exception {
        String output = load(homeless(directory, home).classPath(jar));
        assertThat(output).startsWith("loaded " + directory.toRealPath() + "/outcrop-").endsWith("with symbols");
        assertThat(directory).isEmptyDirectory();
    }

    /** The names of the users that containers start programs as; neither has a home. */
    @ParameterizedTest
    @ValueSource(strings = {"65534", "4711"})
    void userWithoutHomeLoadsFromFreshDirectory(String user) throws Exception {
        assumeTrue(Posix.userId() == 0 && Files.isExecutable(Path.of("/usr/bin/setpriv")),
                "only root, with setpriv, can start a program as another user");
        Path open = Files.createTempDirectory("outcrop-users",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        try {
            Path temporary = Files.createDirectory(open.resolve("tmp"));
            Files.setAttribute(temporary, "unix:mode", 01777);
            Path code = open.resolve("code");
            for (Class<?> one : List.of(LoadRocksdb.class, NativeLibraries.class)) {
                copy(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()), code);
            }
            Path natives = NativesJar.write(open.resolve("natives.jar"));
            String output = load(ChildJvm.shortLived().withoutEnvironment("XDG_CACHE_HOME").withoutEnvironment("HOME")
                    .startedBy("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups")
                    .option("-Djava.io.tmpdir=" + temporary).onlyClassPath(List.of(code, natives)));
            assertThat(output).startsWith("loaded " + temporary.toRealPath() + "/outcrop-").endsWith("with symbols");
            assertThat(temporary).isEmptyDirectory();
        } finally {
            delete(open);
        }
    }

    @Test
    void readOnlyRootIsNoObstacle() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount a file system");
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        ChildJvm child = homeless(temporary, "/").classPath(jar).startedBy("unshare", "--mount", "sh", "-e", "-c",
                "mount -t tmpfs -o mode=1777 tmpfs \"$1\"; mount -o remount,bind,ro /; shift; exec \"$@\"", "sh",
                temporary.toString());
        assertThat(load(child)).startsWith("loaded " + temporary.toRealPath() + "/outcrop-").endsWith("with symbols");
    }

    @Test
    void cacheWhereNoCodeMayRunIsLeftForAFreshDirectory() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount a file system");
        Path home = Files.createDirectory(directory.resolve("home"));
        ChildJvm child = homeless(directory, "/nonexistent").classPath(jar).environment("XDG_CACHE_HOME", home)
                .withDisk(home, "noexec,mode=700");
        assertThat(load(child)).startsWith("loaded " + directory.toRealPath() + "/outcrop-").endsWith("with symbols");
    }

    @Test
    void directoryOfThePublishedJarsVariableIsUsed() throws Exception {
        Path told = Files.createDirectory(directory.resolve("told"));
        ChildJvm child = ChildJvm.shortLived().classPath(jar);
        assertThat(load(child.environment("ROCKSDB_SHAREDLIB_DIR", told)))
                .startsWith("loaded " + told.toRealPath() + "/outcrop-").endsWith("with symbols");
        assertThat(told).isEmptyDirectory();
        assertThat(load(child.environment("ROCKSDB_SHAREDLIB_DIR", told + "/missing")))
                .startsWith("UnsatisfiedLinkError")
                .contains("ROCKSDB_SHAREDLIB_DIR", told + "/missing", "not a directory");
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

    private static ChildJvm homeless(Path temporary, String home) {
        return ChildJvm.shortLived().withoutEnvironment("XDG_CACHE_HOME").option("-Duser.home=" + home)
                .option("-Djava.io.tmpdir=" + temporary);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
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
}
