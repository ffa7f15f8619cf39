package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * C's structures for databases, column families and iterators that native methods have made. Each structure begins with the address of the
 * C++ object.
 */
final class JniWrappers {

    /** The structures that were made here. C cannot free them together with the objects. */
    private static final Set<Long> WRAPPERS = ConcurrentHashMap.newKeySet();

    private JniWrappers() {
    }

    /** Makes the structure for an object. */
    static long wrap(long object) {
        long wrapper = NativeSlice.allocate(0);
        NativeSlice.set(wrapper, object, 0);
        WRAPPERS.add(wrapper);
        return wrapper;
    }

    /** Returns the C++ object of any structure. */
    static long object(long wrapper) {
        return NativeCalls.readLong(wrapper);
    }

    /** Closes a database if its structure was made here. */
    static boolean closeDatabase(long wrapper) {
        return close(wrapper, RocksDB::jniDisposeInternalJni);
    }

    /** Frees a column family if its structure was made here. */
    static boolean closeFamily(long wrapper) {
        return close(wrapper, ColumnFamilyHandle::jniDisposeInternalJni);
    }

    /** Frees an object with its structure, if the structure was made here. */
    static boolean close(long wrapper, LongConsumer dispose) {
        if (!WRAPPERS.remove(wrapper)) {
            return false;
        }
        dispose.accept(object(wrapper));
        NativeSlice.free(wrapper);
        return true;
    }
}
