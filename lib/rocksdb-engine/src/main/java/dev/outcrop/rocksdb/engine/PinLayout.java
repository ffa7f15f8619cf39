package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;

/** Reads the address and the size of a pinned value from the first two words of the pin. */
/*
 * Both of the C API's types for a pin hold one rocksdb::PinnableSlice and nothing else. Its first base class is rocksdb::Slice, a pointer and
 * a size, and the C++ ABI of all supported platforms (Itanium) puts the first base class first. The functions of the C API only read these
 * two fields. Reading them here saves two native calls. A test compares both ways.
 */
public final class PinLayout {
    /** Added to the address of a {@code rocksdb_pinnableslice_t}, the pin of reads within transactions and batches. */
    public static final long OF_TRANSACTION = 2;

    private PinLayout() {
    }

    /**
     * Returns the address of the value.
     *
     * @param pin a {@code rocksdb_pinnable_handle_t *}, or with {@link #OF_TRANSACTION} a {@code rocksdb_pinnableslice_t *}
     */
    public static long address(long pin) {
        return NativeCalls.readLong(pin & ~OF_TRANSACTION);
    }

    /**
     * Returns the size of the value.
     *
     * @param pin as for {@link #address}
     */
    public static long size(long pin) {
        return NativeCalls.readLong((pin & ~OF_TRANSACTION) + Long.BYTES);
    }
}
