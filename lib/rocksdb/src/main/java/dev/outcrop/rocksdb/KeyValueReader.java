package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads values, in four ways: into a new {@code byte[]}, into the caller's memory, pinned in RocksDB's memory, or in the cheaper of the
 * last two ways.
 *
 * <p>Of a wide-column entity, every method reads the value of the default column, which is empty if the entity has no such column:
 * RocksDB's C API cannot read the other columns.
 *
 * <p>Keys are bytes in one of three forms: a {@link MemorySegment}, native or on the heap; a {@code byte[]}; a {@link ByteBuffer}, direct
 * or not, from its position to its limit. The buffer's position does not change.
 *
 * <p>A missing key never causes an exception: methods that return an object return null for it, and methods that return a size return
 * {@link #NOT_FOUND}.
 *
 * <p>Thread-safe. Every method throws {@link RocksDBException} if RocksDB refuses or fails, {@link IllegalStateException} if the database
 * or a segment's arena is closed, {@link WrongThreadException} for a segment confined to another thread, and {@link NullPointerException}
 * for a null argument.
 */
public interface KeyValueReader {
    /** The result of a read that returns a size, if the key is not there. */
    int NOT_FOUND = -1;
    /** The result of {@link #keyMayExist(MemorySegment, MemorySegment)} for a key that may be there without its value in memory. */
    int MAY_EXIST = -2;

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
        Objects.requireNonNull(key, "key");
        return get(MemorySegment.ofBuffer(key));
    }

    /**
     * Reads a value into the caller's memory, if it fits. Takes one look-up and one native call, without any allocation, if the buffer is
     * native memory.
     *
     * @param key    the key
     * @param buffer where the value goes, from its first byte on; native or a heap array
     * @return the value's size in bytes, or {@link #NOT_FOUND}; if it is greater than {@code buffer.byteSize()}, nothing was copied
     * @throws IllegalArgumentException if the buffer is read-only
     */
    long get(MemorySegment key, MemorySegment buffer);

    /**
     * Reads a value into an array of the caller, see {@link #get(MemorySegment, MemorySegment)}.
     *
     * @param key    the key
     * @param buffer where the value goes, from index 0 on
     * @return the value's size in bytes, or {@link #NOT_FOUND}; if it is greater than {@code buffer.length}, nothing was copied
     */
    default long get(byte[] key, byte[] buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        return get(MemorySegment.ofArray(key), MemorySegment.ofArray(buffer));
    }

    /**
     * Reads a value into a buffer, from its position on, see {@link #get(MemorySegment, MemorySegment)}. If the value was copied, the
     * buffer's position is then behind the value.
     *
     * <p>Makes a segment for each of the two buffers, which leaves 144 bytes of garbage a call; use segments where speed counts.
     *
     * @param key    the key
     * @param buffer where the value goes; direct or not
     * @return the value's size in bytes, or {@link #NOT_FOUND}; if it is greater than {@code buffer.remaining()}, nothing was
     *         copied
     * @throws IllegalArgumentException if the buffer is read-only
     */
    default long get(ByteBuffer key, ByteBuffer buffer) {
        Objects.requireNonNull(key, "key");
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
     * @return the value, which this thread must close; null if the key is not there
     */
    @Nullable
    PinnedSlice getPinned(MemorySegment key);

    /**
     * Pins a value, see {@link #getPinned(MemorySegment)}.
     *
     * @param key the key
     * @return the value, which this thread must close; null if the key is not there
     */
    default @Nullable PinnedSlice getPinned(byte[] key) {
        Objects.requireNonNull(key, "key");
        return getPinned(MemorySegment.ofArray(key));
    }

    /**
     * Pins a value while a function runs. The function can use its segment until it returns, in this thread only.
     *
     * @param key    the key
     * @param reader receives the value; not called if the key is not there
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
     * Reads a value in the cheaper way for its size: copies a small value into the caller's memory, and pins a large one. The {@linkplain
     * PinnedSlice#segment() segment} of a copied value is a slice of {@code buffer}. Nearly always this takes one look-up, because the
     * sizes of earlier values predict which way it will be.
     *
     * @param key    the key
     * @param buffer native memory for a small value; 4 KiB is a good size. A heap segment works, but costs one more copy
     * @return the value, which this thread must close in both cases; null if the key is not there
     * @throws IllegalArgumentException if the buffer is read-only
     */
    @Nullable
    PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer);

    /**
     * Makes an iterator over the entries as they are now. The iterator is at no entry at first: seek, or move to the first or last entry.
     *
     * <p>Options for iterators, such as bounds, come from the {@link ReadOptions} that made this reader. Where a column family has a prefix
     * extractor, seeks may miss keys with another prefix, as RocksDB documents, unless {@link ReadOptions#totalOrderSeek(boolean)} or
     * {@link ReadOptions#autoPrefixMode(boolean)} is set.
     *
     * @return the iterator, which the caller must close; it stays usable after the database is closed
     * @throws RocksDBException if the options cannot be used for iterating
     */
    KeyValueIterator iterator();

    /**
     * Makes an iterator that cannot leave a range, over the entries as they are now. Where a column family has a prefix extractor, the
     * iterator still sees the whole range, unless {@link ReadOptions#prefixSameAsStart(boolean)} asks for less.
     *
     * @param range which keys; its direction does not matter, the iterator goes both ways
     * @return the iterator, which the caller must close; it stays usable after the database is closed
     * @throws RocksDBException         if the options cannot be used for iterating
     * @throws IllegalArgumentException if the range is not valid in the order of the column family
     */
    KeyValueIterator iterator(KeyRange range);

    /**
     * Makes a request to read many keys at once, of this column family and of others of the database, with the options of this reader. Keep
     * the request and use it again.
     *
     * @return a request without keys, which the caller must close
     */
    MultiGet multiGet();

    /**
     * Reads many values into new arrays. A kept {@link MultiGet} does the same without copies and garbage, and reports errors of single
     * keys.
     *
     * @param keys the keys
     * @return a new list with a value for each key, or null if it is not there
     * @throws RocksDBException as {@link #get(byte[])}, for any of the keys
     */
    default List<byte @Nullable []> multiGet(List<byte[]> keys) {
        Objects.requireNonNull(keys, "keys");
        try (MultiGet request = multiGet()) {
            request.expect(keys);
            for (byte[] key : keys) {
                request.add(key);
            }
            try (MultiGetValues values = request.execute()) {
                return values.toList();
            }
        }
    }

    /**
     * Returns whether a key may be there, as far as filters, memtables and the block cache can tell: nothing is read from files. Only "no"
     * is certain. RocksDB also returns false if the look-up in memory fails, for example because a merge cannot be carried out. Within a
     * transaction, this method reads the key.
     *
     * @param key the key
     * @return false if it is certainly not there
     */
    boolean keyMayExist(MemorySegment key);

    /**
     * Returns whether a key may be there, see {@link #keyMayExist(MemorySegment)}.
     *
     * @param key the key
     * @return false if it is certainly not there
     */
    default boolean keyMayExist(byte[] key) {
        Objects.requireNonNull(key, "key");
        return keyMayExist(MemorySegment.ofArray(key));
    }

    /**
     * Returns whether a key may be there, see {@link #keyMayExist(MemorySegment)}.
     *
     * @param key the key
     * @return false if it is certainly not there
     */
    default boolean keyMayExist(ByteBuffer key) {
        Objects.requireNonNull(key, "key");
        return keyMayExist(MemorySegment.ofBuffer(key));
    }

    /**
     * Finds out whether a key may be there, see {@link #keyMayExist(MemorySegment)}, and reads its value if the value is in memory.
     *
     * @param key    the key
     * @param buffer where the value goes, from its first byte on; native or a heap array
     * @return {@link #NOT_FOUND} if it is certainly not there; {@link #MAY_EXIST} if only a read can find out; otherwise the value's size
     *         in bytes: if it is greater than {@code buffer.byteSize()}, nothing was copied
     * @throws IllegalArgumentException if the buffer is read-only
     */
    long keyMayExist(MemorySegment key, MemorySegment buffer);

    /**
     * Finds out whether a key may be there, see {@link #keyMayExist(MemorySegment, MemorySegment)}.
     *
     * @param key    the key
     * @param buffer where the value goes, from index 0 on
     * @return as {@link #keyMayExist(MemorySegment, MemorySegment)}
     */
    default long keyMayExist(byte[] key, byte[] buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        return keyMayExist(MemorySegment.ofArray(key), MemorySegment.ofArray(buffer));
    }

    /**
     * Reads a value and the timestamp that it was written with: the newest one up to {@link ReadOptions#timestamp(byte[])}.
     *
     * @param key the key, without a timestamp
     * @return value and timestamp, or null if the key is not there
     * @throws RocksDBException with {@link Status.Code#INVALID_ARGUMENT} if the column family has no timestamps, or the options have
     *                          none; with {@link Status.Code#NOT_SUPPORTED} within transactions
     */
    default @Nullable TimestampedValue getTimestamped(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                "RocksDB's C API does not return the timestamps of values that are read from a "
                        + getClass().getSimpleName());
    }

    /**
     * Reads a value and its timestamp, see {@link #getTimestamped(MemorySegment)}.
     *
     * @param key the key, without a timestamp
     * @return value and timestamp, or null if the key is not there
     */
    default @Nullable TimestampedValue getTimestamped(byte[] key) {
        Objects.requireNonNull(key, "key");
        return getTimestamped(MemorySegment.ofArray(key));
    }

    /**
     * Reads many values and their timestamps, see {@link #getTimestamped(MemorySegment)}.
     *
     * @param keys the keys, without timestamps
     * @return a new list with value and timestamp for each key, or null if it is not there
     * @throws RocksDBException as {@link #getTimestamped(MemorySegment)}, for any of the keys
     */
    default List<@Nullable TimestampedValue> multiGetTimestamped(List<byte[]> keys) {
        ApiCall.requireElements("keys", keys);
        throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                "RocksDB's C API does not return the timestamps of values that are read from a "
                        + getClass().getSimpleName());
    }

    /**
     * Visits all entries in the order of their keys, as they were when the scan began.
     *
     * @param visitor sees each entry, and may end the scan
     */
    default void scan(ScanVisitor visitor) {
        scan(KeyRange.all(), visitor);
    }

    /**
     * Visits the entries of a range in its direction, as they were when the scan began. This is the fastest way to see many entries: it
     * makes no garbage if the visitor is inlined.
     *
     * @param range   which keys, and in which direction
     * @param visitor sees each entry, and may end the scan
     * @throws RocksDBException         if RocksDB fails before the end; the entries visited until then are correct
     * @throws IllegalArgumentException if the range is not valid in the order of the column family
     */
    void scan(KeyRange range, ScanVisitor visitor);

    /**
     * Returns the entries of a range in its direction, as they are now, as a stream of copies. Close the stream, unless you read it to its
     * end: it holds an iterator.
     *
     * @param range which keys, and in which direction
     * @return a stream that reads entries when they are needed
     * @throws RocksDBException         if the options cannot be used for iterating; later, the stream throws it if RocksDB fails
     * @throws IllegalArgumentException if the range is not valid in the order of the column family
     */
    default Stream<KeyValue> stream(KeyRange range) {
        return EntrySpliterator.stream(iterator(range), range.isReversed());
    }
}
