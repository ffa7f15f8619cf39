package dev.outcrop.queue;

/**
 * When consumers compute the checksum of a record that they are given, and compare it with the one that was written. Opening a queue,
 * {@link QueueFiles#verify} and a {@link Tailer} always do.
 *
 * <p>Under both, each poll looks at every page of what it delivers before: a page that cannot be read, because its sector is bad or
 * the file was cut off, is a {@link QueueCorruptException}. If that comes about only while a record is in a consumer's hands,
 * accessing the payload throws {@link InternalError}; but a function that is not Java, or one that the JIT compiler replaces by such, as
 * {@link java.util.zip.CRC32C} is, ends the process. Who cannot exclude that copies the payload first, with
 * {@link java.lang.foreign.MemorySegment#copy}.
 */
public enum ReadVerification {
    /**
     * Records that came from the disk, once: a record that was there when the queue was opened is checked when a consumer is given it for the first
     * time, of whichever group. One that was appended since is not, because this process has written it and its checksum itself. So a bit
     * that flipped while the queue was closed is always found. One that flips while it is open, in memory or in a page that the system has
     * dropped and read again, is not, until the queue is opened the next time.
     */
    FIRST_READ,
    /** Each time that a record is delivered. Costs about as much as reading all of it once more. */
    ALWAYS
}
