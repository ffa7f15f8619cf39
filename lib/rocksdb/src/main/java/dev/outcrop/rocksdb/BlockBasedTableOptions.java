package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of block-based tables; RocksDB's default and most useful kind of table. Pass it to {@link
 * Options#blockBasedTableFactory(BlockBasedTableOptions)}, which copies it: it can be changed and used again. There is nothing to close.
 * Thread-safe.
 */
public final class BlockBasedTableOptions extends BlockBasedTableOptionsSetters {
    private @Nullable FilterPolicy filterPolicy;

    /** Makes RocksDB's default options. */
    public BlockBasedTableOptions() {
        super(CApi::rocksdb_block_based_options_create, CApi::rocksdb_block_based_options_destroy);
    }

    /**
     * Sets the filter that lets look-ups skip files without the key. By default there is no filter.
     *
     * @param policy for any number of options
     * @return this object
     */
    public synchronized BlockBasedTableOptions filterPolicy(FilterPolicy policy) {
        CApi.rocksdb_block_based_options_set_filter_policy(changing(), policy.create());
        filterPolicy = policy;
        return this;
    }

    /** Returns the policy. Options also set it by its text, because a policy from the C API is stored with a database without its bits. */
    synchronized Optional<FilterPolicy> filterPolicy() {
        return Optional.ofNullable(filterPolicy);
    }

    /**
     * Sets the cache for blocks. If it is not set, each database has one of 32 MiB for each column family.
     *
     * @param cache for any number of options
     * @return this object
     */
    public synchronized BlockBasedTableOptions blockCache(Cache cache) {
        cache.use(address -> CApi.rocksdb_block_based_options_set_block_cache(changing(), address));
        return this;
    }

    /**
     * Sets the kind of index that tables get in addition to or instead of RocksDB's own.
     *
     * @param factory its name
     * @return this object
     * @throws RocksDBException         if RocksDB does not know this name; no index is set then
     * @throws IllegalArgumentException if there is a NUL character in {@code factory}
     */
    public BlockBasedTableOptions userDefinedIndexFactory(String factory) {
        Objects.requireNonNull(factory, "factory");
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment name = OptionValues.text("user_defined_index_factory", factory, scratch);
            synchronized (this) {
                CApi.rocksdb_block_based_options_set_user_defined_index_factory_from_string(changing(), name,
                        name.byteSize() - 1, ApiCall.error(scratch));
            }
            ApiCall.check(scratch);
        }
        return this;
    }
}
