package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.GrowingMemory;
import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reusable request for many keys. One thread may use it at a time. Its {@link PinTable} has the results, until the thread that executed
 * the request releases the table.
 */
/*
 * Keys lie in a row in native memory. They get addresses when the request is executed, because this memory moves when it grows. The keys
 * are copies, because the caller could free its own keys meanwhile.
 *
 * Each column family needs one call. The C function for all families together (rocksdb_multi_get_cf) copies every value into memory from
 * malloc, which costs more than the calls it saves.
 */
public final class MultiGetRequest {
    private static final int FIRST_KEYS = 16;

    /** How a request looks its keys up. */
    @FunctionalInterface
    public interface BatchedGet {
        /** Starts to use the object that is read, before anything else is entered. */
        default void begin() {
            // Any number of threads may read a database.
        }

        /** Ends what {@link #begin()} started. */
        default void end() {
            // Nothing was begun.
        }

        /**
         * Looks up keys of a column family, which is entered. All addresses are of arrays.
         *
         * @param slices a {@code rocksdb_slice_t} for each key
         * @param pins   receives a {@code rocksdb_pinnableslice_t *} for each key that exists; zeros before
         * @param errors receives a message for each key that cannot be read; zeros before
         */
        void lookUp(FamilyHandle family, long count, long slices, long pins, long errors, boolean isSorted);
    }

    private final DatabaseHandle store;
    private final FamilyHandle family;
    private final BatchedGet lookUps;
    /** Kept reachable for the native options. */
    private final Object options;
    private final @Nullable Lifetime snapshot;
    private final ExclusiveLifetime lifetime;
    private final GrowingMemory keys = new GrowingMemory();
    /** The end of each key in {@link #keys}. */
    private long[] ends = new long[FIRST_KEYS];
    private final KeyGroups groups = new KeyGroups();
    private final PinTable pins;
    private boolean isSorted;
    /** Made when the first key of a family with a comparator in Java is added. */
    private @Nullable KeySort sort;

    /**
     * A request.
     *
     * @param owner    the object that users close
     * @param family   of the database to read
     * @param options  keeps the native options of {@code lookUps} alive
     * @param snapshot of these options; null for the present
     */
    public MultiGetRequest(Object owner, FamilyHandle family, Object options, @Nullable Lifetime snapshot,
            BatchedGet lookUps) {
        this.lookUps = lookUps;
        this.store = family.database();
        this.family = family;
        this.options = options;
        this.snapshot = snapshot;
        this.pins = new PinTable(store);
        this.lifetime = new ExclusiveLifetime(owner, "multi-get request of " + family, this::free);
    }

    /** Returns the results of the last execution. */
    public PinTable pins() {
        return pins;
    }

    /** Adds a copy of a key; returns the reason if it cannot be read, or null. */
    public @Nullable NativeStatus add(FamilyHandle of, MemorySegment key) {
        long length = key.byteSize();
        lifetime.enter();
        try {
            NativeStatus problem = NativeCall.sizeProblem(length);
            if (problem != null) {
                return problem;
            }
            MemorySegment room = room(of, length);
            MemorySegment.copy(key, 0, room, end(), length);
            added(of, length);
            return null;
        } finally {
            lifetime.exit();
        }
    }

    public @Nullable NativeStatus add(FamilyHandle of, byte[] key) {
        int length = key.length;
        lifetime.enter();
        try {
            NativeStatus problem = NativeCall.sizeProblem(length);
            if (problem != null) {
                return problem;
            }
            MemorySegment room = room(of, length);
            MemorySegment.copy(key, 0, room, ValueLayout.JAVA_BYTE, end(), length);
            added(of, length);
            return null;
        } finally {
            lifetime.exit();
        }
    }

    /** Reserves memory for keys that will be added: growing with each key would copy the keys again and again. */
    public void expect(List<byte[]> added) {
        long length = 0;
        for (byte[] key : added) {
            length += Objects.requireNonNull(key, "one of keys").length;
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

    /** Returns memory with room behind the last key; nothing is added yet, because copying may fail. */
    private MemorySegment room(FamilyHandle of, long length) {
        if (sort == null && of.order instanceof CheckedComparator) {
            sort = new KeySort();
        }
        int count = groups.keys();
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        return keys.atLeast(end() + length);
    }

    private void added(FamilyHandle of, long length) {
        ends[groups.keys()] = end() + length;
        groups.add(of);
    }

    private long end() {
        return start(groups.keys());
    }

    private long start(int key) {
        return key == 0 ? 0 : ends[key - 1];
    }

    /** Sets whether the keys of each family are added in its order, which is checked. */
    public void sorted(boolean sorted) {
        lifetime.enter();
        try {
            isSorted = sorted;
        } finally {
            lifetime.exit();
        }
    }

    /** Removes all keys. */
    public void clear() {
        lifetime.enter();
        try {
            groups.clear();
        } finally {
            lifetime.exit();
        }
    }

    /** Returns the number of keys. */
    public int size() {
        lifetime.enter();
        try {
            return groups.keys();
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Looks all keys up.
     *
     * @param slab receives the values if there is room for all of them; otherwise they are pinned
     */
    public void run(@Nullable MemorySegment slab) {
        SlowReadEvent event = SlowReads.begin();
        lifetime.enter();
        try {
            guard();
            lookUps.begin();
            // If the table is in use, it belongs to open values, and must not be released.
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
                    pins.collect();
                    if (slab != null && pins.bytes() <= slab.byteSize()) {
                        pins.copyTo(slab);
                    } else {
                        pins.lease(scratch, groups);
                    }
                } catch (Throwable e) {
                    // Discarded before the scratch is closed: after that, a racing close() may free the database, with its blocks.
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
        // The guard was asked before the database was entered.
        try (Scratch _ = of.lifetime.enter()) {
            lookUps.lookUp(of, groups.start(group + 1) - from, pins.keysAddress(from), pins.pinsAddress(from),
                    pins.errorsAddress(from), isSorted || of.order instanceof CheckedComparator);
        }
    }

    /** Asks the guard before anything is entered, while an outer call can still be distinguished from this one. */
    private void guard() {
        if (store.guard.isNeeded()) {
            StackCheck.require(CallbackGuard.READING_MANY);
            for (int group = 0; group < groups.size(); group++) {
                store.guard.read(groups.family(group));
            }
        }
    }

    /** Checks that no key comes before the previous one of its family. */
    private void requireSorted(MemorySegment all) {
        for (int group = 0; group < groups.size(); group++) {
            UserComparator order = groups.family(group).order;
            for (int slot = groups.start(group) + 1; slot < groups.start(group + 1); slot++) {
                if (order.compare(pins.key(slot - 1, all), pins.key(slot, all)) > 0) {
                    throw new IllegalArgumentException("The keys should be sorted, but of those of the "
                            + groups.family(group) + " number " + (slot - groups.start(group))
                            + " comes before the one that was added before it");
                }
            }
        }
    }

    /** Frees the request after a running execution. Open values stay readable. Does nothing if it was closed before. */
    public void close() {
        lifetime.close();
    }

    private void free() {
        keys.free();
        pins.abandon();
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
