package dev.outcrop.queue;

/**
 * When consumers compute the checksum of a record that they get, and compare it with the written checksum. Opening a queue,
 * {@link QueueFiles#verify} and a {@link Tailer} always do so.
 *
 * <p>With both values, each poll first touches every page of the records that it delivers. It throws {@link QueueCorruptException} if a
 * page cannot be read, because its sector is bad or the file was truncated. If a page becomes unreadable only while a consumer holds the
 * record, accessing the payload throws {@link InternalError}. But a native function, or a Java method that the JIT compiler replaces by
 * native code, such as {@link java.util.zip.CRC32C}, ends the process. To exclude that, copy the payload first, with
 * {@link java.lang.foreign.MemorySegment#copy}.
 */
public enum ReadVerification {
    /**
     * Once, for records that came from the disk: a record that was there when the queue was opened is checked when the first consumer of
     * any group gets it. A record that was appended since is not checked, because this process has written it and its checksum itself. So a
     * bit that flipped while the queue was closed is always found. A bit that flips while the queue is open, in memory or in a page that
     * the system has dropped and read again, is not found until the queue is opened the next time.
     */
    FIRST_READ,
    /** Each time that a record is delivered. Costs about as much as reading all of it once more. */
    ALWAYS
}
