package dev.outcrop.queue;

import dev.outcrop.queue.internal.Nanos;
import java.time.Duration;
import java.util.Objects;

/**
 * When appended records go to the disk by themselves: of a queue, or of single appends, see {@link Queue#with}. Whatever is chosen here,
 * {@link Queue#sync()} waits until all is on the disk.
 *
 * <p>On the disk is: on Linux, what {@code msync} has written, which has the disk flush its own cache if the file system does; on macOS,
 * where {@code msync} does not, what {@code fcntl(F_FULLFSYNC)} has flushed after it, or {@code fsync} if the file system has no such call.
 * Without native access it is what the JDK's {@code MappedByteBuffer.force} does, which on macOS is {@code msync} alone.
 *
 * @param interval how long a record waits at most; {@link Duration#ZERO} is: not at all
 * @param bytes    how many bytes wait at most, before the interval has passed; more than 0
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
    }

    private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

    /**
     * The operating system writes when it likes. Appended records survive the end of the process, however it ends, but not that of the
     * machine. The default.
     */
    public static final Durability PAGE_CACHE = new Durability(NEVER, Long.MAX_VALUE);

    /**
     * Each append returns when its record is on the disk. Producers that append at the same time share one write of the disk. Loses
     * nothing.
     */
    public static final Durability SYNCED = new Durability(Duration.ZERO, 1);

    /**
     * A background thread writes all that was appended since the last time, once it is old enough or enough.
     *
     * @param interval how long a record waits at most, to some 100 µs; {@link Duration#ZERO} is {@link #SYNCED}
     * @param bytes    how many bytes wait at most; more than 0
     * @return what loses no more than that when the machine stops
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
