package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.GrowingMemory;
import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.internal.FamilyHandle;
import dev.outcrop.rocksdb.internal.KeyGroups;
import dev.outcrop.rocksdb.internal.KeySort;
import dev.outcrop.rocksdb.internal.KeysLookUp;
import dev.outcrop.rocksdb.internal.PinTable;
import dev.outcrop.rocksdb.internal.SlowReadEvent;
import dev.outcrop.rocksdb.internal.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.internal.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.internal.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.internal.callbacks.KeyOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads many keys at once, of one column family or of several: RocksDB looks up keys together that lie in the same files, which is
 * faster than one by one. Made to be kept and used again; after the first times it allocates nothing.
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
 * <p>Keys are copied when they are added. Values come in the order of the keys, and a key may be there twice. The keys of one column
 * family are all read from the same state of the database; column families are read one after another, so give
 * {@link ReadOptions#snapshot(Snapshot)} where they must agree while others write.
 *
 * <p>Only one thread at a time may use a request, but threads may take turns; a second one that meets the first gets
 * {@link IllegalStateException}. The values of an execution belong to the thread that executed.
 *
 * <p>RocksDB reads blocks of several files at the same time with {@link ReadOptions#asyncIo(boolean)}, where the library was built for
 * it.
 */
/*
 * Keys lie one behind another in native memory; addresses are made of them when the request is executed, because that memory moves
 * when it grows. They are not read in place, though that would save a copy: the caller could free them meanwhile.
 *
 * Several column families take a call each. The C function that takes them all in one (rocksdb_multi_get_cf) copies every value into
 * memory from malloc, which costs more than the calls it saves.
 */
public final class MultiGet implements AutoCloseable {
    private static final int FIRST_KEYS = 16;

    private final Store store;
    private final Family family;
    private final KeysLookUp lookUps;
    /** Kept for the native options, see the fence. */
    private final ReadOptions options;
    private final @Nullable Snapshot snapshot;
    private final int timestampSize;
    private final ExclusiveLifetime lifetime;
    private final GrowingMemory keys = new GrowingMemory();
    /** Where each key ends in {@link #keys}, and the next one begins. */
    private long[] ends = new long[FIRST_KEYS];
    private final KeyGroups groups = new KeyGroups();
    private final PinTable pins;
    /** The same object for all executions: a new one would be garbage unless the JIT compiler removed it. */
    private final MultiGetValues values;
    private boolean isSorted;
    /** Made when the first key of a family with a comparator in Java is added. */
    private @Nullable KeySort sort;

    MultiGet(Family family, ReadOptions options, KeysLookUp lookUps) {
        this.lookUps = lookUps;
        this.store = family.store;
        this.family = family;
        this.options = options;
        this.snapshot = options.snapshot();
        this.timestampSize = options.timestampSize();
        this.pins = new PinTable(store);
        this.values = new MultiGetValues(pins);
        this.lifetime = new ExclusiveLifetime(this, "multi-get request of " + family, this::free);
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
        return add(family, key);
    }

    /**
     * Adds a key, see {@link #add(MemorySegment)}.
     *
     * @param key the key; copied
     * @return this
     */
    public MultiGet add(byte[] key) {
        return add(family, key);
    }

    /**
     * Adds a key, see {@link #add(MemorySegment)}.
     *
     * @param key the key, from position to limit; copied
     * @return this
     */
    public MultiGet add(ByteBuffer key) {
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
        return add(store.own(columnFamily), key);
    }

    /**
     * Adds a key of another column family, see {@link #add(ColumnFamily, MemorySegment)}.
     *
     * @param columnFamily of the same database
     * @param key          the key; copied
     * @return this
     */
    public MultiGet add(ColumnFamily columnFamily, byte[] key) {
        return add(store.own(columnFamily), key);
    }

    /**
     * Adds a key of another column family, see {@link #add(ColumnFamily, MemorySegment)}.
     *
     * @param columnFamily of the same database
     * @param key          the key, from position to limit; copied
     * @return this
     */
    public MultiGet add(ColumnFamily columnFamily, ByteBuffer key) {
        return add(store.own(columnFamily), MemorySegment.ofBuffer(key));
    }

    private MultiGet add(Family of, MemorySegment key) {
        long length = key.byteSize();
        lifetime.enter();
        try {
            MemorySegment room = room(of, length);
            MemorySegment.copy(key, 0, room, end(), length);
            added(of, length);
        } finally {
            lifetime.exit();
        }
        return this;
    }

    private MultiGet add(Family of, byte[] key) {
        int length = key.length;
        lifetime.enter();
        try {
            MemorySegment room = room(of, length);
            MemorySegment.copy(key, 0, room, ValueLayout.JAVA_BYTE, end(), length);
            added(of, length);
        } finally {
            lifetime.exit();
        }
        return this;
    }

    /** Takes memory for keys that will be added, at once: growing with them means copying them again and again. */
    void expect(List<byte[]> added) {
        long length = 0;
        for (byte[] key : added) {
            length += key.length;
        }
        lifetime.enter();
        try {
            if (ends.length < added.size()) {
                ends = new long[added.size()];
            }
            groups.expect(added.size());
            keys.atLeast(length);
        } finally {
            lifetime.exit();
        }
    }

    /** Memory with room behind the last key; nothing is added yet, because copying may fail. */
    private MemorySegment room(Family of, long length) {
        Native.requireSize(length);
        Timestamps.requireFit(of, timestampSize);
        if (sort == null && of.order instanceof CheckedComparator) {
            sort = new KeySort();
        }
        int count = groups.keys();
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        return keys.atLeast(end() + length);
    }

    private void added(Family of, long length) {
        ends[groups.keys()] = end() + length;
        groups.add(of);
    }

    private long end() {
        return start(groups.keys());
    }

    private long start(int key) {
        return key == 0 ? 0 : ends[key - 1];
    }

    /**
     * Says whether the keys of each column family are added in its order, which saves RocksDB sorting them. It is checked, because
     * RocksDB would not find all of them otherwise.
     *
     * @param sorted false if not set
     * @return this
     * @throws IllegalStateException if this request is closed, or used by another thread at this moment
     */
    public MultiGet sorted(boolean sorted) {
        lifetime.enter();
        try {
            isSorted = sorted;
        } finally {
            lifetime.exit();
        }
        return this;
    }

    /**
     * Forgets the keys. Values that are still open stay as they are.
     *
     * @return this
     * @throws IllegalStateException if this request is closed, or used by another thread at this moment
     */
    public MultiGet clear() {
        lifetime.enter();
        try {
            groups.clear();
        } finally {
            lifetime.exit();
        }
        return this;
    }

    /**
     * How many keys there are.
     *
     * @return the number of keys that were added since the last {@link #clear()}
     * @throws IllegalStateException if this request is closed, or used by another thread at this moment
     */
    public int size() {
        lifetime.enter();
        try {
            return groups.keys();
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Reads the values of all keys, and pins them. The keys stay and can be read again.
     *
     * @return the values, to be closed by this thread before the next execution: always the same object. What is wrong with a single key
     *         is told there
     * @throws IllegalStateException    if this request is closed or used by another thread at this moment, if the database is closed or
     *                                  a column family dropped, or if the values of the last execution are open
     * @throws IllegalArgumentException if the keys were said to be sorted and are not
     */
    public MultiGetValues execute() {
        Headroom.require(CallbackGuard.MAKING);
        run(null);
        return values.open(null);
    }

    /**
     * Reads the values of all keys into the caller's memory, one behind another in the order of the keys, if there is room for all of
     * them. Otherwise nothing is copied, and they are pinned as by {@link #execute()}; {@link MultiGetValues#isPinned()} tells.
     *
     * @param slab where the values go; native or on the heap
     * @return the values, to be closed by this thread before the next execution in both cases
     * @throws IllegalArgumentException if {@code slab} is read-only, or the keys were said to be sorted and are not
     * @throws IllegalStateException    as {@link #execute()}, and if the arena of {@code slab} is closed
     * @throws WrongThreadException     if {@code slab} is confined to another thread
     */
    public MultiGetValues execute(MemorySegment slab) {
        Native.requireWritable(slab);
        // There may be no value to copy, and then nothing else would look at the segment.
        Native.requireAccessible(slab);
        Headroom.require(CallbackGuard.MAKING);
        run(slab);
        return values.open(pins.isLeased() ? null : slab);
    }

    private void run(@Nullable MemorySegment slab) {
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        lifetime.enter();
        try {
            guard();
            lookUps.begin();
            // A table that is in use belongs to values that are open: it is not this call's to release.
            boolean isClaimed = pins.claim();
            try (Scratch scratch = store.enter(); Scratch _ = snapshot == null ? null : snapshot.enter()) {
                if (!isClaimed) {
                    throw new IllegalStateException("The values of the last execution of the " + lifetime
                            + " are still open; close them before the next one");
                }
                CallbackFailures.forget();
                int count = groups.keys();
                MemorySegment all = keys.atLeast(0);
                long address = all.address();
                int[] slots = groups.arrange();
                pins.prepare(count, slots);
                setKeys(count, address);
                if (isSorted) {
                    requireSorted(all);
                } else if (sort != null) {
                    pins.reorder(sort.sort(groups, pins, all, slots));
                    setKeys(count, address);
                }
                try {
                    for (int group = 0; group < groups.size(); group++) {
                        lookUp(group);
                    }
                    CallbackFailures.rethrow();
                    pins.collect(scratch);
                    if (slab != null && pins.bytes() <= slab.byteSize()) {
                        pins.copyTo(slab);
                    } else {
                        pins.lease(scratch, groups);
                    }
                } catch (Throwable e) {
                    // Before the scratch goes: after it a racing close() may have freed the database, and blocks with it.
                    pins.discard();
                    throw e;
                }
            } catch (Throwable e) {
                if (isClaimed) {
                    pins.release();
                }
                throw e;
            } finally {
                lookUps.end();
                if (event != null) {
                    event.end(groups.size() == 1 ? groups.family(0) : family, groups.size(), groups.keys(), end());
                }
            }
        } finally {
            lifetime.exit();
            Reference.reachabilityFence(options);
        }
    }

    private void setKeys(int count, long address) {
        for (int key = 0; key < count; key++) {
            long start = start(key);
            pins.setKey(pins.slot(key), address + start, ends[key] - start);
        }
    }

    private void lookUp(int group) {
        FamilyHandle of = groups.family(group);
        int from = groups.start(group);
        // Guarded before the store was entered.
        try (Scratch _ = of.lifetime.enter()) {
            lookUps.lookUp(of, groups.start(group + 1) - from, pins.keysAddress(from), pins.pinsAddress(from),
                    pins.errorsAddress(from), isSorted || of.order instanceof CheckedComparator);
        }
    }

    /** Asks before anything is entered, because then it could not be told any more from a call that this one is inside of. */
    private void guard() {
        if (store.guard.isNeeded()) {
            Headroom.require(CallbackGuard.READING_MANY);
            for (int group = 0; group < groups.size(); group++) {
                store.guard.read(groups.family(group));
            }
        }
    }

    /** Compares the keys of each family with the one before. */
    private void requireSorted(MemorySegment all) {
        for (int group = 0; group < groups.size(); group++) {
            KeyOrder order = groups.family(group).order;
            for (int slot = groups.start(group) + 1; slot < groups.start(group + 1); slot++) {
                if (order.compare(pins.key(slot - 1, all), pins.key(slot, all)) > 0) {
                    throw new IllegalArgumentException("The keys were said to be sorted, but of those of the "
                            + groups.family(group) + " number " + (slot - groups.start(group))
                            + " comes before the one that was added before it");
                }
            }
        }
    }

    /** Frees the request, after the execution that is running. Values that are open stay readable. Does nothing if it was closed before. */
    @Override
    public void close() {
        lifetime.close();
    }

    private void free() {
        keys.free();
        pins.abandon();
    }

    /** The request's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
