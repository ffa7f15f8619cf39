package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.util.List;

/** What a database uses of the system: files, time, background threads. It is thread-safe. */
public abstract class Env extends RocksObject {
    /** With a native {@code Env}. */
    Env(long nativeHandle) {
        super(nativeHandle);
    }

    /**
     * That of the system, which all databases use unless they are given another one.
     *
     * @return always the same; closing it does nothing
     */
    public static Env getDefault() {
        return Environments.system();
    }

    /**
     * Sets how many threads compact.
     *
     * @param number how many
     * @return this object
     */
    public Env setBackgroundThreads(int number) {
        return setBackgroundThreads(number, Priority.LOW);
    }

    /**
     * Sets how many threads of a priority there are.
     *
     * @param number   how many
     * @param priority which
     * @return this object
     */
    public Env setBackgroundThreads(int number, Priority priority) {
        try (Scratch _ = use()) {
            if (number == 0 && getBackgroundThreads(priority) == 0) {
                // It is so. RocksDB is not asked: it might take threads away that a database which opens meanwhile has asked for.
                return this;
            }
            // What waits for a thread of a pool that no longer has one would wait for ever.
            Exports.ENV_SET_BACKGROUND_THREADS.call(nativeHandle_,
                    Ranges.check("number", number, 1, Ranges.MOST_THREADS), pool(priority));
        }
        return this;
    }

    /**
     * How many threads of a priority there are.
     *
     * @param priority which
     * @return how many
     */
    public int getBackgroundThreads(Priority priority) {
        try (Scratch _ = use()) {
            return (int) Exports.ENV_GET_BACKGROUND_THREADS.call(nativeHandle_, pool(priority));
        }
    }

    /**
     * How much work waits for threads of a priority.
     *
     * @param priority which
     * @return how many pieces of work
     */
    public int getThreadPoolQueueLen(Priority priority) {
        try (Scratch _ = use()) {
            return (int) Exports.ENV_GET_THREAD_POOL_QUEUE_LEN.call(nativeHandle_, pool(priority));
        }
    }

    /**
     * Sets how many threads of a priority there are at least.
     *
     * @param number   how many
     * @param priority which
     * @return this object
     */
    public Env incBackgroundThreadsIfNeeded(int number, Priority priority) {
        try (Scratch _ = use()) {
            Exports.ENV_INC_BACKGROUND_THREADS_IF_NEEDED.call(nativeHandle_,
                    Ranges.check("number", number, Integer.MIN_VALUE, Ranges.MOST_THREADS), pool(priority));
        }
        return this;
    }

    /**
     * Makes the system serve files of these threads after those of others.
     *
     * @param priority which threads
     * @return this object
     */
    public Env lowerThreadPoolIOPriority(Priority priority) {
        try (Scratch _ = use()) {
            Exports.ENV_LOWER_THREAD_POOL_IO_PRIORITY.call(nativeHandle_, pool(priority));
        }
        return this;
    }

    /**
     * Makes the system run these threads after others.
     *
     * @param priority which threads
     * @return this object
     */
    public Env lowerThreadPoolCPUPriority(Priority priority) {
        try (Scratch _ = use()) {
            Exports.ENV_LOWER_THREAD_POOL_CPU_PRIORITY.call(nativeHandle_, pool(priority));
        }
        return this;
    }

    /**
     * What the background threads do. C has no such function.
     *
     * @return nothing; throws {@link UnsupportedOperationException}
     * @throws RocksDBException as published
     */
    public List<ThreadStatus> getThreadList() throws RocksDBException {
        throw dev.outcrop.rocksdbjni.Unsupported.method("Env.getThreadList()");
    }

    /** RocksDB looks into a list of pools with this number. */
    private static long pool(Priority priority) {
        if (priority == Priority.TOTAL) {
            throw new IllegalArgumentException("Priority.TOTAL is no pool of threads; name one, such as Priority.LOW");
        }
        return priority.toNative();
    }
}
