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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        assertThat(filesIn(unpackedDirectory())).containsExactly(NativesJar.FILE);
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
        assertThat(filesIn(unpackedDirectory())).containsExactly(NativesJar.FILE);
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

    @Test
    void withoutHomeTheErrorNamesTheProperty() throws Exception {
        String missing = directory + "/missing";
        String[] errors = ChildJvm.shortLived().classPath(jar).withoutEnvironment("XDG_CACHE_HOME")
                .run(LoadRocksdb.class, "home=?", "home=" + missing).output().split("UnsatisfiedLinkError: ", -1);
        assertThat(errors).hasSize(3).startsWith("");
        assertThat(errors[1]).contains("home directory of this user ('?')", "outcrop.cache.directory",
                "outcrop.rocksdb.library");
        assertThat(errors[2]).contains("home directory of this user ('" + missing + "')", "outcrop.cache.directory",
                "outcrop.rocksdb.library");
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
