package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.util.ArrayList;
import java.util.List;

/** What {@code EnvOptions} were given besides plain values: native ones hold a plain pointer to the limiter. */
final class EnvOptionParts {

    private final EnvOptions options;
    private RateLimiter limiter;
    /** Whether {@link #from} made the native ones: C's have another field behind them, which C would free. */
    private boolean copied;
    /** What owns the limiters to which native code has plain pointers. */
    private final List<RocksObject> leased = new ArrayList<>();

    EnvOptionParts(EnvOptions options) {
        this.options = options;
    }

    static long from(DBOptions database) {
        try (Scratch _ = database.use()) {
            return Exports.ENV_OPTIONS_NEW_ENV_OPTIONS_J.call(database.nativeHandle_);
        }
    }

    /** The limiter of the database's options is used too. */
    void takeFrom(OptionParts database) {
        copied = true;
        try (Scratch entered = database.owner().use()) {
            lease(database.owner(), entered);
        }
    }

    /** Keeps the native options, and the limiters with them. */
    Held hold() {
        try (Scratch entered = options.use()) {
            return new Held(options, entered);
        }
    }

    private void lease(RocksObject part, Scratch entered) {
        part.lease(entered);
        leased.add(part);
    }

    static void dispose(EnvOptions options, long handle) {
        if (options.parts_.copied) {
            Exports.ENV_OPTIONS_DISPOSE_INTERNAL_JNI.call(handle);
        } else {
            CApi.rocksdb_envoptions_destroy(handle);
        }
        options.parts_.leased.forEach(RocksObject::release);
    }

    void setRateLimiter(RateLimiter limiter) {
        try (Scratch _ = options.use(); Scratch entered = limiter.use()) {
            Exports.ENV_OPTIONS_SET_RATE_LIMITER.call(options.nativeHandle_, limiter.nativeHandle_);
            lease(limiter, entered);
        }
        this.limiter = limiter;
    }

    RateLimiter rateLimiter() {
        try (Scratch _ = options.use()) {
            return limiter;
        }
    }
}
