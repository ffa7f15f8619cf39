package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects that were not closed are counted by class and by the place where they were made, and reported. */
@Tag("verify")
class LeaksTest extends DatabaseTest {
    @Test
    void forgottenObjectsAreReportedAndOpenOnesAreShown() throws Exception {
        List<String> lines = run("-Doutcrop.leaks=always");
        assertThat(lines).contains(
                "open [org.rocksdb.FlushOptions=1, org.rocksdb.Options=1, org.rocksdb.RocksDB=1, org.rocksdb.RocksIterator=5]",
                "leaked [org.rocksdb.ReadOptions=3, org.rocksdb.Slice=3]",
                "place 5 org.rocksdb.RocksIterator",
                "databases 1 pinned true tables true " + directory.resolve("db"),
                "open at last []");
        assertThat(lines).anyMatch(line -> line.matches("made at .*LeaksProgram.keptIterator\\(LeaksProgram.java:.*"));
        assertThat(lines).filteredOn(line -> line.contains("Leak: org.rocksdb.Slice")).hasSize(3);
        assertThat(lines).anyMatch(line -> line.contains("LeaksProgram.forget("));
        assertThat(lines).anyMatch(line -> line.matches("\\d+ +\\d+ +\\d+ +[4-9]\\d{5} .*" + directory.resolve("db")));
    }

    @Test
    void memoryIsShownWithoutCountingObjects() throws Exception {
        assertThat(run("-Doutcrop.jmx=true")).contains("open []",
                "databases 1 pinned true tables true " + directory.resolve("db"));
    }

    private List<String> run(String... options) throws Exception {
        ChildJvm child = ChildJvm.shortLived().option("-Djava.io.tmpdir=" + directory);
        for (String option : options) {
            child.option(option);
        }
        return child.lines(LeaksProgram.class, directory);
    }
}
