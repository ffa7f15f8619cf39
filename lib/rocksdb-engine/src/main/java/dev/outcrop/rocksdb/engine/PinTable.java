package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.GrowingMemory;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The arguments and results of batched look-ups, in native memory, with the pins of the values.
 *
 * <pre>
 *   0                16 n         24 n         32 n
 *   +----------------+------------+------------+
 *   | slices         | pins       | errors     |    n keys, ordered by column family
 *   +----------------+------------+------------+
 * </pre>
 *
 * A slice is an address and a length. They are the key's before the look-up, and the value's after it. A length of -1 means that there is
 * no value. If values were copied, the address is the offset in their segment. A pin is a {@code rocksdb_pinnableslice_t *}, or 0.
 */
/*
 * The table is in use from execution until the values are closed. Another thread may close the request meanwhile. The later of the two
 * frees the table; the state decides which one that is.
 */
public final class PinTable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    /** All memory, by address. A view of each value would be an object, unless the JIT compiler removes it. */
    private static final MemorySegment MEMORY = NativeCalls.readOnlyMemory(Arena.global());
    private static final int SLICE = 16;
    private static final int BYTES_A_KEY = 32;
    private static final long ABSENT = -1;

    private static final int IDLE = 0;
    private static final int IN_USE = 1;
    private static final int ORPHANED = 2;

    private final DatabaseHandle store;
    private final String valuesName;
    private final GrowingMemory memory = new GrowingMemory();
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private MemorySegment table = MemorySegment.NULL;
    private long tableAddress;
    private int size;
    /** The slots of keys; null if the slots are in the order of the keys. */
    private int @Nullable [] slots;
    /** The column families of pinned values, which are held for them. */
    private @Nullable FamilyHandle[] held = new FamilyHandle[0];
    private int heldSize;
    private @Nullable NativeStatus @Nullable [] failures;
    private long bytes;
    private boolean isLeased;
    private boolean isWithinBudget;
    /** The weight of the database's lease. */
    private long weight;

    public PinTable(DatabaseHandle store) {
        this.store = store;
        this.valuesName = "values of a multi-get request of " + store.name;
    }

    /** Claims the table for an execution; {@link #release()} gives it back. */
    public boolean claim() {
        // Acquire: everything that the thread that released the table did, also in native code, happens before this.
        return state.compareAndSet(IDLE, IN_USE);
    }

    /** Frees the table of a closed request, now or with its open values. */
    public void abandon() {
        if (!state.compareAndSet(IN_USE, ORPHANED)) {
            memory.free();
        }
    }

    public void prepare(int keys, int @Nullable [] slotOfKey) {
        table = memory.atLeast((long) BYTES_A_KEY * keys);
        tableAddress = table.address();
        size = keys;
        // Clears pins and errors in a loop, because fill() would need a slice: it is not inlined, so the slice would be garbage.
        for (long at = pinOffset(0); at < (long) BYTES_A_KEY * keys; at += Long.BYTES) {
            table.set(LONG, at, 0);
        }
        slots = slotOfKey;
        bytes = 0;
        failures = null;
    }

    /** Gives the keys other slots. The caller must then set the keys of the slots again. */
    public void reorder(int[] slotOfKey) {
        slots = slotOfKey;
    }

    public int slot(int key) {
        return slots == null ? key : slots[key];
    }

    public void setKey(int slot, long address, long length) {
        table.set(LONG, (long) SLICE * slot, address);
        table.set(LONG, (long) SLICE * slot + Long.BYTES, length);
    }

    /** Returns a key, before the look-up. */
    public MemorySegment key(int slot, MemorySegment keys) {
        return keys.asSlice(table.get(LONG, (long) SLICE * slot) - keys.address(),
                table.get(LONG, (long) SLICE * slot + Long.BYTES));
    }

    public long keysAddress(int slot) {
        return table.address() + (long) SLICE * slot;
    }

    public long pinsAddress(int slot) {
        return table.address() + pinOffset(slot);
    }

    public long errorsAddress(int slot) {
        return table.address() + errorOffset(slot);
    }

    private long pinOffset(int slot) {
        return (long) SLICE * size + (long) Long.BYTES * slot;
    }

    private long errorOffset(int slot) {
        return pinOffset(size) + (long) Long.BYTES * slot;
    }

    /** Takes over the results of the look-ups. */
    public void collect() {
        long sum = 0;
        for (int slot = 0; slot < size; slot++) {
            long pin = table.get(LONG, pinOffset(slot));
            if (pin == 0) {
                setKey(slot, 0, ABSENT);
                if (table.get(LONG, errorOffset(slot)) != 0) {
                    takeError(slot);
                }
                continue;
            }
            long length = PinLayout.size(pin | PinLayout.OF_TRANSACTION);
            setKey(slot, PinLayout.address(pin | PinLayout.OF_TRANSACTION), length);
            sum += length;
        }
        bytes = sum;
    }

    private void takeError(int slot) {
        long error = table.get(LONG, errorOffset(slot));
        table.set(LONG, errorOffset(slot), 0);
        NativeStatus status = NativeStatus.parse(NativeCall.takeString(error));
        if (failures == null) {
            failures = new NativeStatus[size];
        }
        failures[slot] = status;
    }

    /** Copies all values in a row, in the order of the keys, and releases the pins. */
    public void copyTo(MemorySegment room) {
        long offset = 0;
        for (int key = 0; key < size; key++) {
            long slice = (long) SLICE * slot(key);
            long length = table.get(LONG, slice + Long.BYTES);
            if (length != ABSENT) {
                MemorySegment.copy(MEMORY, table.get(LONG, slice), room, offset, length);
                table.set(LONG, slice, offset);
                offset += length;
            }
        }
        unpin();
        giveLeasesBack();
    }

    /**
     * Takes leases for pinned values. If the values exceed the pin budget, it takes leases too, for as long as they are being copied.
     *
     * @param entered of the database
     */
    public void lease(Scratch entered, KeyGroups groups) {
        if (held.length < groups.size()) {
            held = new FamilyHandle[groups.size()];
        }
        isWithinBudget = store.lifetime.lease(entered, bytes);
        weight = isWithinBudget ? bytes : 0;
        if (!isWithinBudget) {
            store.lifetime.lease(entered);
        }
        for (int group = 0; group < groups.size(); group++) {
            FamilyHandle family = groups.family(group);
            family.hold(entered);
            held[heldSize++] = family;
        }
        isLeased = true;
    }

    /** Releases the results of look-ups, after one of them has failed. */
    public void discard() {
        unpin();
        for (int slot = 0; slot < size; slot++) {
            NativeHeap.free(table.get(LONG, errorOffset(slot)));
        }
    }

    private void unpin() {
        for (int slot = 0; slot < size; slot++) {
            long pin = table.get(LONG, pinOffset(slot));
            if (pin != 0) {
                NativePins.destroySlice(pin);
                table.set(LONG, pinOffset(slot), 0);
            }
        }
    }

    private void giveLeasesBack() {
        if (!isLeased) {
            return;
        }
        isLeased = false;
        while (heldSize > 0) {
            FamilyHandle family = Objects.requireNonNull(held[--heldSize]);
            held[heldSize] = null;
            family.release();
        }
        store.lifetime.release(weight);
        weight = 0;
    }

    /** Ends the use: releases pins and leases, and frees the table if its request was closed. */
    public void release() {
        try {
            // Pins first: the last lease may free the database.
            if (isLeased) {
                unpin();
            }
        } finally {
            try {
                giveLeasesBack();
            } finally {
                failures = null;
                // Release: everything above happens before the next execution.
                if (!state.compareAndSet(IN_USE, IDLE)) {
                    memory.free();
                }
            }
        }
    }

    public int size() {
        return size;
    }

    public long bytes() {
        return bytes;
    }

    public boolean isLeased() {
        return isLeased;
    }

    public boolean isWithinBudget() {
        return isWithinBudget;
    }

    /** Copies the values to memory of an arena, see {@link #copyTo(MemorySegment)}. */
    public MemorySegment copied(Arena arena) {
        MemorySegment room = arena.allocate(bytes, 1);
        copyTo(room);
        return room.asReadOnly();
    }

    /** Returns the address of the slice of a key's value. */
    public long sliceAddress(int key) {
        return tableAddress + (long) SLICE * slot(key);
    }

    /** Returns the name of the values, for messages. */
    public String valuesName() {
        return valuesName;
    }

    /** Returns why a key could not be read, or null. */
    @Nullable
    public NativeStatus failure(int key) {
        return failures == null ? null : failures[slot(key)];
    }
}
