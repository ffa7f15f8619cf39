package dev.outcrop.rocksdb;

import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.MultiGetRequest;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * Reads many keys at once, of one column family or of several: RocksDB looks up keys of the same files together, which is faster than one
 * by one. Keep a request and use it again: after the first times it allocates nothing.
 *
 * <pre>{@code
 * try (MultiGet request = db.multiGet()) {
 *     request.add(key).add(other).add(users, third);
 *     try (MultiGetValues values = request.execute()) {
 *         for (int i = 0; i < values.size(); i++) {
 *             long size = values.get(i, buffer);   // copied; or, in place, values.get(i, ValueLayout.JAVA_BYTE, 0)
 *             MemorySegment value = values.get(i); // shown; null if the key is not there
 *         }
 *     }
 *     request.clear(); // and so on with other keys
 * }
 * }</pre>
 *
 * <p>Keys are copied when they are added. Values come in the order of the keys, and a request may have a key twice. The keys of one column
 * family are all read from the same state of the database; RocksDB reads column families one after another, so set {@link
 * ReadOptions#snapshot(Snapshot)} if they must agree while others write.
 *
 * <p>Only one thread at a time may use a request, but threads may take turns; a second thread at the same moment gets {@link
 * IllegalStateException}. The values of an execution belong to the thread that called {@code execute}.
 *
 * <p>RocksDB reads blocks of several files at the same time with {@link ReadOptions#asyncIo(boolean)}, where the library was built for
 * it.
 */
public final class MultiGet implements AutoCloseable {
    private final OpenDatabase database;
    private final Family family;
    private final int timestampSize;
    private final MultiGetRequest request;
    /** The same object for all executions: a new one would be garbage unless the JIT compiler removed it. */
    private final MultiGetValues values;

    MultiGet(Family family, ReadOptions options, MultiGetRequest.BatchedGet lookUps) {
        this.database = family.database;
        this.family = family;
        this.timestampSize = options.timestampSize();
        Snapshot snapshot = options.snapshot();
        this.request = new MultiGetRequest(this, family, options, snapshot == null ? null : snapshot.lifetime(),
                lookUps);
        this.values = new MultiGetValues(request.pins());
    }

    /**
     * Adds a key of the column family that this request was made for.
     *
     * @param key the key; copied
     * @return this
     * @throws RocksDBException      with {@link Status.Code#INVALID_ARGUMENT} if the column family needs a
     *                               {@linkplain ReadOptions#timestamp(byte[]) timestamp} and the options of this request have none
     * @throws IllegalStateException if this request is closed, or used by another thread at this moment
     */
    public MultiGet add(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return add(family, key);
    }

    /**
     * Adds a key, see {@link #add(MemorySegment)}.
     *
     * @param key the key; copied
     * @return this
     */
    public MultiGet add(byte[] key) {
        Objects.requireNonNull(key, "key");
        return add(family, key);
    }

    /**
     * Adds a key, see {@link #add(MemorySegment)}.
     *
     * @param key the key, from position to limit; copied
     * @return this
     */
    public MultiGet add(ByteBuffer key) {
        Objects.requireNonNull(key, "key");
        return add(family, MemorySegment.ofBuffer(key));
    }

    /**
     * Adds a key of another column family.
     *
     * @param columnFamily of the same database
     * @param key          the key; copied
     * @return this
     * @throws IllegalArgumentException if the column family belongs to another database
     * @throws IllegalStateException    if this request is closed, or used by another thread at this moment
     */
    public MultiGet add(ColumnFamily columnFamily, MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return add(database.own(columnFamily), key);
    }

    /**
     * Adds a key of another column family, see {@link #add(ColumnFamily, MemorySegment)}.
     *
     * @param columnFamily of the same database
     * @param key          the key; copied
     * @return this
     */
    public MultiGet add(ColumnFamily columnFamily, byte[] key) {
        Objects.requireNonNull(key, "key");
        return add(database.own(columnFamily), key);
    }

    /**
     * Adds a key of another column family, see {@link #add(ColumnFamily, MemorySegment)}.
     *
     * @param columnFamily of the same database
     * @param key          the key, from position to limit; copied
     * @return this
     */
    public MultiGet add(ColumnFamily columnFamily, ByteBuffer key) {
        Objects.requireNonNull(key, "key");
        return add(database.own(columnFamily), MemorySegment.ofBuffer(key));
    }

    private MultiGet add(Family of, MemorySegment key) {
        of.requireReadTimestamp(timestampSize);
        ApiCall.check(request.add(of, key));
        return this;
    }

    private MultiGet add(Family of, byte[] key) {
        of.requireReadTimestamp(timestampSize);
        ApiCall.check(request.add(of, key));
        return this;
    }

    /** Reserves memory for keys that will be added. */
    void expect(List<byte[]> added) {
        request.expect(added);
    }

    /**
     * Sets whether the keys of each column family are added in its order, so that RocksDB need not sort them. The order is checked, because
     * RocksDB would not find all keys otherwise.
     *
     * @param sorted whether they are sorted; false by default
     * @return this
     * @throws IllegalStateException if this request is closed, or used by another thread at this moment
     */
    public MultiGet sorted(boolean sorted) {
        request.sorted(sorted);
        return this;
    }

    /**
     * Forgets the keys. Values that are still open stay as they are.
     *
     * @return this
     * @throws IllegalStateException if this request is closed, or used by another thread at this moment
     */
    public MultiGet clear() {
        request.clear();
        return this;
    }

    /**
     * Returns the number of keys.
     *
     * @return the number of keys that were added since the last {@link #clear()}
     * @throws IllegalStateException if this request is closed, or used by another thread at this moment
     */
    public int size() {
        return request.size();
    }

    /**
     * Reads the values of all keys, and pins them. The keys stay and can be read again.
     *
     * @return the values: always the same object, which this thread must close before the next execution. It has the errors of single keys
     * @throws IllegalStateException    if this request is closed or used by another thread at this moment, if the database is closed or
     *                                  a column family dropped, or if the values of the last execution are open
     * @throws IllegalArgumentException if the keys were said to be sorted and are not
     */
    public MultiGetValues execute() {
        StackCheck.require(CallbackGuard.MAKING);
        request.run(null);
        return values.open(null);
    }

    /**
     * Reads the values of all keys into the caller's memory, one after another in the order of the keys, if there is room for all of them.
     * Otherwise this method copies nothing and pins the values, like {@link #execute()}; see {@link MultiGetValues#isPinned()}.
     *
     * @param slab where the values go; native or on the heap
     * @return the values, which this thread must close before the next execution in both cases
     * @throws IllegalArgumentException if {@code slab} is read-only, or the keys were said to be sorted and are not
     * @throws IllegalStateException    as {@link #execute()}, and if the arena of {@code slab} is closed
     * @throws WrongThreadException     if {@code slab} is confined to another thread
     */
    public MultiGetValues execute(MemorySegment slab) {
        Objects.requireNonNull(slab, "slab");
        ApiCall.requireWritable(slab);
        // If there is no value to copy, nothing else checks the segment.
        ApiCall.requireAccessible(slab);
        StackCheck.require(CallbackGuard.MAKING);
        request.run(slab);
        return values.open(request.pins().isLeased() ? null : slab);
    }

    /** Frees the request, after a running execution. Open values stay readable. Does nothing if it was closed before. */
    @Override
    public void close() {
        request.close();
    }

    /** The request's name, for messages. */
    @Override
    public String toString() {
        return request.toString();
    }
}
