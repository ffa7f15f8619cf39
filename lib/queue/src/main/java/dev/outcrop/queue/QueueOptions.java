package dev.outcrop.queue;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Options for opening a queue. The setters return this object; it is copied when a queue is opened with it. Not thread-safe. */
public final class QueueOptions {
    long segmentSize = 64L << 20;
    long maxBytes = Long.MAX_VALUE;
    long maxRecords = Long.MAX_VALUE;
    @Nullable
    Duration fullTimeout;
    Durability durability = Durability.PAGE_CACHE;
    Duration keepFor = Duration.ZERO;
    long keepBytes;
    boolean isBackground = true;
    ReadVerification readVerification = ReadVerification.FIRST_READ;

    /** Options with their defaults. */
    public QueueOptions() {
    }

    QueueOptions(QueueOptions other) {
        this.segmentSize = other.segmentSize;
        this.maxBytes = other.maxBytes;
        this.maxRecords = other.maxRecords;
        this.fullTimeout = other.fullTimeout;
        this.durability = other.durability;
        this.keepFor = other.keepFor;
        this.keepBytes = other.keepBytes;
        this.isBackground = other.isBackground;
        this.readVerification = other.readVerification;
    }

    /**
     * Sets the size of the files of a new queue; an existing queue keeps its own size. A record takes 24 bytes more than its payload, and
     * must fit into one file. The queue gives back only whole files. Each file that is kept is mapped, and Linux allows a process 65,530
     * mappings by default (vm.max_map_count). So use large files if many records may be waiting.
     *
     * @param bytes the size, a multiple of 4,096, from 8,192 to 1 GiB; 64 MiB by default
     * @return this
     * @throws IllegalArgumentException if it is not
     */
    public QueueOptions segmentSize(long bytes) {
        if (!QueueLayout.isSegmentSize(bytes)) {
            throw new IllegalArgumentException(
                    "segmentSize must be a multiple of 4096 from 8192 to " + QueueLayout.LARGEST_SEGMENT + ", not "
                            + bytes);
        }
        this.segmentSize = bytes;
        return this;
    }

    /**
     * Limits the bytes in the queue, from the first record that some group has not acknowledged to the end. These bytes include
     * acknowledged records in between, 24 bytes a record, padding to a multiple of 8, and the unused ends of files. If all records are
     * acknowledged, the queue takes one record of any size.
     *
     * @param bytes more than 0; no limit by default
     * @return this
     * @throws IllegalArgumentException if it is not
     */
    public QueueOptions maxBytes(long bytes) {
        this.maxBytes = requirePositive("maxBytes", bytes);
        return this;
    }

    /**
     * Limits the number of records in the queue, from the first record that some group has not acknowledged to the last. Acknowledged
     * records in between count too, so a record that is never acknowledged fills the queue. Without groups, all records that are kept
     * count.
     *
     * @param records more than 0; no limit by default
     * @return this
     * @throws IllegalArgumentException if it is not
     */
    public QueueOptions maxRecords(long records) {
        this.maxRecords = requirePositive("maxRecords", records);
        return this;
    }

    /**
     * Sets how long an append waits while the queue is full; then it throws {@link QueueFullException}.
     *
     * @param timeout not negative; {@link Duration#ZERO} rejects at once; by default an append waits without a limit
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public QueueOptions fullTimeout(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("fullTimeout must not be negative: " + timeout);
        }
        this.fullTimeout = timeout;
        return this;
    }

    /**
     * Sets when appended records go to the disk by themselves.
     *
     * @param durability {@link Durability#PAGE_CACHE} by default
     * @return this
     */
    public QueueOptions durability(Durability durability) {
        this.durability = Objects.requireNonNull(durability, "durability");
        return this;
    }

    /**
     * Keeps records that all groups have acknowledged for some time, so that they can be read again. The queue gives back a file of
     * acknowledged records when the youngest of them is older than this time. A queue without groups gives back records when they are
     * older, although no group has read them. With neither this nor {@link #keepBytes}, a queue without groups keeps all records.
     *
     * @param time not negative; {@link Duration#ZERO}, not at all, by default
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public QueueOptions keepFor(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative()) {
            throw new IllegalArgumentException("keepFor must not be negative: " + time);
        }
        this.keepFor = time;
        return this;
    }

    /**
     * Keeps at least this many bytes of the youngest records, whether or not all groups have acknowledged them, so that they can be read
     * again. A queue without groups gives back older records, although no group has read them; see {@link #keepFor}.
     *
     * @param bytes not negative; 0 by default
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public QueueOptions keepBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("keepBytes must not be negative: " + bytes);
        }
        this.keepBytes = bytes;
        return this;
    }

    /**
     * Sets whether the queue has its own background thread, which prepares the next file before it is needed, and gives files back even
     * while no thread uses the queue. Without this thread, appends prepare files, and a thread gives files back when it begins a file or
     * acknowledges the last record of one. Another thread writes to the disk for {@link Durability#groupCommit} and {@link Queue#async};
     * this option does not affect it.
     *
     * @param isBackground true by default
     * @return this
     */
    public QueueOptions backgroundThread(boolean isBackground) {
        this.isBackground = isBackground;
        return this;
    }

    /**
     * Sets when consumers compute the checksum of a record that they get.
     *
     * @param verification {@link ReadVerification#FIRST_READ} by default
     * @return this
     */
    public QueueOptions verifyReads(ReadVerification verification) {
        this.readVerification = Objects.requireNonNull(verification, "verification");
        return this;
    }

    private static long requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be more than 0, not " + value);
        }
        return value;
    }
}
