package org.rocksdb;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * Functions that the library exports for JNI and that never touch their {@code JNIEnv}, called without one, where the C API lacks
 * something. A wrapper of a {@code shared_ptr} is the same in both.
 */
final class Exports {

    private Exports() {
    }

    /** A {@code rocksdb_cache_t}. */
    static long newLruCache(long capacity, int shardBits, boolean strict, double highPriority, double lowPriority) {
        try {
            return (long) NewLruCache.HANDLE.invokeExact(0L, 0L, capacity, shardBits, strict, highPriority,
                    lowPriority);
        } catch (Throwable thrown) {
            throw NativeCalls.unexpected(thrown);
        }
    }

    private static MethodHandle link(String symbol, FunctionDescriptor descriptor) {
        return NativeCalls
                .link(NativeLibraries.rocksdb().find(symbol).orElseThrow(() -> new UnsupportedOperationException(
                        "The RocksDB library has no function " + symbol + ": it was built without JNI")), descriptor);
    }

    private static final class NewLruCache {
        private static final MethodHandle HANDLE = link("Java_org_rocksdb_LRUCache_newLRUCache",
                FunctionDescriptor.of(JAVA_LONG,
                        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_BOOLEAN, JAVA_DOUBLE, JAVA_DOUBLE));
    }
}
