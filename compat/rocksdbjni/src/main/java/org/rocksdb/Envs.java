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
            Env made = new RocksEnv(Env.jniGetDefaultEnvInternal());
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
            Env.jniSetBackgroundThreads(env.nativeHandle_,
                    (int) OptionChecks.check("number", number, 1, OptionChecks.MOST_THREADS), pool(priority));
        }
    }

    static int getBackgroundThreads(Env env, Priority priority) {
        return call(env, Env::jniGetBackgroundThreads, priority);
    }

    static int getThreadPoolQueueLen(Env env, Priority priority) {
        return call(env, Env::jniGetThreadPoolQueueLen, priority);
    }

    static void incBackgroundThreadsIfNeeded(Env env, int number, Priority priority) {
        try (Scratch _ = env.use()) {
            Env.jniIncBackgroundThreadsIfNeeded(env.nativeHandle_,
                    (int) OptionChecks.check("number", number, Integer.MIN_VALUE, OptionChecks.MOST_THREADS),
                    pool(priority));
        }
    }

    static void lowerThreadPoolIOPriority(Env env, Priority priority) {
        try (Scratch _ = env.use()) {
            Env.jniLowerThreadPoolIOPriority(env.nativeHandle_, pool(priority));
        }
    }

    static void lowerThreadPoolCPUPriority(Env env, Priority priority) {
        try (Scratch _ = env.use()) {
            Env.jniLowerThreadPoolCPUPriority(env.nativeHandle_, pool(priority));
        }
    }

    /** A native method that reads a number of a pool. */
    @FunctionalInterface
    private interface PoolNumber {
        int read(long env, byte pool);
    }

    private static int call(Env env, PoolNumber number, Priority priority) {
        try (Scratch _ = env.use()) {
            return number.read(env.nativeHandle_, pool(priority));
        }
    }

    /** RocksDB uses the number as an index of its pools. */
    private static byte pool(Priority priority) {
        if (priority == Priority.TOTAL) {
            throw new IllegalArgumentException("Priority.TOTAL is no pool of threads; name one, such as Priority.LOW");
        }
        return (byte) priority.toNative();
    }

    /** Returns the env that the database was opened with. */
    static Env getEnv(RocksDB database) {
        try (Scratch _ = database.use()) {
            return database.state_.env();
        }
    }
}
