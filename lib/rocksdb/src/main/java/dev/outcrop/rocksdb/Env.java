package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.NativeEnv;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The environment of a database: its files, and the threads that flush and compact. There is nothing to close: a database keeps its
 * environment until it is closed. Thread-safe.
 *
 * <p>All environments of a process share its threads.
 */
public final class Env extends SharedObject {
    /** With more threads, a thread that cannot be started would end the process. */
    private static final int MOST_THREADS = 1024;

    private Env(LongSupplier create) {
        super(create, NativeEnv::destroy);
    }

    /**
     * Returns the environment of the operating system, which is the default of a database.
     *
     * @return the environment
     */
    public static Env defaultEnv() {
        return new Env(NativeEnv::ofSystem);
    }

    /**
     * Makes an environment with files that are only in memory, new and empty. Its databases are gone when nothing refers to the
     * environment; databases that are opened in it one after another see the same files.
     *
     * @return the environment
     */
    public static Env inMemory() {
        return new Env(NativeEnv::inMemory);
    }

    /** The pools of background threads. Each process has one of each. */
    public enum ThreadPool {
        /** For compactions of the bottommost level. If this pool has no threads, the low pool does them. */
        BOTTOM,
        /** For compactions. */
        LOW,
        /** For flushes, which therefore do not wait for compactions. */
        HIGH
    }

    /**
     * Sets how many threads a pool has. Opening a database gives each pool as many threads as the options ask for, if the pool has fewer.
     *
     * @param pool    which pool
     * @param threads from 1 to 1024; {@link ThreadPool#BOTTOM} begins with 0, and cannot go back to it: compactions that wait for a thread
     *                of this pool would wait without end
     * @return this object
     * @throws IllegalArgumentException if {@code threads} is out of its range
     */
    public Env backgroundThreads(ThreadPool pool, int threads) {
        if (pool == ThreadPool.BOTTOM && threads == 0 && backgroundThreads(pool) == 0) {
            return this;
        }
        OptionValues.inRange("background_threads", threads, 1, MOST_THREADS);
        use(address -> {
            switch (pool) {
                case BOTTOM -> NativeEnv.setBottomThreads(address, threads);
                case LOW -> NativeEnv.setLowThreads(address, threads);
                case HIGH -> NativeEnv.setHighThreads(address, threads);
            }
        });
        return this;
    }

    /**
     * Returns the number of threads of a pool.
     *
     * @param pool which pool
     * @return threads; they are started when they are needed
     */
    public int backgroundThreads(ThreadPool pool) {
        return ask(address -> switch (pool) {
            case BOTTOM -> NativeEnv.bottomThreads(address);
            case LOW -> NativeEnv.lowThreads(address);
            case HIGH -> NativeEnv.highThreads(address);
        });
    }

    /**
     * Lets the threads of a pool give way to other processes when they use the disk (Linux).
     *
     * @param pool {@link ThreadPool#LOW} or {@link ThreadPool#HIGH}
     * @return this object
     * @throws IllegalArgumentException for {@link ThreadPool#BOTTOM}
     */
    public Env lowerIoPriority(ThreadPool pool) {
        use(address -> {
            switch (pool) {
                case BOTTOM -> throw notForBottom();
                case LOW -> CApi.rocksdb_env_lower_thread_pool_io_priority(address);
                case HIGH -> CApi.rocksdb_env_lower_high_priority_thread_pool_io_priority(address);
            }
        });
        return this;
    }

    /**
     * Lets the threads of a pool give way to other threads when they use a processor (Linux).
     *
     * @param pool {@link ThreadPool#LOW} or {@link ThreadPool#HIGH}
     * @return this object
     * @throws IllegalArgumentException for {@link ThreadPool#BOTTOM}
     */
    public Env lowerCpuPriority(ThreadPool pool) {
        use(address -> {
            switch (pool) {
                case BOTTOM -> throw notForBottom();
                case LOW -> CApi.rocksdb_env_lower_thread_pool_cpu_priority(address);
                case HIGH -> CApi.rocksdb_env_lower_high_priority_thread_pool_cpu_priority(address);
            }
        });
        return this;
    }

    /**
     * Makes a directory, unless it is there.
     *
     * @param path its name in this environment
     * @return this object
     * @throws RocksDBException         if it cannot be made
     * @throws IllegalArgumentException if there is a NUL character in {@code path}
     */
    public Env createDirIfMissing(String path) {
        Objects.requireNonNull(path, "path");
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment name = OptionValues.text("The path", path, scratch);
            use(address -> CApi.rocksdb_create_dir_if_missing(address, name, ApiCall.error(scratch)));
            ApiCall.check(scratch);
        }
        return this;
    }

    private static IllegalArgumentException notForBottom() {
        return new IllegalArgumentException("RocksDB's C API cannot lower the priority of the pool BOTTOM");
    }
}
