package dev.outcrop.rocksdb;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.ChildJvm;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A scan allocates nothing itself; the segments for the visitor may be allocated where that is not inlined. */
@Tag("verify")
class ScanGarbageTest extends DatabaseTest {
    private static final int SCANS = 400;

    /** Runs in a JVM of its own without escape analysis, so inlining does not matter. */
    @Test
    void nothingIsLeftOfAScan() throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Xbatch").option("-XX:-DoEscapeAnalysis")
                .run(Program.class, directory);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().strip()).isEqualTo("bytes a scan: 0");
    }

    /** Scans again and again; prints the least garbage of many rounds. */
    static final class Program {
        public static void main(String[] args) {
            try (RocksDB db = RocksDB.open(Path.of(args[0]), create())) {
                db.put(Bytes.of("key"), Bytes.of("value"));
                System.out.println("bytes a scan: " + leastGarbage(db) / SCANS);
            }
        }

        private static long leastGarbage(RocksDB db) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            KeyRange range = KeyRange.of(Bytes.of("key1"), Bytes.of("key9"));
            ScanVisitor visitor = (_, _) -> {
                throw new AssertionError("There is nothing to see");
            };
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 150 && least >= SCANS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < SCANS; i++) {
                    db.scan(range, visitor);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            return least;
        }
    }
}
