package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Databases and column families that native methods have made, as C has them: structures that begin with the address of the C++ object. */
final class JniObjects {

    /** C frees its own structures together with the objects, and knows nothing of these. */
    private static final Set<Long> WRAPPERS = ConcurrentHashMap.newKeySet();

    private JniObjects() {
    }

    /** The structure for a database or family. */
    static long wrap(long object) {
        long wrapper = NativeSlice.allocate(0);
        NativeSlice.set(wrapper, object, 0);
        WRAPPERS.add(wrapper);
        return wrapper;
    }

    /** The C++ object of any structure. */
    static long object(long wrapper) {
        return NativeCalls.readLong(wrapper);
    }

    /** Closes a database, if it is in such a structure. */
    static boolean closeDatabase(long wrapper) {
        if (!WRAPPERS.remove(wrapper)) {
            return false;
        }
        RocksDB.jniDisposeInternalJni(object(wrapper));
        NativeSlice.free(wrapper);
        return true;
    }

    /** Frees a column family, if it is in such a structure. */
    static boolean closeFamily(long wrapper) {
        if (!WRAPPERS.remove(wrapper)) {
            return false;
        }
        ColumnFamilyHandle.jniDisposeInternalJni(object(wrapper));
        NativeSlice.free(wrapper);
        return true;
    }
}
