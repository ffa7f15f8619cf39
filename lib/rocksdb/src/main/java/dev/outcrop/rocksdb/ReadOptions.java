package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.NativeTableFilter;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Options for reading. Set what differs from the default, then pass the options to {@link RocksDB#with(ReadOptions)}. From then on they
 * cannot be changed, so any number of threads may read with them. There is nothing to close.
 */
public final class ReadOptions extends ReadOptionsSetters {
    private @Nullable Snapshot snapshot;
    private @Nullable MemorySegment lowerBound;
    private @Nullable MemorySegment upperBound;
    /** The length of {@link #iterStartTs(byte[])}; -1 if there is none. */
    private int startTimestampSize = -1;
    /** Setters of the options that {@link NativeReadOptions#copy} cannot copy, by their names. */
    private final Map<String, LongConsumer> setters = new LinkedHashMap<>();
    private int timestampSize;

    /** Makes RocksDB's default read options. */
    public ReadOptions() {
        super(NativeReadOptions::create, NativeReadOptions::destroy);
    }

    /**
     * Reads a database as it was when the snapshot was made.
     *
     * @param snapshot of the database that is read; must not be closed before the last read
     * @return this
     * @throws IllegalStateException if the snapshot is closed, or these options are in use
     */
    public synchronized ReadOptions snapshot(Snapshot snapshot) {
        try (Scratch _ = snapshot.enter()) {
            set("snapshot", options -> NativeReadOptions.setSnapshot(options, snapshot.address()));
        }
        this.snapshot = snapshot;
        return this;
    }

    /** Reads at the snapshot of a transaction. The caller keeps the snapshot, but not the C object around it. */
    synchronized ReadOptions snapshotOfTransaction(long nativeSnapshot) {
        changing();
        MemorySegment copy = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        // The C object is a pointer to the real one, and nothing else.
        copy.set(ValueLayout.JAVA_LONG, 0, NativeCalls.readLong(nativeSnapshot));
        owned.keep("snapshot", copy);
        set("snapshot", options -> NativeReadOptions.setSnapshot(options, copy.address()));
        return this;
    }

    /**
     * Reads a column family with one of RocksDB's comparators {@code …u64ts} as it was at a timestamp.
     *
     * @param timestamp an unsigned number
     * @return this object
     */
    public ReadOptions timestamp(long timestamp) {
        return timestamp(TimestampedValue.bytes(timestamp));
    }

    /** Returns the size of the timestamp of reads; 0 for none. */
    synchronized int timestampSize() {
        return timestampSize;
    }

    /** Returns the snapshot that is read, or null for the present. */
    synchronized @Nullable Snapshot snapshot() {
        return snapshot;
    }

    /**
     * Ends iterators before a key, so that they need not look beyond it.
     *
     * @param key the first key that is not read; copied
     * @return this object
     */
    public synchronized ReadOptions iterateUpperBound(byte[] key) {
        Objects.requireNonNull(key, "key");
        changing();
        MemorySegment copy = owned.keepCopy("iterate_upper_bound", key).asSlice(0, key.length);
        set("iterate_upper_bound", options -> NativeReadOptions.setUpperBound(options, copy, copy.byteSize()));
        upperBound = copy;
        return this;
    }

    /**
     * Starts iterators at a key.
     *
     * @param key the first key that is read; copied
     * @return this object
     */
    public synchronized ReadOptions iterateLowerBound(byte[] key) {
        Objects.requireNonNull(key, "key");
        changing();
        MemorySegment copy = owned.keepCopy("iterate_lower_bound", key).asSlice(0, key.length);
        set("iterate_lower_bound", options -> NativeReadOptions.setLowerBound(options, copy, copy.byteSize()));
        lowerBound = copy;
        return this;
    }

    /**
     * Reads a column family with timestamps as it was at one.
     *
     * @param timestamp as long as the timestamps of the column family; copied
     * @return this object
     */
    public synchronized ReadOptions timestamp(byte[] timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        changing();
        MemorySegment copy = owned.keepCopy("timestamp", timestamp);
        set("timestamp", options -> CApi.rocksdb_readoptions_set_timestamp(options, copy, timestamp.length));
        timestampSize = timestamp.length;
        return this;
    }

    /**
     * Lets iterators over a column family with timestamps show all versions of a key since one, up to {@link #timestamp(byte[])}.
     *
     * <p>Iterators, scans and streams then show RocksDB's internal keys: the key, its timestamp, and 8 bytes for sequence number and kind,
     * the kind in the first of them. A deletion is an entry with an empty value. Seeking takes keys without these additions, so a key of
     * the iterator must be cut first.
     *
     * @param timestamp as long as the timestamps of the column family; copied
     * @return this object
     */
    public synchronized ReadOptions iterStartTs(byte[] timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        changing();
        MemorySegment copy = owned.keepCopy("iter_start_ts", timestamp);
        set("iter_start_ts", options -> CApi.rocksdb_readoptions_set_iter_start_ts(options, copy, timestamp.length));
        startTimestampSize = timestamp.length;
        return this;
    }

    /**
     * Names the reads with these options, for file systems that trace requests.
     *
     * @param id any text
     * @return this object
     * @throws IllegalArgumentException if there is a NUL character in {@code id}
     */
    public ReadOptions requestId(String id) {
        Objects.requireNonNull(id, "id");
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment text = OptionValues.text("request_id", id, scratch);
            synchronized (this) {
                NativeReadOptions.setRequestId(changing(), text, text.byteSize() - 1);
            }
        }
        return this;
    }

    /**
     * Chooses an index of table files that was built in addition to RocksDB's own.
     *
     * @param factory the name of the factory that built it
     * @return this object
     * @throws RocksDBException         if RocksDB does not know this name; it then uses its own index
     * @throws IllegalArgumentException if there is a NUL character in {@code factory}
     */
    public ReadOptions tableIndexFactory(String factory) {
        Objects.requireNonNull(factory, "factory");
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment text = OptionValues.text("table_index_factory", factory, scratch);
            synchronized (this) {
                NativeReadOptions.setTableIndexFactory(scratch, changing(), text, text.byteSize() - 1);
            }
            ApiCall.check(scratch);
        }
        return this;
    }

    /** Sets an option that has no getter, here and in copies. The caller must keep the objects that the option points to. */
    private void set(String option, LongConsumer setter) {
        setter.accept(changing());
        setters.put(option, setter);
    }

    /**
     * Checks a setting that RocksDB does not check when it iterates over a family.
     *
     * @throws IllegalArgumentException if it is wrong
     */
    synchronized void requireFor(Family family) {
        if (startTimestampSize >= 0 && startTimestampSize != family.timestampSize) {
            throw new IllegalArgumentException("The start timestamp for iterators has " + startTimestampSize
                    + " bytes, but those of the " + family + " have " + family.timestampSize);
        }
    }

    /** Returns the first key that iterators see, or null for no limit. */
    synchronized @Nullable MemorySegment lowerBound() {
        return lowerBound;
    }

    /** Returns the key before which iterators end, or null for no limit. */
    synchronized @Nullable MemorySegment upperBound() {
        return upperBound;
    }

    /**
     * Returns a native copy of these options, which are in use. The caller must destroy the copy. The copy points to objects that this
     * object keeps. If there is a snapshot, the caller has entered it.
     */
    synchronized long copyNative() {
        long copy = NativeReadOptions.create();
        // Most scans read with the defaults; copying unset options would take fifty calls.
        if (isChanged()) {
            // Enough stack to link these calls.
            StackCheck.require(CallbackGuard.WORKING);
            try (Scratch scratch = ApiCall.scratch()) {
                NativeReadOptions.copy(scratch, reading(), copy);
                ApiCall.check(scratch);
            }
        }
        // The view of the values and the function would be two objects a scan.
        if (!setters.isEmpty()) {
            setters.values().forEach(setter -> setter.accept(copy));
        }
        return copy;
    }

    /** Returns the native options for reading a database; setters can no longer change them. Valid while this object is reachable. */
    synchronized long use(OpenDatabase database) {
        if (snapshot != null && snapshot.database() != database) {
            throw new IllegalArgumentException("The " + snapshot + " cannot be used to read the " + database);
        }
        // This API cannot prepare a value later: a scan would see empty values instead of the values in blob files.
        NativeReadOptions.setAllowUnpreparedValue(owned.address(), false);
        return use();
    }

    /**
     * Sets which table files are read. Entries in other files are not seen, so this is for programs that know the content of each file.
     *
     * @param filter whether to read a file; called during a read, each time that a file may be needed. If the filter throws, RocksDB reads
     *               the file, the exception is logged, and the reading method throws it. The filter can use the database, but not the
     *               iterator that calls it
     * @return this
     */
    public synchronized ReadOptions tableFilter(Predicate<TableProperties> filter) {
        Objects.requireNonNull(filter, "filter");
        set("table_filter", options -> NativeTableFilter.set(options, properties -> {
            TableProperties copy;
            try (Scratch scratch = ApiCall.scratchForCall()) {
                copy = TableProperties.of(properties, scratch);
            }
            return filter.test(copy);
        }, filter, ""));
        return this;
    }

    @Override
    public synchronized ReadOptions clearTableFilter() {
        super.clearTableFilter();
        setters.remove("table_filter");
        return this;
    }
}
