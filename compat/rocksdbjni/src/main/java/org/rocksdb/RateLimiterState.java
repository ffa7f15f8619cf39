package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** The state of a {@code RateLimiter} in Java. */
final class RateLimiterState {

    private final RateLimiter limiter;
    private boolean limitsBackups;
    /** The last known rate: options may use a closed limiter. */
    private long rate;

    RateLimiterState(RateLimiter limiter) {
        this.limiter = limiter;
    }

    /** Returns the rate, which an automatic limiter changes; of a closed limiter the last known one. */
    synchronized long rate() {
        if (limiter.isOwningHandle()) {
            rate = limiter.getBytesPerSecond();
        }
        return rate;
    }

    /**
     * Limits the rate of the limiter from now on, because backups copy files through a buffer of one burst. The limiter may be closed; the
     * caller keeps it in memory.
     */
    synchronized void limitBackups() {
        BackupOptionsState.checkBurst(burst());
        limitsBackups = true;
    }

    synchronized void setBytesPerSecond(long bytesPerSecond) {
        if (bytesPerSecond == 0) {
            throw new IllegalArgumentException(
                    "bytesPerSecond must not be 0, by which RocksDB would divide; a negative rate is no limit");
        }
        long before = limiter.getBytesPerSecond();
        try (Scratch _ = limiter.use()) {
            if (limitsBackups) {
                // Check this first: a backup may begin to copy a file at any moment.
                BackupOptionsState.checkBurst((long) ((double) burst() / before * bytesPerSecond));
            }
            RateLimiter.jniSetBytesPerSecond(limiter.nativeHandle_, bytesPerSecond);
            if (burst() == 0) {
                RateLimiter.jniSetBytesPerSecond(limiter.nativeHandle_, before);
                throw new IllegalArgumentException("A rate of " + bytesPerSecond + " bytes per second gives out less"
                        + " than a byte in each period of this limiter, and what waits for it would never end. Make a"
                        + " limiter with a longer period");
            }
            rate = bytesPerSecond;
        }
    }

    private long burst() {
        return RateLimiter.jniGetSingleBurstBytes(limiter.nativeHandle_);
    }
}
