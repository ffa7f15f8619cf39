package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.RocksDB;

/** A program can tell whose classes it runs, and is told if there are two of each. */
@Tag("verify")
class ClassOriginTest extends DatabaseTest {
    private static final Path PUBLISHED = Path.of(System.getProperty("published.jar"));
    private static final String OURS = RocksDB.class.getProtectionDomain().getCodeSource().getLocation().toString();

    private final List<Path> ours = Arrays.stream(System.getProperty("java.class.path").split(":", -1)).map(Path::of)
            .toList();

    @Test
    void aSystemPropertySaysThatTheClassesAreOutcrops() throws Exception {
        assertThat(run(ours)).containsExactly("version 11.8.1", "outcrop " + OURS, "from " + OURS);
    }

    @Test
    void oneWarningNamesBothJars() throws Exception {
        List<Path> both = new ArrayList<>(ours);
        both.add(PUBLISHED);
        List<String> lines = run(both);
        assertThat(lines).contains("version 11.8.1", "outcrop " + OURS, "from " + OURS);
        assertThat(lines).filteredOn(line -> line.contains("WARNING")).singleElement().asString()
                .contains("more than once", "from " + OURS, "remove " + PUBLISHED.toUri().toURL());
    }

    /** None of our classes is loaded then. */
    @Test
    void thePublishedJarIsUsedIfItComesFirst() throws Exception {
        List<Path> both = new ArrayList<>(List.of(PUBLISHED));
        both.addAll(ours);
        assertThat(run(both)).containsExactly("version 11.8.1", "outcrop null",
                "from " + PUBLISHED.toUri().toURL());
    }

    private List<String> run(List<Path> classPath) throws Exception {
        return ChildJvm.shortLived().option("-Djava.io.tmpdir=" + directory).onlyClassPath(classPath)
                .lines(OriginProgram.class, directory);
    }
}
