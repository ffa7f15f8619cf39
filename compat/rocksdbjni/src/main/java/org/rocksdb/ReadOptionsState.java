package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.NativeTableFilter;
import dev.outcrop.rocksdb.engine.OptionLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The objects to which {@code ReadOptions} refer. RocksDB has only pointers to them. Iterators take over these pointers. */
final class ReadOptionsState {

    // Indexes of the slices of read options, and of the slice that is being replaced.
    static final int LOWER = 0;
    static final int UPPER = 1;
    static final int TIMESTAMP = 2;
    static final int START_TIMESTAMP = 3;
    private static final int BOUNDS = 4;
    private static final int REPLACED = BOUNDS;

    private static final NativeSlice[] NONE = new NativeSlice[BOUNDS + 1];

    private final ReadOptions options;
    /** Replaced timestamps. Reads may use any of them, so they live until the options are closed. */
    private final List<NativeSlice> replacedTimestamps = new ArrayList<>();
    /** All slices to which the native options may point, or null. Each change makes a new array. */
    private volatile NativeSlice[] slices = NONE;
    private volatile Snapshot snapshot;
    private volatile AbstractTableFilter tableFilter;
    private volatile long readaheadSize;

    ReadOptionsState(ReadOptions options) {
        this.options = options;
    }

    /** Takes the state of the options from which the native options were copied. */
    void takeFrom(ReadOptionsState other) {
        Snapshot taken = other.snapshot;
        if (taken != null) {
            // Take a released snapshot too, so that reads are refused.
            try (Scratch open = taken.useIfOpen()) {
                if (open != null) {
                    NativeReadOptions.setSnapshot(options.nativeHandle_, taken.nativeHandle_);
                }
            }
            snapshot = taken;
        }
        for (int bound = 0; bound < BOUNDS; bound++) {
            set(bound, other.bytes(bound));
        }
        readaheadSize = other.readaheadSize;
        AbstractTableFilter filter = other.tableFilter;
        if (filter != null) {
            give(filter);
        }
    }

    /** Sets the read-ahead. RocksDB allocates it in one piece, so it gets at most a size that can be allocated. */
    void setReadaheadSize(long bytes) {
        try (Scratch _ = options.use()) {
            NativeReadOptions.setReadaheadSize(options.nativeHandle_, OptionLimits.readahead(bytes));
            readaheadSize = bytes;
        }
    }

    long readaheadSize() {
        try (Scratch _ = options.use()) {
            return readaheadSize;
        }
    }

    void setTableFilter(AbstractTableFilter filter) {
        Object _ = filter.kept();
        give(filter);
    }

    /** Sets the filter, even if it is closed: a copy of options keeps it. */
    private void give(AbstractTableFilter filter) {
        try (Scratch _ = options.use()) {
            NativeTableFilter.set(options.nativeHandle_, properties -> {
                TableProperties copy;
                try (Scratch scratch = Scratch.open()) {
                    copy = EventData.table(properties, scratch);
                }
                return filter.filter(copy);
            }, filter, filter.getClass().getName());
            tableFilter = filter;
            options.callsJava();
        }
    }

    void setSnapshot(Snapshot snapshot) {
        try (Scratch _ = options.use(); Scratch _ = snapshot == null ? null : snapshot.use()) {
            if (snapshot != null) {
                // Set this field before the native snapshot, and clear it after, so that a thread that reads the native snapshot also sees
                // this one.
                this.snapshot = snapshot;
            }
            NativeReadOptions.setSnapshot(options.nativeHandle_,
                    snapshot == null ? 0 : snapshot.nativeHandle_);
            this.snapshot = snapshot;
        }
    }

    Snapshot snapshot() {
        try (Scratch _ = options.use()) {
            return snapshot;
        }
    }

    /** Keeps the snapshot during a read; returns null if there is none. Refuses the read if the snapshot was released. */
    Scratch useSnapshot(RocksDB database) {
        Snapshot now = snapshot;
        return now == null ? null : now.use(database);
    }

    /** Keeps the snapshot, of any database, during a call; returns null if there is none. Refuses the call if the snapshot was released. */
    Scratch useSnapshot() {
        Snapshot now = snapshot;
        return now == null ? null : now.use();
    }

    /**
     * Returns whether an iterator with these options would use a snapshot after its release. A tailing iterator reads the snapshot's number
     * again and again for deleted ranges.
     */
    boolean tailsSnapshot(RocksDB database) {
        return snapshot != null && !database.state_.neverTails
                && NativeReadOptions.isTailing(options.nativeHandle_);
    }

    /** Returns a copy for a tailing iterator, which ignores the snapshot anyway. The caller must close the copy. */
    ReadOptions withoutSnapshot() {
        return new ReadOptions(options).setSnapshot(null);
    }

    void set(int bound, AbstractSlice<?> slice) {
        set(bound, slice == null ? null : slice.bytes());
    }

    private synchronized void set(int bound, byte[] bytes) {
        try (Scratch _ = options.use()) {
            NativeSlice old = slices[bound];
            if (old == null && bytes == null) {
                return;
            }
            NativeSlice next = bytes == null ? null : new NativeSlice(bytes);
            NativeSlice[] changing = slices.clone();
            changing[bound] = next;
            changing[REPLACED] = old;
            slices = changing;
            point(options.nativeHandle_, bound, next);
            if (old != null) {
                NativeSlice[] changed = changing.clone();
                changed[REPLACED] = null;
                slices = changed;
                if (bound == TIMESTAMP) {
                    replacedTimestamps.add(old);
                } else {
                    old.release();
                }
            }
        }
    }

    private static void point(long options, int bound, NativeSlice slice) {
        long address = slice == null ? 0 : slice.address;
        switch (bound) {
            case LOWER -> ReadOptions.jniSetIterateLowerBound(options, address);
            case UPPER -> ReadOptions.jniSetIterateUpperBound(options, address);
            case TIMESTAMP -> ReadOptions.jniSetTimestamp(options, address);
            case START_TIMESTAMP -> ReadOptions.jniSetIterStartTs(options, address);
            default -> throw new IllegalArgumentException("There is no bound " + bound);
        }
    }

    Slice get(int bound) {
        byte[] bytes = bytes(bound);
        return bytes == null ? null : Slice.unowned(bytes);
    }

    private synchronized byte[] bytes(int bound) {
        try (Scratch _ = options.use()) {
            NativeSlice slice = slices[bound];
            return slice == null ? null : slice.bytes();
        }
    }

    /** Holds the slices for a new iterator. {@link #areSame} checks afterwards that the options still have these slices. */
    NativeSlice[] hold() {
        while (true) {
            NativeSlice[] now = slices;
            int held = 0;
            while (held < now.length && (now[held] == null || now[held].retain())) {
                held++;
            }
            if (held == now.length) {
                return now;
            }
            release(Arrays.copyOf(now, held));
        }
    }

    /** Returns whether the native options have pointed only to these slices since they were held. */
    @SuppressWarnings("ReferenceEquality") // each change makes a new array
    boolean areSame(NativeSlice[] held) {
        return slices == held;
    }

    /** Adds a hold to held slices. */
    static NativeSlice[] holdAgain(NativeSlice[] held) {
        for (NativeSlice slice : held) {
            boolean isHeld = slice == null || slice.retain();
            assert isHeld;
        }
        return held;
    }

    static void release(NativeSlice[] held) {
        for (NativeSlice slice : held) {
            if (slice != null) {
                slice.release();
            }
        }
    }

    /** Frees the native options and the slices. Called after the last use of the options. */
    synchronized void disposeInternal(long handle) {
        NativeReadOptions.destroy(handle);
        release(slices);
        replacedTimestamps.forEach(NativeSlice::release);
        slices = NONE;
    }
}
