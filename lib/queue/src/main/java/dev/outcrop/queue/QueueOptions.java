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
     * Sets the size of the files of a new queue; an existing one keeps its own. A record takes 24 bytes more than its payload, must fit
     * into one file, and a file is given back as a whole. Each file that is kept is mapped, and Linux lets a process have 65,530 mappings
     * by default (vm.max_map_count): where much may be waiting, files should be large.
     *
     * @param bytes a multiple of 4,096, from 8,192 to 1 GiB; 64 MiB by default
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
     * Bounds the queue by the bytes from the first record that some group has not acknowledged up to the end, acknowledged ones between
     * them included: with 24 bytes a record and padding to a multiple of 8, and with the ends of files that nothing fitted into. If there
     * is no such record, one is taken whatever its size.
     *
     * @param bytes more than 0; no bound by default
     * @return this
     * @throws IllegalArgumentException if it is not
     */
    public QueueOptions maxBytes(long bytes) {
        this.maxBytes = requirePositive("maxBytes", bytes);
        return this;
    }

    /**
     * Bounds the queue by the number of records from the first one that some group has not acknowledged up to the last, acknowledged ones
     * between them included: one that is never acknowledged fills the queue. Without groups, all records that are kept count.
     *
     * @param records more than 0; no bound by default
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
     * @param timeout not negative; {@link Duration#ZERO} rejects at once; by default it waits for as long as it takes
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public QueueOptions fullTimeout(Duration timeout) {
        if (timeout.isNegative()) {
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
     * Keeps records that all groups have acknowledged for some time, to be read again. A file of records goes when the youngest of them is
     * older. Without groups there is nothing to acknowledge: then records go when they are older, though no group has
     * read them. With neither this nor {@link #keepBytes}, a queue without groups keeps all.
     *
     * @param time not negative; {@link Duration#ZERO}, not at all, by default
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public QueueOptions keepFor(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("keepFor must not be negative: " + time);
        }
        this.keepFor = time;
        return this;
    }

    /**
     * Keeps at least so many bytes of the youngest records, whether or not all groups have acknowledged them, to be read again. As long as
     * there are no groups, older ones go, though no group has read them; see {@link #keepFor}.
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
     * Sets whether the queue has a thread of its own, which prepares the next file before it is needed and gives files back, also while no
     * thread uses the queue. Without it, an append does the one, and beginning a file or acknowledging the last record of one does the
     * other. Writing to the disk for {@link Durability#groupCommit} and {@link Queue#async} is another thread's task, which is there either
     * way.
     *
     * @param isBackground true by default
     * @return this
     */
    public QueueOptions backgroundThread(boolean isBackground) {
        this.isBackground = isBackground;
        return this;
    }

    /**
     * Sets when consumers compute the checksum of a record that they are given.
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
