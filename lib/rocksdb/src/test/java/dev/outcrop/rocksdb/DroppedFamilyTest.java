package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pinned values stay readable after their column family and its block cache are dropped. */
@Tag("verify")
class DroppedFamilyTest extends DatabaseTest {
    private static final int ROUNDS = TestSize.choose("outcrop.rounds", 3, 50);

    @Test
    void itsPinsStayReadable() throws Exception {
        ChildJvm.Result result = ChildJvm.shortLived().startedBy("env", "MALLOC_PERTURB_=165")
                .run(Program.class, directory);
        assertThat(result.output()).contains("all rounds done");
        assertThat(result.exitCode()).isZero();
    }

    /** In a JVM of its own, because it could crash, and with memory that is overwritten when it is freed. */
    static final class Program {
        private Program() {
        }

        public static void main(String[] args) throws Exception {
            try (RocksDB db = RocksDB.open(Path.of(args[0]), create())) {
                for (int round = 0; round < ROUNDS; round++) {
                    round(db, Bytes.random(round, 10_000), "family" + round);
                }
                require(db.pinnedBytes() == 0);
            }
            System.out.println("all rounds done");
        }

        private static void round(RocksDB db, byte[] value, String name) throws Exception {
            fill(db, value, name);
            ColumnFamily family = db.columnFamily(name);
            MultiGet request = db.multiGet().add(family, KEY).add(family, KEY);
            try (PinnedSlice slice = Objects.requireNonNull(family.getPinned(KEY));
                    MultiGetValues values = request.execute()) {
                require(slice.isPinned() && values.isPinned());
                db.dropColumnFamily(family);
                // The cleaner frees the options, and with them the last other reference to the cache.
                Collector.run();
                Collector.run();
                require(Arrays.equals(ReadForm.bytes(slice.segment()), value));
                require(Arrays.equals(values.array(1), value));
            }
            request.close();
        }

        private static void fill(RocksDB db, byte[] value, String name) {
            ColumnFamily family = db.createColumnFamily(name, new Options().compression(CompressionType.NONE));
            family.put(KEY, value);
            family.flush();
        }

        private static void require(boolean condition) {
            if (!condition) {
                throw new AssertionError();
            }
        }
    }
}
