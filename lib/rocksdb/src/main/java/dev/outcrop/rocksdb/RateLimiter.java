package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits how many bytes flushes and compactions write in a second, so that they leave room for others. Any number of databases may
 * share one. There is nothing to close. Thread-safe.
 */
public final class RateLimiter extends SharedObject {
    /** The default period after which new bytes are given out. */
    public static final Duration DEFAULT_REFILL_PERIOD = Duration.ofMillis(100);
    /** The default fairness: one of this many turns goes to requests of a lower priority. */
    public static final int DEFAULT_FAIRNESS = 10;
    /** The factor by which an automatic limit may go below its greatest value (util/rate_limiter.cc). */
    private static final int RANGE_OF_AUTOMATIC = 20;

    /** With less, a database writes next to nothing. */
    private static final long LEAST_BYTES_PER_SECOND = 1000;

    private RateLimiter(LongSupplier create) {
        super(create, CApi::rocksdb_ratelimiter_destroy);
    }

    /**
     * Limits the rate of writes.
     *
     * @param bytesPerSecond at least 1,000
     * @return the limiter
     * @throws IllegalArgumentException if the limit is too low
     */
    public static RateLimiter of(long bytesPerSecond) {
        long micros = check(bytesPerSecond, DEFAULT_REFILL_PERIOD, DEFAULT_FAIRNESS, false);
        return new RateLimiter(() -> CApi.rocksdb_ratelimiter_create(bytesPerSecond, micros, DEFAULT_FAIRNESS));
    }

    /**
     * Limits the rate of writes, and adapts the limit to the demand.
     *
     * @param mostBytesPerSecond the greatest limit, at least 1,000
     * @return the limiter
     * @throws IllegalArgumentException if the limit is too low
     */
    public static RateLimiter autoTuned(long mostBytesPerSecond) {
        long micros = check(mostBytesPerSecond, DEFAULT_REFILL_PERIOD, DEFAULT_FAIRNESS, true);
        return new RateLimiter(
                () -> CApi.rocksdb_ratelimiter_create_auto_tuned(mostBytesPerSecond, micros, DEFAULT_FAIRNESS));
    }

    /**
     * Limits the rate of reads, writes or both.
     *
     * @param bytesPerSecond the limit, or the greatest one if it is tuned automatically; at least 1,000
     * @param refillPeriod   how often new bytes are given out, from a microsecond to an hour; longer periods let larger bursts through
     * @param fairness       one of this many turns goes to requests of a lower priority; from 1 to 100
     * @param mode           the kinds of requests that are limited
     * @param autoTuned      whether the limit falls while little is waiting
     * @return the limiter
     * @throws IllegalArgumentException if a value is out of its range, or if the limit is so low that not even a byte would be given
     *                                  out in a period
     */
    public static RateLimiter of(long bytesPerSecond, Duration refillPeriod, int fairness, RateLimiterMode mode,
            boolean autoTuned) {
        Objects.requireNonNull(refillPeriod, "refillPeriod");
        Objects.requireNonNull(mode, "mode");
        long micros = check(bytesPerSecond, refillPeriod, fairness, autoTuned);
        int number = mode.value();
        return new RateLimiter(
                () -> NativeResources.newRateLimiter(bytesPerSecond, micros, fairness, number, autoTuned));
    }

    /** RocksDB checks none of this in a release build: it divides by zeros, and waits without end for bytes that never come. */
    private static long check(long bytesPerSecond, Duration refillPeriod, int fairness, boolean autoTuned) {
        OptionValues.inRange("fairness", fairness, 1, 100);
        OptionValues.inRange("rate_bytes_per_sec", bytesPerSecond, LEAST_BYTES_PER_SECOND, Long.MAX_VALUE);
        long micros = OptionValues.inRange("The refill period in microseconds",
                OptionValues.microseconds("The refill period", refillPeriod), 1, TimeUnit.HOURS.toMicros(1));
        double least = (double) bytesPerSecond / (autoTuned ? RANGE_OF_AUTOMATIC : 1) * micros / 1_000_000;
        if (least < 1) {
            throw new IllegalArgumentException("A rate limit of " + bytesPerSecond + " bytes per second"
                    + (autoTuned ? ", automatically lowered to a twentieth," : "")
                    + " gives out less than a byte in each period of " + refillPeriod + "; raise either");
        }
        return micros;
    }
}
