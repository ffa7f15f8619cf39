package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * What a process that carries out compactions for another one uses instead of what the database's stored options name: objects, which
 * these cannot hold. Once in use it cannot be changed any more. There is nothing to close. Thread-safe.
 */
public final class CompactionServiceOptionsOverride extends CompactionServiceOptionsOverrideSetters {
    private CompactionServiceOptionsOverride(LongSupplier create) {
        super(create, CApi::rocksdb_compaction_service_options_override_destroy);
    }

    /**
     * Overrides nothing yet.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public CompactionServiceOptionsOverride() {
        this(CApi::rocksdb_compaction_service_options_override_create);
    }

    /**
     * Uses the objects of other options.
     *
     * @param options the objects are taken as they are now
     * @return a new object
     */
    public static CompactionServiceOptionsOverride of(Options options) {
        synchronized (options) {
            CompactionServiceOptionsOverride made = new CompactionServiceOptionsOverride(
                    () -> CApi.rocksdb_compaction_service_options_override_create_from_options(options.reading()));
            options.owned.kept().forEach(made.owned::keep);
            return made;
        }
    }

    /**
     * Sets the environment.
     *
     * @param env for any number of options
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public synchronized CompactionServiceOptionsOverride env(Env env) {
        CApi.rocksdb_compaction_service_options_override_set_env(changing(), env.address());
        owned.keep("env", env);
        return this;
    }

    /**
     * Sets what the prefix of a key is.
     *
     * @param extractor for any number of options
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public synchronized CompactionServiceOptionsOverride prefixExtractor(SliceTransform extractor) {
        CApi.rocksdb_compaction_service_options_override_set_prefix_extractor(changing(), extractor.create());
        return this;
    }

    /**
     * Sets that tables consist of blocks, and how.
     *
     * @param options copied
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public CompactionServiceOptionsOverride blockBasedTableFactory(BlockBasedTableOptions options) {
        synchronized (options) {
            synchronized (this) {
                CApi.rocksdb_compaction_service_options_override_set_block_based_table_factory(changing(),
                        options.reading());
            }
        }
        return this;
    }

    /**
     * Sets that tables are cuckoo tables, and how.
     *
     * @param options copied
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public CompactionServiceOptionsOverride cuckooTableFactory(CuckooTableOptions options) {
        synchronized (options) {
            synchronized (this) {
                CApi.rocksdb_compaction_service_options_override_set_cuckoo_table_factory(changing(),
                        options.reading());
            }
        }
        return this;
    }

    /**
     * Counts into the statistics of other options.
     *
     * @param options whose statistics are enabled
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public CompactionServiceOptionsOverride statistics(Options options) {
        synchronized (options) {
            synchronized (this) {
                CApi.rocksdb_compaction_service_options_override_set_statistics(changing(), options.reading());
            }
        }
        return this;
    }

    /**
     * Sets what makes the checksums of files.
     *
     * @param factory for any number of options
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public synchronized CompactionServiceOptionsOverride fileChecksumGenFactory(FileChecksumGenFactory factory) {
        factory.use(address -> CApi
                .rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(changing(), address));
        return this;
    }

    /**
     * Sets what decides where a new table file starts.
     *
     * @param factory for any number of options
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public synchronized CompactionServiceOptionsOverride sstPartitionerFactory(SstPartitionerFactory factory) {
        factory.use(address -> CApi.rocksdb_compaction_service_options_override_set_sst_partitioner_factory(changing(),
                address));
        return this;
    }

    /**
     * Overrides an option by name. Names and values are looked at when the compaction starts.
     *
     * @param name  as in {@link Options#set(String)}
     * @param value as in {@link Options#set(String)}
     * @return this object
     * @throws RocksDBException         if the value names an object that RocksDB does not know
     * @throws IllegalArgumentException if there is a NUL character in {@code name} or {@code value}
     * @throws IllegalStateException    if this object is in use and can no longer change
     */
    public CompactionServiceOptionsOverride option(String name, String value) {
        ObjectNames.check(name + "=" + value);
        try (Scratch scratch = Native.scratch()) {
            MemorySegment cName = OptionValues.text("The option's name", name, scratch);
            MemorySegment cValue = OptionValues.text(name, value, scratch);
            synchronized (this) {
                CApi.rocksdb_compaction_service_options_override_set_option(changing(), cName, cValue);
            }
        }
        return this;
    }
}
