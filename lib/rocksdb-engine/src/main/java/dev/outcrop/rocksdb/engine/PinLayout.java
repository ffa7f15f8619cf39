package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;

/** Reads the address and the size of a pinned value from the pin: they are its first two words. */
/*
 * Both of the C API's types for a pin hold one rocksdb::PinnableSlice and nothing else. It begins with a rocksdb::Slice,
 * which is a pointer and a size. The functions of the C API only read these two fields. Reading them here saves
 * two native calls.
 *
 * RocksDB does not promise this layout, so PinLayoutProbe checks it once, when the library is first used. Once is enough:
 * the compiler of the library decides it for all objects of the type. Other fields must not hold the same values by chance.
 * Only a std::string with memory of the pin's own could, because no other field points to the value; it is empty if the
 * value is in the block cache. So the probe compares both kinds of values, of sizes that no counter or flag in a pin has.
 *
 * If a word differs, or the probe fails, the functions are called for each pin: that is slower, and never wrong.
 */
public final class PinLayout {
    /** Added to the address of a {@code rocksdb_pinnableslice_t}, the pin of reads within transactions and batches. */
    public static final long OF_TRANSACTION = 2;
    /** The system property that makes tests call the functions. */
    public static final String ASK = "outcrop.rocksdb.askForPins";

    private static final int LENGTH = 1;
    private static final boolean IS_CONFIRMED = !Boolean.getBoolean(ASK) && PinLayoutProbe.confirms(0);

    private PinLayout() {
    }

    public static boolean isConfirmed() {
        return IS_CONFIRMED;
    }

    /**
     * Returns the address of the value.
     *
     * @param pin a {@code rocksdb_pinnable_handle_t *}, or with {@link #OF_TRANSACTION} a {@code rocksdb_pinnableslice_t *}
     */
    public static long address(long pin) {
        return IS_CONFIRMED ? NativeCalls.readLong(pin & ~OF_TRANSACTION) : ask(pin, false);
    }

    /**
     * Returns the size of the value.
     *
     * @param pin as for {@link #address}
     */
    public static long size(long pin) {
        return IS_CONFIRMED ? NativeCalls.readLong((pin & ~OF_TRANSACTION) + Long.BYTES) : ask(pin, true);
    }

    /** Allocates nothing, because pins are released when memory has run out. */
    private static long ask(long pin, boolean forSize) {
        try (Scratch scratch = NativeCall.scratchForCall()) {
            long address = PinLayoutProbe.ask(pin, scratch.wordAddress(LENGTH));
            return forSize ? scratch.word(LENGTH) : address;
        }
    }
}
