package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeStatistics;
import dev.outcrop.rocksdb.engine.capi.CApi;
import org.jspecify.annotations.Nullable;

/**
 * Counts what RocksDB does for the calls of one thread, from {@link #start} on:
 *
 * <pre>{@code
 * try (PerfContext perf = PerfContext.start(PerfLevel.ENABLE_TIME)) {
 *     db.get(key);
 *     System.out.println(perf.report());
 * }
 * }</pre>
 *
 * <p>RocksDB keeps these counters in each thread of the operating system. A context therefore belongs to the thread that started it: only
 * this thread may use and close the context, and the context does not count RocksDB's background work. A virtual thread cannot start a
 * context, because it changes its thread of the operating system whenever it waits: its calls would be counted in several threads, together
 * with the calls of other virtual threads. Measure in a platform thread.
 */
public final class PerfContext implements AutoCloseable {
    private static final ThreadLocal<@Nullable PerfContext> OPEN = new ThreadLocal<>();

    private final Thread thread;
    private final long context;
    private boolean closed;

    private PerfContext(Thread thread) {
        this.thread = thread;
        this.context = CApi.rocksdb_perfcontext_create();
    }

    /**
     * Starts to count RocksDB's work for the calling thread, from zero.
     *
     * @param level how much to measure; times cost something
     * @return the counters, which this thread must close
     * @throws IllegalStateException if the calling thread is virtual, or has a context that is not closed
     */
    public static PerfContext start(PerfLevel level) {
        int value = level.value();
        Thread thread = Thread.currentThread();
        if (thread.isVirtual()) {
            throw new IllegalStateException(
                    "A virtual thread has no perf context: RocksDB counts for each thread of the"
                            + " operating system, which virtual threads change. Measure in a platform thread");
        }
        if (OPEN.get() != null) {
            throw new IllegalStateException("The perf context that " + thread + " has started is not closed yet");
        }
        ApiCall.requireLibrary();
        PerfContext started = new PerfContext(thread);
        OPEN.set(started);
        CApi.rocksdb_set_perf_level(value);
        CApi.rocksdb_perfcontext_reset(started.context);
        return started;
    }

    /**
     * Returns the count or the time of a metric.
     *
     * @param metric the metric
     * @return the sum since the start or the last {@link #reset()}
     * @throws IllegalStateException if this context is closed, or belongs to another thread
     */
    public long metric(PerfMetric metric) {
        return CApi.rocksdb_perfcontext_metric(open(), metric.value());
    }

    /**
     * Returns all metrics that are not zero, as RocksDB prints them.
     *
     * @return names and values, separated by commas
     * @throws IllegalStateException if this context is closed, or belongs to another thread
     */
    public String report() {
        return NativeStatistics.report(open(), true);
    }

    /**
     * Counts from zero again.
     *
     * @throws IllegalStateException if this context is closed, or belongs to another thread
     */
    public void reset() {
        CApi.rocksdb_perfcontext_reset(open());
    }

    /**
     * Sets RocksDB's default level again, at which RocksDB counts but measures no times. Does nothing if this context was closed before.
     *
     * @throws IllegalStateException if this context belongs to another thread
     */
    @Override
    public void close() {
        requireThread();
        if (!closed) {
            closed = true;
            OPEN.remove();
            CApi.rocksdb_set_perf_level(PerfLevel.ENABLE_COUNT.value());
            CApi.rocksdb_perfcontext_destroy(context);
        }
    }

    private long open() {
        requireThread();
        if (closed) {
            throw new IllegalStateException("The perf context of " + thread + " is closed");
        }
        return context;
    }

    private void requireThread() {
        if (!thread.equals(Thread.currentThread())) {
            throw new IllegalStateException("The perf context of " + thread + " cannot be used by "
                    + Thread.currentThread() + ": RocksDB counts for each thread");
        }
    }
}
