package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Reads of one value in each call. All sides look at the size, the first byte and the last byte of the value, or also at each of its cache
 * lines.
 */
final class PointSides implements PairedSides {
    private final List<ReadingThread> threads;

    PointSides(PairedWorkload workload, RocksDB db) {
        if (workload.paired().task() == PairedTask.FRESH_KEY) {
            put(workload, db);
        }
        org.rocksdb.RocksDB rocksJava = NativeHandles.rocksJava(db);
        threads = IntStream.range(0, workload.paired().threads())
                .mapToObj(number -> new ReadingThread(number, new OutcropReads(workload, db),
                        new RocksJavaReads(workload, rocksJava)))
                .toList();
        threads.getFirst().ours.readAll();
    }

    private static void put(PairedWorkload workload, RocksDB db) {
        byte[] value = new byte[workload.paired().valueBytes()];
        Arrays.fill(value, PairedWorkload.VALUE);
        db.with(new WriteOptions().disableWAL(true)).put(Keys.first(workload.paired().keyBytes()), value);
    }

    @Override
    public List<Side> all() {
        return List.of(
                ours("byte[]", thread -> thread.ours()::bytes),
                ours("preallocated byte[]", thread -> thread.ours()::preallocated),
                ours("direct buffer", thread -> thread.ours()::direct),
                ours("segment", thread -> seed -> thread.ours().segment(seed, false)),
                ours("pinned", thread -> seed -> thread.ours().pinned(seed, false)),
                ours("pinned callback", thread -> thread.ours()::callback),
                ours("hybrid", thread -> seed -> thread.ours().hybrid(seed, false)),
                ours("segment" + Variant.TOUCHED, thread -> seed -> thread.ours().segment(seed, true)),
                ours("pinned" + Variant.TOUCHED, thread -> seed -> thread.ours().pinned(seed, true)),
                ours("hybrid" + Variant.TOUCHED, thread -> seed -> thread.ours().hybrid(seed, true)),
                peer("byte[]", thread -> thread.peer()::bytes),
                peer("preallocated byte[]", thread -> seed -> thread.peer().preallocated(seed, false)),
                peer("direct buffer", thread -> seed -> thread.peer().direct(seed, false)),
                peer("preallocated byte[]" + Variant.TOUCHED,
                        thread -> seed -> thread.peer().preallocated(seed, true)),
                peer("direct buffer" + Variant.TOUCHED, thread -> seed -> thread.peer().direct(seed, true)));
    }

    @Override
    public Side limit(String name, Side.Work function) {
        return new Side(Side.limitName(name), work(thread -> function));
    }

    private Side ours(String form, Function<ReadingThread, Side.Work> work) {
        return new Side(Side.oursName(form), work(work));
    }

    private Side peer(String form, Function<ReadingThread, Side.Work> work) {
        return new Side(Side.peerName(form), work(work));
    }

    /** Returns the work of each thread on its own keys. */
    private List<Side.Work> work(Function<ReadingThread, Side.Work> work) {
        return threads.stream().map(thread -> {
            Side.Work ofThread = work.apply(thread);
            return (Side.Work) seed -> ofThread.run(thread.seed(seed));
        }).toList();
    }

    /** The readers of a thread. */
    private record ReadingThread(int number, OutcropReads ours, RocksJavaReads peer) {
        private static final long DISTANCE = 0x5851F42D4C957F2DL;

        /** Returns the seed of this thread's keys. */
        long seed(long ofTurn) {
            return ofTurn ^ number * DISTANCE;
        }
    }
}
