package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What can be read, and the four ways a value reaches the caller: as a new {@code byte[]}, in the caller's own memory, pinned in
 * RocksDB's memory, and the cheaper of the last two.
 *
 * <p>Keys are bytes in one of three forms: a {@link MemorySegment}, native or on the heap; a {@code byte[]}; a {@link ByteBuffer},
 * direct or not, of which the bytes from position to limit count and whose position stays where it is.
 *
 * <p>A key that is not there is never an exception: methods that return an object return null for it, methods that return a size
 * return {@link #NOT_FOUND}.
 *
 * <p>Thread-safe. Every method throws {@link RocksDBException} if RocksDB refuses or fails, {@link IllegalStateException} if the
 * database is closed or a segment's arena is, {@link WrongThreadException} for a segment confined to another thread, and
 * {@link NullPointerException} for a null argument.
 */
public interface KeyValueReader {
    /** What a read that returns a size returns for a key that is not there. */
    int NOT_FOUND = -1;

    /**
     * Reads a value into a new array.
     *
     * @param key the key
     * @return the value, or null if the key is not there
     * @throws RocksDBException with {@link Status.Code#NOT_SUPPORTED} if the value is longer than an array can be, 2 GB; read it
     *                          with {@link #getPinned(MemorySegment)} then
     */
    byte @Nullable [] get(byte[] key);

    /**
     * Reads a value into a new array, see {@link #get(byte[])}.
     *
     * @param key the key
     * @return the value, or null if the key is not there
     */
    byte @Nullable [] get(MemorySegment key);

    /**
     * Reads a value into a new array, see {@link #get(byte[])}.
     *
     * @param key the key
     * @return the value, or null if the key is not there
     */
    default byte @Nullable [] get(ByteBuffer key) {
        return get(MemorySegment.ofBuffer(key));
    }

    /**
     * Reads a value into the caller's memory, or learns how much is needed. One look-up and one native call, without any
     * allocation, if the buffer is native memory.
     *
     * @param key    the key
     * @param buffer where the value goes, from its first byte on; native or a heap array
     * @return the value's size in bytes, or {@link #NOT_FOUND}; if it is greater than {@code buffer.byteSize()}, nothing was copied
     * @throws IllegalArgumentException if the buffer is read-only
     */
    long get(MemorySegment key, MemorySegment buffer);

    /**
     * Reads a value into an array the caller has, see {@link #get(MemorySegment, MemorySegment)}.
     *
     * @param key    the key
     * @param buffer where the value goes, from index 0 on
     * @return the value's size in bytes, or {@link #NOT_FOUND}; if it is greater than {@code buffer.length}, nothing was copied
     */
    default long get(byte[] key, byte[] buffer) {
        return get(MemorySegment.ofArray(key), MemorySegment.ofArray(buffer));
    }

    /**
     * Reads a value into a buffer, from its position on, see {@link #get(MemorySegment, MemorySegment)}. If the value was copied,
     * the buffer's position is behind it afterwards.
     *
     * @param key    the key
     * @param buffer where the value goes; direct or not
     * @return the value's size in bytes, or {@link #NOT_FOUND}; if it is greater than {@code buffer.remaining()}, nothing was
     *         copied
     * @throws IllegalArgumentException if the buffer is read-only
     */
    default long get(ByteBuffer key, ByteBuffer buffer) {
        int room = buffer.remaining();
        long size = get(MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(buffer));
        if (size > 0 && size <= room) {
            buffer.position(buffer.position() + (int) size);
        }
        return size;
    }

    /**
     * Pins a value: the slice shows RocksDB's own memory, usually in the block cache, without a copy.
     *
     * @param key the key
     * @return the value, to be closed by this thread; null if the key is not there
     */
    @Nullable
    PinnedSlice getPinned(MemorySegment key);

    /**
     * Pins a value, see {@link #getPinned(MemorySegment)}.
     *
     * @param key the key
     * @return the value, to be closed by this thread; null if the key is not there
     */
    default @Nullable PinnedSlice getPinned(byte[] key) {
        return getPinned(MemorySegment.ofArray(key));
    }

    /**
     * Pins a value for as long as a function runs. The segment it gets can be used until it returns, in this thread only.
     *
     * @param key    the key
     * @param reader what to do with the value; not called if the key is not there
     * @param <R>    the type of its result
     * @return the function's result, or null if the key is not there
     */
    default <R extends @Nullable Object> @Nullable R getPinned(MemorySegment key,
            Function<? super MemorySegment, R> reader) {
        Objects.requireNonNull(reader, "reader");
        try (PinnedSlice slice = getPinned(key)) {
            return slice == null ? null : reader.apply(slice.segment());
        }
    }

    /**
     * Reads a value the cheaper way for its size: a small one is copied into the caller's memory, a large one is pinned. The
     * {@linkplain PinnedSlice#segment() segment} of the result is a slice of {@code buffer} in the first case. Nearly always this
     * takes one look-up, because the sizes read before foretell which way it will be.
     *
     * @param key    the key
     * @param buffer native memory for a small value; 4 KiB is a good size. A heap segment works, but costs one more copy
     * @return the value, to be closed by this thread in both cases; null if the key is not there
     * @throws IllegalArgumentException if the buffer is read-only
     */
    @Nullable
    PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer);

    /**
     * Makes an iterator over the entries as they are now. It is nowhere at first: seek, or go to the first or last entry.
     *
     * <p>Options that matter to iterators, such as bounds, are those of the {@link ReadOptions} that made this reader. Where a column
     * family has a prefix extractor, seeks may miss what has another prefix than their key, as RocksDB documents it, unless
     * {@link ReadOptions#totalOrderSeek(boolean)} or {@link ReadOptions#autoPrefixMode(boolean)} is set.
     *
     * @return the iterator, to be closed by the caller; it goes on after the database is closed
     * @throws RocksDBException if the options cannot be used for iterating
     */
    KeyValueIterator iterator();

    /**
     * Makes an iterator that cannot leave a range, over the entries as they are now. Where a column family has a prefix extractor, it
     * sees the whole range all the same, unless {@link ReadOptions#prefixSameAsStart(boolean)} asks for less.
     *
     * @param range which keys; its direction does not matter, the iterator goes both ways
     * @return the iterator, to be closed by the caller; it goes on after the database is closed
     * @throws RocksDBException         if the options cannot be used for iterating
     * @throws IllegalArgumentException if this is no range in the order of the column family
     */
    KeyValueIterator iterator(KeyRange range);

    /**
     * Visits all entries in the order of their keys, as they were when the scan began.
     *
     * @param visitor sees each entry, and may end the scan
     */
    default void scan(ScanVisitor visitor) {
        scan(KeyRange.all(), visitor);
    }

    /**
     * Visits the entries of a range in its direction, as they were when the scan began. The fastest way to see many entries: no
     * garbage is made if the visitor is inlined.
     *
     * @param range   which keys, and in which direction
     * @param visitor sees each entry, and may end the scan
     * @throws RocksDBException         if RocksDB fails before the end; what was visited until then was right
     * @throws IllegalArgumentException if this is no range in the order of the column family
     */
    void scan(KeyRange range, ScanVisitor visitor);

    /**
     * The entries of a range in its direction, as they are now, as a stream of copies. Close the stream, unless it is read to its end:
     * it holds an iterator.
     *
     * @param range which keys, and in which direction
     * @return a stream that reads as it goes
     * @throws RocksDBException         if the options cannot be used for iterating; later, the stream throws it if RocksDB fails
     * @throws IllegalArgumentException if this is no range in the order of the column family
     */
    default Stream<KeyValue> stream(KeyRange range) {
        return EntrySpliterator.stream(iterator(range), range.isReversed());
    }
}
