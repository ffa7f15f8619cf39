package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** Creates envs, and controls their threads. The env of the system is not in class {@link Env}, whose initialization would wait for its subclass. */
final class Envs {

    private static Env system;

    private Envs() {
    }

    /** Returns the env of the system. An initializer would report only once that the library cannot be loaded. */
    static synchronized Env system() {
        if (system == null) {
            Env made = new RocksEnv(Exports.ENV_GET_DEFAULT_ENV_INTERNAL.call());
            made.disOwnNativeHandle();
            system = made;
        }
        return system;
    }

    static void setBackgroundThreads(Env env, int number, Priority priority) {
        try (Scratch _ = env.use()) {
            // RocksDB might remove threads that a database has requested which is opened at the same time.
            if (number == 0 && getBackgroundThreads(env, priority) == 0) {
                return;
            }
            // Work for a pool that loses its last thread would wait without end.
            Exports.ENV_SET_BACKGROUND_THREADS.call(env.nativeHandle_,
                    OptionChecks.check("number", number, 1, OptionChecks.MOST_THREADS), pool(priority));
        }
    }

    static int getBackgroundThreads(Env env, Priority priority) {
        return (int) call(env, Exports.ENV_GET_BACKGROUND_THREADS, priority);
    }

    static int getThreadPoolQueueLen(Env env, Priority priority) {
        return (int) call(env, Exports.ENV_GET_THREAD_POOL_QUEUE_LEN, priority);
    }

    static void incBackgroundThreadsIfNeeded(Env env, int number, Priority priority) {
        try (Scratch _ = env.use()) {
            Exports.ENV_INC_BACKGROUND_THREADS_IF_NEEDED.call(env.nativeHandle_,
                    OptionChecks.check("number", number, Integer.MIN_VALUE, OptionChecks.MOST_THREADS), pool(priority));
        }
    }

    static void lowerThreadPoolIOPriority(Env env, Priority priority) {
        long _ = call(env, Exports.ENV_LOWER_THREAD_POOL_IO_PRIORITY, priority);
    }

    static void lowerThreadPoolCPUPriority(Env env, Priority priority) {
        long _ = call(env, Exports.ENV_LOWER_THREAD_POOL_CPU_PRIORITY, priority);
    }

    private static long call(Env env, Export function, Priority priority) {
        try (Scratch _ = env.use()) {
            return function.call(env.nativeHandle_, pool(priority));
        }
    }

    /** RocksDB uses the number as an index of its pools. */
    private static long pool(Priority priority) {
        if (priority == Priority.TOTAL) {
            throw new IllegalArgumentException("Priority.TOTAL is no pool of threads; name one, such as Priority.LOW");
        }
        return priority.toNative();
    }

    /** Returns the env that the database was opened with. */
    static Env getEnv(RocksDB database) {
        try (Scratch _ = database.use()) {
            return database.state_.env();
        }
    }
}
