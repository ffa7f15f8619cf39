package dev.outcrop.queue;

import dev.outcrop.queue.internal.Nanos;
import java.time.Duration;
import java.util.Objects;

/**
 * When appended records go to the disk by themselves, for a queue or for single appends; see {@link Queue#with}. With every durability,
 * {@link Queue#sync()} waits until all records are on the disk.
 *
 * <p>A record counts as on the disk after these calls. On Linux, the call is {@code msync}, which makes the disk flush its own cache if the
 * file system does so. On macOS, {@code msync} does not do that, so {@code fcntl(F_FULLFSYNC)} follows, or {@code fsync} if the file system
 * has no such call. Without native access, the call is the JDK's {@code MappedByteBuffer.force}, which on macOS is {@code msync} alone.
 *
 * @param interval how long a record waits at most; {@link Duration#ZERO} for no wait
 * @param bytes    how many bytes wait at most, before the interval has passed; more than 0; 1 if the interval is zero
 */
public record Durability(Duration interval, long bytes) {
    /** Checks the values. */
    public Durability {
        Objects.requireNonNull(interval, "interval");
        if (interval.isNegative()) {
            throw new IllegalArgumentException("A record cannot wait for " + interval);
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes must be more than 0, not " + bytes);
        }
        if (interval.isZero()) {
            // No record waits, so the number means nothing. All such durabilities are equal.
            bytes = 1;
        }
    }

    private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

    /**
     * The operating system decides when to write. Appended records survive the end of the process, however it ends, but not a crash of the
     * machine. The default.
     */
    public static final Durability PAGE_CACHE = new Durability(NEVER, Long.MAX_VALUE);

    /**
     * Each append returns when its record is on the disk. Producers that append at the same time share one write to the disk. Loses
     * nothing.
     */
    public static final Durability SYNCED = new Durability(Duration.ZERO, 1);

    /**
     * Returns a durability with which a background thread writes the records since its last write, once they are old enough or have enough
     * bytes.
     *
     * @param interval how long a record waits at most, to some 100 µs; {@link Duration#ZERO} is {@link #SYNCED}
     * @param bytes    how many bytes wait at most; more than 0
     * @return a durability that loses no more than that when the machine crashes
     */
    public static Durability groupCommit(Duration interval, long bytes) {
        return new Durability(interval, bytes);
    }

    /** How long a record waits for others; {@link Long#MAX_VALUE} for never, or no limit. */
    long groupNanos() {
        return isPageCache() || isSynced() ? Long.MAX_VALUE : Nanos.of(interval);
    }

    boolean isSynced() {
        return interval.isZero();
    }

    boolean isPageCache() {
        return interval.equals(NEVER) && bytes == Long.MAX_VALUE;
    }
}
