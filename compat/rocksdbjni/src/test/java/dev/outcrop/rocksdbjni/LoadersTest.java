package dev.outcrop.rocksdbjni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
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

    private List<String> run(ChildJvm child) throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/proc/self/maps")), "this system does not tell which libraries are loaded");
        Path data = Files.createTempDirectory(directory, "data");
        String tests = Path.of(NamesReport.class.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
        String ours = System.getProperty("java.class.path");
        List<Object> arguments = new ArrayList<>(List.of(data));
        arguments.addAll(Collections.nCopies(2, ours));
        arguments.add(System.getProperty("published.jar") + ":" + tests);
        ChildJvm.Result result = child.option("-Djava.io.tmpdir=" + directory).onlyClassPath(List.of(Path.of(tests)))
                .run(LoadersProgram.class, arguments.toArray());
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output().lines().filter(line -> !line.startsWith("WARNING")).toList();
    }
}
