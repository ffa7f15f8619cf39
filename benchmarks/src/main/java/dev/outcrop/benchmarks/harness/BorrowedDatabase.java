package dev.outcrop.benchmarks.harness;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An open database for rocksdbjni that belongs to somebody else, and is never closed by it. */
public final class BorrowedDatabase extends org.rocksdb.RocksDB {
    static {
        loadLibrary();
    }

    /**
     * Borrows it.
     *
     * @param struct its {@code rocksdb_t *}
     */
    public BorrowedDatabase(long struct) {
        super(cppObject(struct));
        storeDefaultColumnFamilyHandle(makeDefaultColumnFamilyHandle());
    }

    /**
     * Does nothing. The handle is not given up instead: rocksdbjni then frees no iterator of the database, and each new one takes fresh
     * memory, which is slow.
     */
    @Override
    public void close() {
        // It belongs to somebody else.
    }

    /**
     * What rocksdbjni takes for a handle.
     *
     * @param struct what the C API hands out, whose first word points to the object in C++
     * @return the address of the object
     */
    @SuppressWarnings("restricted") // the address comes from the C API
    public static long cppObject(long struct) {
        return MemorySegment.ofAddress(struct).reinterpret(ValueLayout.JAVA_LONG.byteSize()).get(ValueLayout.JAVA_LONG,
                0);
    }
}
