package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a database says about its files and its memory. */
final class Metadata {

    private Metadata() {
    }

    static List<LiveFileMetaData> getLiveFilesMetaData(RocksDB database) {
        try (Scratch scratch = database.use()) {
            long files = CApi.rocksdb_livefiles(database.nativeHandle_);
            try {
                List<LiveFileMetaData> found = new ArrayList<>();
                for (int i = 0; i < CApi.rocksdb_livefiles_count(files); i++) {
                    found.add(file(scratch, files, i));
                }
                return found;
            } finally {
                CApi.rocksdb_livefiles_destroy(files);
            }
        }
    }

    /** Options of Java know no generator of checksums of files, so that there are none. */
    private static LiveFileMetaData file(Scratch scratch, long files, int i) {
        return new LiveFileMetaData(
                text(CApi.rocksdb_livefiles_column_family_name(files, i)).getBytes(StandardCharsets.UTF_8),
                CApi.rocksdb_livefiles_level(files, i),
                text(CApi.rocksdb_livefiles_name(files, i)), text(CApi.rocksdb_livefiles_directory(files, i)),
                CApi.rocksdb_livefiles_size(files, i), CApi.rocksdb_livefiles_smallest_seqno(files, i),
                CApi.rocksdb_livefiles_largest_seqno(files, i),
                Natives.bytes(CApi.rocksdb_livefiles_smallestkey(files, i, scratch.wordAddress(0)), scratch.word(0)),
                Natives.bytes(CApi.rocksdb_livefiles_largestkey(files, i, scratch.wordAddress(0)), scratch.word(0)),
                CApi.rocksdb_livefiles_entries(files, i), CApi.rocksdb_livefiles_deletions(files, i));
    }

    static ColumnFamilyMetaData getColumnFamilyMetaData(RocksDB database) {
        return getColumnFamilyMetaData(database, null);
    }

    /** Of the default family if none is given, as published. All numbers are those of one moment. */
    static ColumnFamilyMetaData getColumnFamilyMetaData(RocksDB database, ColumnFamilyHandle given) {
        ColumnFamilyHandle family = given == null ? database.getDefaultColumnFamily() : given;
        try (Scratch scratch = database.use()) {
            long name = CApi.rocksdb_column_family_handle_get_name(family.in(database), scratch.wordAddress(0));
            byte[] bytes;
            try {
                bytes = Natives.bytes(name, scratch.word(0));
            } finally {
                CApi.rocksdb_free(name);
            }
            List<LiveFileMetaData> files = getLiveFilesMetaData(database).stream()
                    .filter(file -> Arrays.equals(file.columnFamilyName(), bytes)).toList();
            List<LevelMetaData> levels = new ArrayList<>();
            for (int level = 0; level < levels(database, family); level++) {
                int number = level;
                SstFileMetaData[] ofLevel = files.stream().filter(file -> file.level() == number)
                        .map(SstFileMetaData::new)
                        .toArray(SstFileMetaData[]::new);
                levels.add(new LevelMetaData(level, sum(List.of(ofLevel)), ofLevel));
            }
            return new ColumnFamilyMetaData(sum(files), files.size(), bytes, levels.toArray(LevelMetaData[]::new));
        }
    }

    private static long sum(List<? extends SstFileMetaData> files) {
        return files.stream().mapToLong(SstFileMetaData::size).sum();
    }

    /** How many levels there are, which does not change while a database is open. */
    private static long levels(RocksDB database, ColumnFamilyHandle family) {
        long metadata = CApi.rocksdb_get_column_family_metadata_cf(database.nativeHandle_, family.in(database));
        try {
            return CApi.rocksdb_column_family_metadata_get_level_count(metadata);
        } finally {
            CApi.rocksdb_column_family_metadata_destroy(metadata);
        }
    }

    static List<LevelMetaData> levels(ColumnFamilyMetaData family) {
        return Arrays.asList(family.levels);
    }

    static List<SstFileMetaData> files(LevelMetaData level) {
        return Arrays.asList(level.files);
    }

    static Map<MemoryUsageType, Long> getApproximateMemoryUsageByType(List<RocksDB> databases, Set<Cache> caches) {
        List<Scratch> uses = new ArrayList<>();
        long consumers = CApi.rocksdb_memory_consumers_create();
        try (Scratch scratch = Scratch.open()) {
            for (RocksDB database : databases == null ? List.<RocksDB>of() : databases) {
                uses.add(database.use());
                database.parts_.freeIdleIterators();
                CApi.rocksdb_memory_consumers_add_db(consumers, database.nativeHandle_);
            }
            for (Cache cache : caches == null ? Set.<Cache>of() : caches) {
                uses.add(cache.use());
                CApi.rocksdb_memory_consumers_add_cache(consumers, cache.nativeHandle_);
            }
            long usage = CApi.rocksdb_approximate_memory_usage_create(consumers, Errors.place(scratch));
            Errors.check(scratch);
            try {
                Map<MemoryUsageType, Long> found = new EnumMap<>(MemoryUsageType.class);
                found.put(MemoryUsageType.kMemTableTotal,
                        CApi.rocksdb_approximate_memory_usage_get_mem_table_total(usage));
                found.put(MemoryUsageType.kMemTableUnFlushed,
                        CApi.rocksdb_approximate_memory_usage_get_mem_table_unflushed(usage));
                found.put(MemoryUsageType.kTableReadersTotal,
                        CApi.rocksdb_approximate_memory_usage_get_mem_table_readers_total(usage));
                found.put(MemoryUsageType.kCacheTotal, CApi.rocksdb_approximate_memory_usage_get_cache_total(usage));
                return found;
            } finally {
                CApi.rocksdb_approximate_memory_usage_destroy(usage);
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        } finally {
            CApi.rocksdb_memory_consumers_destroy(consumers);
            uses.forEach(Scratch::close);
        }
    }

    private static String text(long address) {
        return NativeCalls.view(address, Long.MAX_VALUE).getString(0);
    }
}
