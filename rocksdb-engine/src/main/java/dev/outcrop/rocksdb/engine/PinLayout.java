package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;

/** Where a native pin keeps its value: the value's address is its first word, the value's size its second one. */
/*
 * Both of the C API's types for a pin hold one rocksdb::PinnableSlice and nothing else. That is a rocksdb::Slice first,
 * which is a pointer and a size. The functions of the C API only read these two fields. To read them here saves a
 * native call with an out-parameter: 11 to 17 ns of a pinned read.
 *
 * RocksDB does not promise this layout, so PinLayoutProbe looks at it once, when the library is used for the first
 * time. To look once is enough on every platform: where the fields of a type are is decided when the library is
 * compiled, and holds for all objects of the type. What has to be excluded is that other fields hold the same by chance
 * in the objects that were looked at. Those can only be the ones that describe memory of the pin's own, a std::string,
 * because no others hold a pointer to the value. They are empty where the value lies in the block cache, and the value
 * is not theirs. So both kinds of values are compared, of sizes that no counter or flag in a pin has.
 *
 * If any word differs, or the probe cannot be made, then the functions are called for each pin: that is slower, and
 * never wrong.
 */
public final class PinLayout {
    /** Added to the address of a {@code rocksdb_pinnableslice_t}, which the C API makes for reads within transactions and batches. */
    public static final long OF_TRANSACTION = 2;
    /** The system property with which tests have the functions called. */
    public static final String ASK = "outcrop.rocksdb.askForPins";

    private static final int LENGTH = 1;
    private static final boolean IS_CONFIRMED = !Boolean.getBoolean(ASK) && PinLayoutProbe.confirms(0);

    private PinLayout() {
    }

    public static boolean isConfirmed() {
        return IS_CONFIRMED;
    }

    /**
     * Where the value is.
     *
     * @param pin a {@code rocksdb_pinnable_handle_t *}, or with {@link #OF_TRANSACTION} a {@code rocksdb_pinnableslice_t *}
     */
    public static long address(long pin) {
        return IS_CONFIRMED ? NativeCalls.readLong(pin & ~OF_TRANSACTION) : ask(pin, false);
    }

    /**
     * How long the value is.
     *
     * @param pin as for {@link #address}
     */
    public static long size(long pin) {
        return IS_CONFIRMED ? NativeCalls.readLong((pin & ~OF_TRANSACTION) + Long.BYTES) : ask(pin, true);
    }

    /** Allocates nothing: pins are given back where memory has run out. */
    private static long ask(long pin, boolean forSize) {
        try (Scratch scratch = NativeCall.scratchForCall()) {
            long address = PinLayoutProbe.ask(pin, scratch.wordAddress(LENGTH));
            return forSize ? scratch.word(LENGTH) : address;
        }
    }
}
