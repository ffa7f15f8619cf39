package dev.outcrop.queue;

import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A view of a record where it lies in the mapped file, without an object for each record. It reads numbers in the payload in place, as a
 * segment does, or copies the payload:
 *
 * <pre>{@code
 * consumer.visit(100, record -> {
 *     long id = record.get(ValueLayout.JAVA_LONG_UNALIGNED, 0); // in place
 *     long size = record.get(buffer);                           // copied
 *     consumer.acknowledge(record.offset());
 * });
 * }</pre>
 *
 * <p>It belongs to a consumer or a tailer, and shows one record after the other, so do not keep it. When it shows nothing, each method
 * throws {@link IllegalStateException}. In a thread other than the polling thread, each method throws {@link WrongThreadException}.
 */
/*
 * The payload is read by its address, guarded only by the owner, as the values of a MultiGet are. A thread sees its own id there only if it
 * wrote that itself, and has not ended the view since. The view ends before the file may be unmapped.
 */
public final class RecordView {
    /** No thread has this id. */
    private static final long NO_OWNER = 0;

    private final Supplier<MemorySegment> showing;
    private final Supplier<MemorySegment> around;
    private long owner = NO_OWNER;
    private MemorySegment memory = MemorySegment.NULL;
    private long start;
    /** The offset of the payload in the memory around it. */
    private long origin;
    private int size;
    private long offset;
    private long millis;
    private int checksum;
    private int deliveries;

    /**
     * Makes a view that shows nothing.
     *
     * @param showing makes a segment of the payload
     * @param around  lends the segment around the payload, see {@link #memory()}
     */
    RecordView(Supplier<MemorySegment> showing, Supplier<MemorySegment> around) {
        this.showing = showing;
        this.around = around;
    }

    /**
     * Shows a record to the calling thread, which has a lease on the segment until it calls {@link #end}. The memory around the payload
     * begins {@code before} bytes before it.
     */
    void show(SegmentFile in, int position, int length, long recordOffset, int delivered, long before) {
        start = in.payloadAt(position, length);
        memory = in.records();
        origin = before;
        size = length;
        offset = recordOffset;
        millis = in.time(position);
        checksum = in.checksum(position);
        deliveries = delivered;
        owner = Thread.currentThread().threadId();
    }

    /** Ends showing. */
    void end() {
        owner = NO_OWNER;
    }

    /**
     * Returns the offset of the record.
     *
     * @return its offset
     */
    public long offset() {
        requireShown();
        return offset;
    }

    /**
     * Returns when the record was appended.
     *
     * @return milliseconds since 1970-01-01 UTC, accurate to some 10 ms
     */
    public long time() {
        requireShown();
        return millis;
    }

    /**
     * Returns the stored checksum of the record, which covers its payload and its place in the queue. It tells whether a record of the same
     * offset is still the same record.
     *
     * @return any number
     */
    public int checksum() {
        requireShown();
        return checksum;
    }

    /**
     * Returns how often the record was delivered since the queue was opened or the group was last moved, this time included.
     *
     * @return at most 65,535; 1 for a tailer
     */
    public int deliveries() {
        requireShown();
        return deliveries;
    }

    /**
     * Returns the length of the payload.
     *
     * @return bytes
     */
    public int size() {
        requireShown();
        return size;
    }

    /**
     * Returns a byte of the payload, as {@link MemorySegment#get(ValueLayout.OfByte, long)}.
     *
     * @param layout the layout
     * @param at     where it is in the payload, from 0 on
     * @return the byte
     * @throws IndexOutOfBoundsException if the payload is too short
     */
    public byte get(ValueLayout.OfByte layout, long at) {
        return memory.get(layout, place(at, Byte.BYTES));
    }

    /**
     * Returns two bytes of the payload, as {@link MemorySegment#get(ValueLayout.OfShort, long)}.
     *
     * @param layout the layout; a payload begins at a multiple of 8
     * @param at     where they begin in the payload, from 0 on
     * @return the number that they are
     * @throws IllegalArgumentException  if the layout needs an alignment that the bytes do not have
     * @throws IndexOutOfBoundsException if the payload is too short
     */
    public short get(ValueLayout.OfShort layout, long at) {
        return memory.get(layout, place(at, Short.BYTES));
    }

    /**
     * Returns four bytes of the payload; see {@link #get(ValueLayout.OfShort, long)}.
     *
     * @param layout the layout
     * @param at     where they begin in the payload, from 0 on
     * @return the number that they are
     */
    public int get(ValueLayout.OfInt layout, long at) {
        return memory.get(layout, place(at, Integer.BYTES));
    }

    /**
     * Returns eight bytes of the payload; see {@link #get(ValueLayout.OfShort, long)}.
     *
     * @param layout the layout
     * @param at     where they begin in the payload, from 0 on
     * @return the number that they are
     */
    public long get(ValueLayout.OfLong layout, long at) {
        return memory.get(layout, place(at, Long.BYTES));
    }

    /**
     * Copies the payload into the caller's memory, or returns how much is needed.
     *
     * @param buffer the destination, from its first byte on; native memory or a heap array
     * @return the payload's size in bytes; if it is greater than {@code buffer.byteSize()}, nothing was copied
     * @throws IllegalArgumentException if the buffer is read-only
     */
    public int get(MemorySegment buffer) {
        requireShown();
        if (Objects.requireNonNull(buffer, "buffer").isReadOnly()) {
            throw new IllegalArgumentException("A record cannot be copied to memory that is read-only: " + buffer);
        }
        if (size <= buffer.byteSize()) {
            MemorySegment.copy(memory, start, buffer, 0, size);
        }
        return size;
    }

    /**
     * Returns the payload as a segment. Each call makes an object, and the first call of a poll in each file makes another one.
     *
     * @return read-only, for this thread; it ends with the poll that has found the record, or before
     */
    public MemorySegment segment() {
        requireShown();
        return showing.get();
    }

    /**
     * Returns the memory that the payload lies in, with other records around it. It is for methods that take a part of a segment without a
     * slice, such as the methods of a write batch, so no object is made for a record. A consumer lends the same segment for all records of
     * a poll that are in one file, a tailer one for each record.
     *
     * <pre>{@code
     * MemorySegment in = record.memory();
     * batch.put(in, record.at(0, 8), 8, in, record.at(8, 100), 100);
     * }</pre>
     *
     * @return read-only, for this thread; it ends with the poll that has found the record, or before. Take each place in the memory from
     *         {@link #at}, which checks that the place is in the payload
     */
    public MemorySegment memory() {
        requireShown();
        return around.get();
    }

    /**
     * Returns where a part of the payload begins in {@link #memory()}.
     *
     * @param from   where it begins in the payload, from 0 on
     * @param length how many bytes it has
     * @return its offset in that memory
     * @throws IndexOutOfBoundsException if the payload does not have all of it
     */
    public long at(long from, long length) {
        requireShown();
        return origin + Objects.checkFromIndexSize(from, length, size);
    }

    private long place(long at, int bytes) {
        requireShown();
        return start + Objects.checkFromIndexSize(at, bytes, size);
    }

    private void requireShown() {
        if (owner != Thread.currentThread().threadId()) {
            throw refusal();
        }
    }

    private RuntimeException refusal() {
        return owner == NO_OWNER
                ? new IllegalStateException("This view no longer shows a record: it ends when its visitor returns,"
                        + " or its tailer goes on. Copy what is needed later")
                : new WrongThreadException("This view shows a record to another thread");
    }

    /** Names the record that it shows. */
    @Override
    public String toString() {
        return owner == NO_OWNER ? "view of no record" : "view of record " + offset + ", " + size + " bytes";
    }
}
