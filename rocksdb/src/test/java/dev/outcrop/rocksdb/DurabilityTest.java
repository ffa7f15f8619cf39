package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a synced write has acknowledged is there after the process was killed. */
class DurabilityTest {
    private static final int ROUNDS = 4;

    @TempDir
    private Path directory;

    /** Writes until it is killed, and prints each key once its write is acknowledged. */
    static final class Writer {
        private Writer() {
        }

        static void main(String[] arguments) {
            int round = Integer.parseInt(arguments[1]);
            // A small buffer, so that the kill may also hit a flush or a compaction.
            try (RocksDB db = RocksDB.open(Path.of(arguments[0]),
                    new Options().createIfMissing(true).writeBufferSize(64 << 10).level0FileNumCompactionTrigger(2))) {
                KeyValueWriter durable = db.with(new WriteOptions().sync(true));
                for (int i = 0;; i++) {
                    String key = round + "-" + i;
                    durable.put(Bytes.of(key), value(key));
                    System.out.println(key);
                    System.out.flush();
                }
            }
        }
    }

    private static byte[] value(String key) {
        return Bytes.random(key.hashCode(), 500 + Math.floorMod(key.hashCode(), 3000));
    }

    @Test
    void acknowledgedWritesSurviveAKill() throws Exception {
        long seed = System.nanoTime();
        System.out.println("DurabilityTest: seed " + seed);
        Random random = new Random(seed);
        List<String> acknowledged = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            acknowledged.addAll(KilledProcess.linesOf(Writer.class, 1 + random.nextInt(400), 0, directory, round));
            try (RocksDB db = RocksDB.open(directory)) {
                for (String key : acknowledged) {
                    assertThat(db.get(Bytes.of(key))).as("seed %d, key %s", seed, key).isEqualTo(value(key));
                }
                db.scan((key, found) -> {
                    String text = new String(ReadForm.bytes(key), StandardCharsets.UTF_8);
                    assertThat(ReadForm.bytes(found)).as("seed %d, key %s", seed, text).isEqualTo(value(text));
                    return true;
                });
            }
        }
    }
}
