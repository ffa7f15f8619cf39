package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * How to open a database. Set what differs from the default; each setter returns this object.
 *
 * <p>The setters and getters that are inherited are RocksDB's own options, one for each function of its C API. What has no
 * function there goes through {@link #set(String)}. A database keeps a copy of what it was opened with, so options can be changed
 * and used again for another one. There is nothing to close. Thread-safe.
 */
public final class Options extends OptionsSetters {
    /** What may stay pinned if nothing else is said. */
    public static final long DEFAULT_PIN_BUDGET = 256L << 20;

    private final NativeObject owned;
    /** The names of the objects that were set, by option, "" for none: RocksDB's C API does not tell. */
    private final Map<String, String> objects = new HashMap<>();
    private long pinBudget = DEFAULT_PIN_BUDGET;

    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public Options() {
        Native.requireLibrary();
        this.owned = new NativeObject(this, CApi.rocksdb_options_create(), CApi::rocksdb_options_destroy);
    }

    /**
     * Sets options by name, in RocksDB's own textual form, for example
     * {@code "max_open_files=500;block_based_table_factory={block_size=16384;filter_policy=bloomfilter:10}"}.
     *
     * @param options pairs of name and value, separated by semicolons
     * @return this
     * @throws RocksDBException with {@link Status.Code#INVALID_ARGUMENT} for a name or a value that RocksDB does not know, and for a
     *                          number that would make it crash or hang; nothing is changed then
     * @throws IllegalArgumentException if there is a NUL character in {@code options}
     */
    public synchronized Options set(String options) {
        Map<String, String> names = ObjectNames.check(options);
        long changed = CApi.rocksdb_options_create();
        try (Scratch scratch = Native.scratch()) {
            long error = Native.error(scratch);
            MemorySegment text = OptionValues.text("The option string", options, scratch);
            CApi.rocksdb_get_options_from_string(owned.address(), text, changed, error);
            Native.check(scratch);
        } catch (Throwable e) {
            CApi.rocksdb_options_destroy(changed);
            throw e;
        }
        owned.replace(changed);
        objects.putAll(names);
        return this;
    }

    /**
     * Sets how {@link KeyValueWriter#merge merges} are carried out. Always open a database with the operator it was written with;
     * without any it is not opened.
     *
     * @param operator one of those built into RocksDB
     * @return this
     */
    public Options mergeOperator(MergeOperator operator) {
        return set("merge_operator=" + operator.id());
    }

    /**
     * Sets the merge operator {@link MergeOperator#UINT64_ADD}.
     *
     * @return this
     */
    @Override
    public Options uint64addMergeOperator() {
        return mergeOperator(MergeOperator.UINT64_ADD);
    }

    /**
     * Sets a memtable with a skip list for each prefix of keys.
     *
     * @param bucketCount             from 1 to 9,999,999
     * @param skiplistHeight          from 1 to 32
     * @param skiplistBranchingFactor at least 1
     * @return this
     * @throws IllegalArgumentException if a value is out of its range; RocksDB would divide by it or run out of memory
     */
    @Override
    public Options hashSkipListRep(long bucketCount, int skiplistHeight, int skiplistBranchingFactor) {
        requireBuckets(bucketCount);
        OptionValues.inRange("skiplist_height", skiplistHeight, 1, 32);
        OptionValues.inRange("skiplist_branching_factor", skiplistBranchingFactor, 1, Integer.MAX_VALUE);
        return super.hashSkipListRep(bucketCount, skiplistHeight, skiplistBranchingFactor);
    }

    /**
     * Sets a memtable with a linked list for each prefix of keys.
     *
     * @param bucketCount from 1 to 9,999,999
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; RocksDB would lose entries or run out of memory
     */
    @Override
    public Options hashLinkListRep(long bucketCount) {
        requireBuckets(bucketCount);
        return super.hashLinkListRep(bucketCount);
    }

    private static void requireBuckets(long count) {
        OptionValues.inRange("bucket_count", Math.clamp(count, 0, Integer.MAX_VALUE), 1, 9_999_999);
    }

    /** A copy of the native options, to be destroyed by the caller: nobody changes it while it is used. */
    synchronized long copyNative() {
        return CApi.rocksdb_options_create_copy(owned.address());
    }

    synchronized boolean hasMergeOperator() {
        return !objects.getOrDefault("merge_operator", "").isEmpty();
    }

    /** The order of the keys. */
    synchronized KeyOrder keyOrder() {
        return objects.getOrDefault("comparator", "").startsWith("rocksdb.Reverse")
                ? KeyOrder.REVERSE_BYTEWISE
                : KeyOrder.BYTEWISE;
    }

    /** How many bytes of each key are its timestamp. */
    synchronized int timestampSize() {
        return objects.getOrDefault("comparator", "").endsWith(".u64ts") ? Long.BYTES : 0;
    }

    /** What the native options point to; whoever copies them keeps it reachable for as long as the copy is used. */
    Collection<Object> kept() {
        return owned.kept().values();
    }

    /**
     * Sets how many bytes of values may stay pinned at the same time, so that pins cannot starve the block cache. What is read
     * beyond it is copied instead; {@link PinnedSlice#isPinned()} tells. The limit is kept to within an eighth, and one value a thread.
     *
     * @param bytes not negative; 0 copies always, except empty values, which weigh nothing; {@link Long#MAX_VALUE} copies never
     * @return this
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public synchronized Options pinBudget(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("The pin budget must not be negative: " + bytes);
        }
        this.pinBudget = bytes;
        return this;
    }

    /**
     * How many bytes of values may stay pinned at the same time.
     *
     * @return bytes, {@link #DEFAULT_PIN_BUDGET} if not set
     */
    public synchronized long pinBudget() {
        return pinBudget;
    }

    @Override
    long changing() {
        return owned.address();
    }

    @Override
    long reading() {
        return owned.address();
    }
}
