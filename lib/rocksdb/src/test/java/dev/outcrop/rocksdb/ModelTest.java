package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random operations in random forms, with flushes, compactions and restarts between them, against a sorted map. */
class ModelTest extends DatabaseTest {
    private static final int STEPS = TestSize.choose("outcrop.model.steps", 1000, 50_000);
    private static final int[] SIZES = {0, 1, 10, 100, 2047, 2048, 2049, 5000, 70_000};

    private final TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
    private Random random = new Random();

    private static Options options() {
        return create().mergeOperator(MergeOperator.STRING_APPEND)
                // Small, so that RocksDB flushes and compacts on its own as well.
                .writeBufferSize(256 << 10).targetFileSizeBase(512 << 10);
    }

    @Test
    void theDatabaseEqualsTheModel() {
        long seed = TestSize.seed(getClass());
        random = new Random(seed);
        RocksDB db = RocksDB.open(directory, options());
        try {
            for (int step = 0; step < STEPS; step++) {
                write(db);
                byte[] key = key();
                ReadForm form = ReadForm.any(random);
                if (form != ReadForm.SCAN) {
                    assertThat(form.read(db, key)).as("seed %d, step %d, %s", seed, step, form)
                            .isEqualTo(model.get(key));
                }
                if (step % 500 == 499) {
                    assertScanIsModel(db, seed);
                }
                switch (random.nextInt(200)) {
                    case 0 -> db.flush();
                    case 1 -> db.compact();
                    case 2 -> {
                        db.close();
                        db = RocksDB.open(directory, options());
                    }
                    default -> {
                    }
                }
            }
        } finally {
            db.close();
        }
        RocksDB reopened = closeLater(RocksDB.openReadOnly(directory, options()));
        assertScanIsModel(reopened, seed);
    }

    private void write(RocksDB db) {
        byte[] key = key();
        byte[] value = Bytes.random(random.nextLong(), SIZES[random.nextInt(SIZES.length)]);
        switch (random.nextInt(10)) {
            case 0 -> {
                db.delete(Bytes.inNative(key));
                model.remove(key);
            }
            case 1 -> {
                byte[] end = key();
                if (Arrays.compareUnsigned(key, end) < 0 && random.nextInt(5) == 0) {
                    db.deleteRange(Bytes.directBuffer(key), Bytes.heapBuffer(end));
                    model.subMap(key, end).clear();
                }
            }
            case 2 -> {
                db.merge(key, value);
                model.merge(key, value, ModelTest::joined);
            }
            case 3 -> {
                db.put(Bytes.slicedBuffer(key), Bytes.readOnlyBuffer(value));
                model.put(key, value);
            }
            case 4 -> {
                db.put(Bytes.inFile(key), Bytes.inFile(value));
                model.put(key, value);
            }
            case 5, 6 -> {
                db.put(Bytes.inNative(key), Bytes.inNative(value));
                model.put(key, value);
            }
            default -> {
                db.put(key, value);
                model.put(key, value);
            }
        }
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + 1 + second.length);
        joined[first.length] = ',';
        System.arraycopy(second, 0, joined, first.length + 1, second.length);
        return joined;
    }

    /** One of 400 keys, of which a few are long. */
    private byte[] key() {
        int number = random.nextInt(400);
        return number == 0 ? new byte[0] : Bytes.random(number, number % 50 == 1 ? 3000 : 1 + number % 20);
    }

    private void assertScanIsModel(RocksDB db, long seed) {
        List<Map.Entry<byte[], byte[]>> expected = new ArrayList<>(model.entrySet());
        int[] seen = {0};
        db.scan((key, value) -> {
            Map.Entry<byte[], byte[]> entry = expected.get(seen[0]++);
            assertThat(ReadForm.bytes(key)).as("seed %d", seed).isEqualTo(entry.getKey());
            assertThat(Arrays.equals(ReadForm.bytes(value), entry.getValue())).as("seed %d", seed).isTrue();
            return true;
        });
        assertThat(seen[0]).as("seed %d", seed).isEqualTo(expected.size());
    }
}
