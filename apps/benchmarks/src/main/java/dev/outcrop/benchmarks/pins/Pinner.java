package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Pins values in a thread, each until the end or for a while. It goes through its own part of the keys again and again. */
final class Pinner implements AutoCloseable {
    private static final int PAUSE_MILLIS = 1;

    private final RocksDB db;
    private final PinsWorkload workload;
    private final Deque<PinnedSlice> held = new ArrayDeque<>();
    private final byte[] key = Keys.first(PinsWorkload.KEY_BYTES);
    private final CountDownLatch holding = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    /** Values read so far. */
    private final AtomicLong reads = new AtomicLong();
    private final FutureTask<Boolean> pinning = new FutureTask<>(this::pin);

    /** Starts the thread. Returns after all values are pinned. */
    Pinner(RocksDB db, PinsWorkload workload) throws InterruptedException {
        this.db = db;
        this.workload = workload;
        Thread.ofPlatform().name("pinner").start(pinning);
        holding.await();
    }

    long reads() {
        return reads.get();
    }

    private boolean pin() throws InterruptedException {
        try {
            while (held.size() < workload.pins()) {
                hold();
            }
            holding.countDown();
            if (held.isEmpty() || workload.heldMillis() == 0) {
                end.await();
            } else {
                replace();
            }
            return true;
        } finally {
            held.forEach(PinnedSlice::close);
            holding.countDown();
        }
    }

    private void replace() throws InterruptedException {
        long start = System.nanoTime();
        double nanosForEach = (double) TimeUnit.MILLISECONDS.toNanos(workload.heldMillis()) / workload.pins();
        long replaced = 0;
        while (!end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
            long due = (long) ((System.nanoTime() - start) / nanosForEach);
            for (; replaced < due && end.getCount() > 0; replaced++) {
                held.remove().close();
                hold();
            }
        }
    }

    private void hold() {
        Keys.set(key, workload.readersKeys() + reads.getAndIncrement() % workload.pinnersKeys());
        held.add(Objects.requireNonNull(db.getPinned(key), "a key is missing"));
    }

    /** Unpins all values. Fails if the thread has failed. */
    @Override
    public void close() {
        end.countDown();
        try {
            pinning.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the thread that pins", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Pinning has failed", e.getCause());
        }
    }
}
