package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.CFunctions;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Puts and batches without a log. All sides write to the same memtable, one after another. */
final class WriteSides implements PairedSides {
    /** More keys than any thread writes. */
    private static final long KEYS_OF_A_THREAD = 1L << 40;

    private final PairedWorkload workload;
    private final Optional<CFunctions> c;
    private final List<WritingThread> threads;
    private final MemorySegment value;
    private RocksDB db;
    private long intact;

    WriteSides(PairedWorkload workload, Optional<CFunctions> c) {
        this.workload = workload;
        this.c = c;
        this.threads = IntStream.range(0, workload.paired().threads())
                .mapToObj(thread -> new WritingThread(workload, thread * KEYS_OF_A_THREAD)).toList();
        this.value = Arena.global().allocate(workload.paired().valueBytes()).fill(PairedWorkload.VALUE);
        db = open();
    }

    private RocksDB open() {
        Database.current().delete();
        RocksDB opened = RocksDB.open(Database.current().directory(), new Options().set(EngineOptions.WRITING.text()));
        DatabaseWriter writer = opened.with(new WriteOptions().disableWAL(true));
        org.rocksdb.RocksDB rocksJava = NativeHandles.rocksJava(opened);
        threads.forEach(thread -> thread.use(writer, rocksJava));
        c.ifPresent(functions -> NativeHandles.lend(opened, functions));
        return opened;
    }

    /** Also checks that all written records can be read. */
    @Override
    public void renew() {
        intact = 0;
        db.scan(KeyRange.all(), (foundKey, found) -> {
            intact += foundKey.byteSize() == workload.paired().keyBytes() && found.mismatch(value) < 0 ? 1 : 0;
            return true;
        });
        long written = threads.stream().mapToLong(WritingThread::written).sum();
        if (intact != written) {
            throw new IllegalStateException("Of " + written + " written records " + intact + " can be read");
        }
        db.close();
        db = open();
    }

    @Override
    public List<Side> all() {
        if (workload.paired().task() == PairedTask.PUT) {
            return List.of(ours("byte[]", thread -> seed -> thread.putBytes()),
                    ours("segment", thread -> seed -> thread.putSegments()),
                    peer("byte[]", thread -> seed -> thread.peerPutBytes()),
                    peer("direct buffer", thread -> seed -> thread.peerPutDirect()));
        }
        boolean isWritten = workload.paired().task() == PairedTask.BATCH;
        return List.of(ours("byte[]", thread -> seed -> thread.batchBytes(isWritten)),
                ours("segment", thread -> seed -> thread.batchSegments(isWritten)),
                peer("byte[]", thread -> seed -> thread.peerBatchBytes(isWritten)),
                peer("direct buffer", thread -> seed -> thread.peerBatchDirect(isWritten)));
    }

    @Override
    public Side limit(String name, Side.Work function) {
        return new Side(Side.limitName(name), workload.paired().task() == PairedTask.BUILD
                ? work(thread -> function)
                : work(thread -> seed -> thread.follow(function)));
    }

    private Side ours(String form, Function<WritingThread, Side.Work> work) {
        return new Side(Side.oursName(form), work(work));
    }

    private Side peer(String form, Function<WritingThread, Side.Work> work) {
        return new Side(Side.peerName(form), work(work));
    }

    private List<Side.Work> work(Function<WritingThread, Side.Work> work) {
        return threads.stream().map(work).toList();
    }
}
