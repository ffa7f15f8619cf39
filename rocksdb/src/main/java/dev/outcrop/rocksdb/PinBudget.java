package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeProperties;
import java.util.Objects;

/**
 * How many bytes of values of a database may stay pinned. {@code docs/pins.md} has the measurements behind the default.
 */
final class PinBudget {
    /**
     * By default so much of the block cache may be pinned: a quarter of it costs others a good half more misses, half
     * of it twice as many.
     */
    private static final long SHARE = 4;
    /** Pins take nothing away from others where there is no block cache; what they take is memory. */
    static final long WITHOUT_CACHE = 256L << 20;

    private PinBudget() {
    }

    /** What was asked for, or the default for the database. */
    static long of(OpenedHandles opened) {
        long asked = opened.options().pinBudget();
        if (asked != Options.DEFAULT_PIN_BUDGET) {
            return asked;
        }
        long family = Objects.requireNonNull(opened.families().get(DatabaseOpener.DEFAULT_FAMILY));
        try (Scratch scratch = Native.scratch()) {
            Long capacity = NativeProperties.number(scratch, opened.db(), family,
                    Native.in(scratch, Property.BLOCK_CACHE_CAPACITY));
            return capacity == null || capacity == 0 ? WITHOUT_CACHE : capacity / SHARE;
        }
    }
}
