package dev.outcrop.rocksdbjni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Several class loaders may have the classes, each its own: their native methods, and C's functions, are those of one loaded library. A
 * loader that has the published jar loads that jar's.
 */
@Tag("verify")
class LoadersTest extends DatabaseTest {
    private static final String TESTS = Path
            .of(NamesReport.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
    private static final String OURS = System.getProperty("java.class.path");
    private static final String PUBLISHED = System.getProperty("published.jar") + ":" + TESTS;

    @Test
    void loadersShareTheLibraryOfTheUsersCache() throws Exception {
        Path cache = directory.resolve("cache");
        assertThat(run(ChildJvm.shortLived().option("-Doutcrop.cache.directory=" + cache)))
                .containsExactly("3 reports, 1 different", "2 libraries");
        try (Stream<Path> files = Files.walk(cache)) {
            // The links are gone.
            assertThat(files.filter(Files::isRegularFile)).hasSize(1);
        }
    }

    @Test
    void loadersShareALibraryThatIsNamed() throws Exception {
        Path cache = directory.resolve("cache");
        run(ChildJvm.shortLived().option("-Doutcrop.cache.directory=" + cache));
        Path library;
        try (Stream<Path> files = Files.walk(cache)) {
            library = files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        // Through a link, as distributions have them.
        Path link = Files.createSymbolicLink(directory.resolve("librocksdb.so.11"), library);
        assertThat(run(ChildJvm.shortLived().option("-Doutcrop.rocksdb.library=" + link)))
                .containsExactly("3 reports, 1 different", "2 libraries");
    }

    /** Each has a directory, and a library, of its own. */
    @Test
    void loadersWithoutCacheHaveALibraryEach() throws Exception {
        assertThat(run(
                ChildJvm.shortLived().withoutEnvironment("XDG_CACHE_HOME").withoutEnvironment("ROCKSDB_SHAREDLIB_DIR")
                        .option("-Duser.home=/nonexistent")))
                .containsExactly("3 reports, 1 different", "3 libraries");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("outcrop-"))).isEmpty();
        }
    }

    /** The library keeps the methods of the class loader whose trace writer comes first. */
    @Test
    void callbacksWithoutFunctionInCAreThoseOfOneLoader() throws Exception {
        String works = "3 records, 1 snapshot";
        String refused = "A trace writer cannot be used here, because another class loader has used one first: ";
        assertThat(run(ChildJvm.shortLived(), CallbackLoadersProgram.class, OURS, OURS)).startsWith(works, works)
                .hasSize(4).last().asString().startsWith(refused + "java.net.URLClassLoader");
        assertThat(run(ChildJvm.shortLived(), CallbackLoadersProgram.class, PUBLISHED, OURS)).startsWith(works, works)
                .hasSize(4).last().asString().startsWith(refused + "one with the published jar");
    }

    private List<String> run(ChildJvm child) throws IOException, InterruptedException {
        return run(child, LoadersProgram.class, OURS, OURS, PUBLISHED);
    }

    private List<String> run(ChildJvm child, Class<?> program, String... classPaths)
            throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/proc/self/maps")), "this system does not tell which libraries are loaded");
        List<Object> arguments = new ArrayList<>(List.of(Files.createTempDirectory(directory, "data")));
        arguments.addAll(List.of(classPaths));
        ChildJvm.Result result = child.option("-Djava.io.tmpdir=" + directory).onlyClassPath(List.of(Path.of(TESTS)))
                .run(program, arguments.toArray());
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output().lines().filter(line -> !line.startsWith("WARNING")).toList();
    }
}
