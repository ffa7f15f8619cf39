package dev.outcrop.rocksdbjni;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.AbstractWriteBatch;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;

/** The operations of a {@link DifferentialProgram} on batches. */
@NullUnmarked // null is an argument and a result like any other here
final class DifferentialBatches {

    /** Bytes of a sequence number and a number of records. */
    private static final int EMPTY_BATCH = 12;

    private static final List<Method> CHANGES = DifferentialOperations.methods(AbstractWriteBatch.class,
            "put|merge|delete|singleDelete|putLogData|setSavePoint|rollbackToSavePoint|popSavePoint|count");
    private static final List<Method> RARE = DifferentialOperations.methods(AbstractWriteBatch.class,
            "deleteRange|clear");
    private static final List<Method> STATES = DifferentialOperations.methods(WriteBatch.class,
            "has[A-Z].*|getDataSize|count|markWalTerminationPoint|getWalTerminationPoint");
    private static final List<Method> READS = DifferentialOperations.methods(WriteBatchWithIndex.class,
            "getFromBatch.*");
    private static final List<Method> LOOKS = DifferentialOperations.methods(RocksIterator.class, "key|value");
    private static final List<Method> ENTRIES = DifferentialOperations.methods(WBWIRocksIterator.class, "entry");

    private final DifferentialWorld world;
    private final DifferentialTranscript transcript;

    DifferentialBatches(DifferentialWorld world) {
        this.world = world;
        this.transcript = world.transcript;
    }

    void change(Random random) throws Exception {
        List<Method> methods = random.nextInt(12) == 0 ? RARE : CHANGES;
        if (random.nextInt(3) == 0) {
            DifferentialOperations.call(world, WriteBatchWithIndex.class, methods, world.indexed, random);
        } else {
            DifferentialOperations.call(world, WriteBatch.class, methods, world.batch, random);
        }
    }

    /** New ones, for those that name families that are gone. */
    void renew(Random random) {
        world.batch.close();
        world.batch = new WriteBatch();
        if (world.indexed != null) {
            world.indexed.close();
            world.indexed = null;
            transcript.call("WriteBatchWithIndex()",
                    () -> world.indexed = new WriteBatchWithIndex(random.nextBoolean()));
        }
    }

    void look(Random random) throws Exception {
        switch (random.nextInt(7)) {
            case 0, 1 -> DifferentialOperations.call(world, WriteBatch.class, STATES, world.batch, random);
            case 2 -> transcript.call("WriteBatch.iterate(Handler)", () -> iterated(world.batch, random));
            case 3 -> transcript.call("WriteBatchWithIndex.getWriteBatch()",
                    () -> world.indexed == null ? null : data(world.indexed.getWriteBatch()));
            case 4 -> fromData();
            case 5 -> {
                long most = random.nextInt(200);
                WriteBatch small = new WriteBatch(random.nextInt(100));
                transcript.call("AbstractWriteBatch.setMaxBytes(long)", Long.toString(most), () -> {
                    try (small) {
                        small.setMaxBytes(most);
                        for (int i = 0; i < 5; i++) {
                            small.put(DifferentialArguments.key(random), DifferentialArguments.value(random));
                        }
                        return small.count();
                    }
                }, () -> "");
            }
            default -> renew(random);
        }
    }

    /** Without the sequence number that a batch has after it was written: only the published jar tells it. */
    private static byte[] data(WriteBatch batch) throws RocksDBException {
        byte[] data = batch.data();
        Arrays.fill(data, 0, Long.BYTES, (byte) 0);
        return data;
    }

    private void fromData() {
        transcript.call("WriteBatch(byte[])", () -> {
            byte[] data = data(world.batch);
            try (WriteBatch copy = new WriteBatch(data)) {
                return List.of(copy.count(), copy.getDataSize(), data(copy), copy.hasPut(), copy.hasMerge());
            }
        });
        if (world.batch.getDataSize() > EMPTY_BATCH) {
            // Its last record lacks bytes.
            transcript.call("WriteBatch(byte[])", "damaged", () -> {
                byte[] data = data(world.batch);
                try (WriteBatch copy = new WriteBatch(Arrays.copyOf(data, data.length - 1))) {
                    return copy.getDataSize();
                }
            }, () -> "");
        }
    }

    private List<String> iterated(WriteBatch batch, Random random) throws RocksDBException {
        int most = random.nextInt(30);
        List<String> calls = new ArrayList<>();
        try (SeenRecords handler = new SeenRecords(calls, most, transcript.text()::of)) {
            try {
                batch.iterate(handler);
            } catch (RocksDBException e) {
                calls.add(transcript.text().of(e.getStatus()));
            }
        }
        return calls;
    }

    void indexedReads(Random random) throws Exception {
        if (world.indexed == null) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0, 1 -> DifferentialOperations.call(world, WriteBatchWithIndex.class, READS, world.indexed, random);
            case 2 -> {
                Object made = transcript.call("WriteBatchWithIndex.newIterator()", () -> random.nextBoolean()
                        ? world.indexed.newIterator()
                        : world.indexed.newIterator(world.anyFamily(random)));
                if (made instanceof WBWIRocksIterator iterator) {
                    try (iterator) {
                        DifferentialOperations.walk(world, iterator, WBWIRocksIterator.class, ENTRIES, random);
                    }
                }
            }
            default -> {
                Object made = transcript.call("WriteBatchWithIndex.newIteratorWithBase(RocksIterator)", () -> {
                    RocksIterator base = world.database.newIterator();
                    return world.indexed.newIteratorWithBase(base);
                });
                if (made instanceof RocksIterator iterator) {
                    try (iterator) {
                        DifferentialOperations.walk(world, iterator, RocksIterator.class, LOOKS, random);
                    }
                }
            }
        }
    }
}
