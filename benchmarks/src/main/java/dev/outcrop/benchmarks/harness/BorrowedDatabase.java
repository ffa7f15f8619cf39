package dev.outcrop.benchmarks.harness;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An open database that another library has lent to rocksdbjni, which never closes it. */
public final class BorrowedDatabase extends org.rocksdb.RocksDB {
    static {
        loadLibrary();
    }

    /** Borrows a database by its {@code rocksdb_t *}. */
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
        // It belongs to the library that has opened it.
    }

    /** Returns the address of the C++ object behind a handle of the C API, which rocksdbjni uses as its handle. */
    @SuppressWarnings("restricted") // the address comes from the C API
    public static long cppObject(long struct) {
        return MemorySegment.ofAddress(struct).reinterpret(ValueLayout.JAVA_LONG.byteSize()).get(ValueLayout.JAVA_LONG,
                0);
    }
}
