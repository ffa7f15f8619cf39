package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates envs, and controls their threads. The env of the system is not in class {@link Env}, because the initialization of that class
 * would wait for its subclass.
 */
final class Envs {

    private static Env system;
    /**
     * The priorities for which programs want no thread. Each pool keeps one thread, because work for the pool would otherwise wait without
     * end.
     */
    private static final Set<Priority> EMPTIED = ConcurrentHashMap.newKeySet();

    private Envs() {
    }

    /** Returns the env of the system. It is not in an initializer, which would report only once that the library cannot be loaded. */
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
            byte pool = pool(priority);
            // RocksDB might remove threads that another database, opened at the same time, has requested.
            if (number <= 0 && nativeThreads(env, priority) == 0) {
                return;
            }
            Env.jniSetBackgroundThreads(env.nativeHandle_, (int) Math.max(1, OptionChecks.check("number", number,
                    Integer.MIN_VALUE, OptionChecks.MOST_THREADS)), pool);
            if (number <= 0) {
                EMPTIED.add(priority);
            } else {
                EMPTIED.remove(priority);
            }
        }
    }

    /** Returns the number of threads; 0 if a program wants none. */
    static int getBackgroundThreads(Env env, Priority priority) {
        int threads = nativeThreads(env, priority);
        return threads == 1 && EMPTIED.contains(priority) ? 0 : threads;
    }

    private static int nativeThreads(Env env, Priority priority) {
        return call(env, Env::jniGetBackgroundThreads, priority);
    }

    /** Makes sure that there are threads. Called before a database is opened. */
    static void needThreads() {
        EMPTIED.clear();
    }

    static int getThreadPoolQueueLen(Env env, Priority priority) {
        return call(env, Env::jniGetThreadPoolQueueLen, priority);
    }

    static void incBackgroundThreadsIfNeeded(Env env, int number, Priority priority) {
        try (Scratch _ = env.use()) {
            EMPTIED.remove(priority);
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

    /** Returns the number of a pool. RocksDB uses it as an index of its pools. */
    private static byte pool(Priority priority) {
        if (priority == Priority.TOTAL) {
            throw new IllegalArgumentException(
                    "Priority.TOTAL is not a pool of threads; give one, such as Priority.LOW");
        }
        return (byte) priority.toNative();
    }

    /** Returns the status of the threads of databases that track their threads. */
    static List<ThreadStatus> getThreadList(Env env) throws RocksDBException {
        try (Scratch _ = env.use()) {
            return Arrays.asList(Env.jniGetThreadList(env.nativeHandle_));
        }
    }

    /** Returns the name of a property; null if the operation has fewer properties. RocksDB does not check the lower bound. */
    static String propertyName(OperationType operation, int index) {
        if (index < 0) {
            throw new IllegalArgumentException("There is no property of number " + index + "; they begin with 0");
        }
        return ThreadStatus.jniGetOperationPropertyName((byte) operation.toNative(), index);
    }

    /** Names the properties of an operation. RocksDB reads all of them without a check of the array's length. */
    @SuppressWarnings("unchecked") // a native method has no type arguments
    static Map<String, Long> properties(OperationType operation, long[] given) {
        long[] values = given.clone();
        if (propertyName(operation, values.length) != null) {
            throw new IllegalArgumentException("There are " + values.length + " properties, but " + operation
                    + " has more: pass all that ThreadStatus.getOperationProperties() returns");
        }
        return ThreadStatus.jniInterpretOperationProperties((byte) operation.toNative(), values);
    }

    /** Returns the env with which the database was opened. */
    static Env getEnv(RocksDB database) {
        try (Scratch _ = database.use()) {
            return database.state_.env();
        }
    }
}
