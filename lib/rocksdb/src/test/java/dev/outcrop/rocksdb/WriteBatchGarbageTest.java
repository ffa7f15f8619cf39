package dev.outcrop.rocksdb;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.GarbageStarts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A reused write batch allocates nothing, once its code is compiled. */
class WriteBatchGarbageTest extends DatabaseTest {
    private static final int PUTS = 1000;
    private static final int REUSES = 20;

    /** Runs in a JVM of its own, without profiles from other tests. */
    @Test
    @Tag("verify")
    void noneIsLeftForAPut() throws Exception {
        List<String> none = List.of("default, bytes for " + REUSES + " reuses: 0",
                "users, bytes for " + REUSES + " reuses: 0");
        GarbageStarts.require(none::equals, start -> ChildJvm.withNativeAccess().option("-Xbatch")
                .lines(Program.class, directory.resolve("start" + start)));
    }

    /** Fills and clears a batch again and again; prints the least garbage of many rounds. */
    static final class Program {
        private final List<MemorySegment> keys = new ArrayList<>();
        private final List<MemorySegment> values = new ArrayList<>();
        private final WriteBatch batch = new WriteBatch();
        private final BatchWriter writer;

        private Program(RocksDB db, Arena arena, String family) {
            for (int i = 0; i < PUTS; i++) {
                keys.add(arena.allocateFrom("key" + i));
                values.add(arena.allocateFrom("value" + i).asReadOnly());
            }
            writer = family.equals("default") ? batch : batch.in(db.createColumnFamily(family, new Options()));
        }

        public static void main(String[] args) {
            try (RocksDB db = RocksDB.open(Path.of(args[0]), create());
                    Arena arena = Arena.ofConfined()) {
                for (String family : List.of("default", "users")) {
                    Program program = new Program(db, arena, family);
                    System.out.println(family + ", bytes for " + REUSES + " reuses: " + program.leastGarbage());
                    long before = db.latestSequenceNumber();
                    db.write(program.batch);
                    if (program.batch.count() != PUTS || db.latestSequenceNumber() - before != PUTS) {
                        throw new AssertionError(program.batch.count() + " puts, number " + db.latestSequenceNumber());
                    }
                }
            }
        }

        private void refill() {
            batch.clear();
            for (int i = 0; i < PUTS; i++) {
                writer.put(keys.get(i), values.get(i));
            }
        }

        /** Of many rounds, because compilation takes some. */
        private long leastGarbage() {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 150 && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < REUSES; i++) {
                    refill();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            return least;
        }
    }
}
