package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a database says about its files and its memory. */
final class Metadata {

    private Metadata() {
    }

    static List<LiveFileMetaData> getLiveFilesMetaData(RocksDB database) {
        try (Scratch _ = database.use()) {
            List<LiveFileMetaData> files = Arrays
                    .asList(RocksDB.jniGetLiveFilesMetaData(JniObjects.object(database.nativeHandle_)));
            correctPaths(database, files);
            return files;
        }
    }

    static ColumnFamilyMetaData getColumnFamilyMetaData(RocksDB database) {
        return getColumnFamilyMetaData(database, null);
    }

    /** Of the default family if none is given, as published. All numbers are those of one moment. */
    static ColumnFamilyMetaData getColumnFamilyMetaData(RocksDB database, ColumnFamilyHandle given) {
        ColumnFamilyHandle family = given == null ? database.getDefaultColumnFamily() : given;
        try (Scratch _ = database.use()) {
            ColumnFamilyMetaData metadata = RocksDB.jniGetColumnFamilyMetaData(
                    JniObjects.object(database.nativeHandle_), JniObjects.object(family.in(database)));
            correctPaths(database,
                    metadata.levels().stream().flatMap(level -> level.files().stream()).toList());
            return metadata;
        }
    }

    /** JNI knows no characters of four bytes. */
    private static void correctPaths(RocksDB database, List<? extends SstFileMetaData> metadata) {
        if (metadata.stream().allMatch(file -> file.path.chars().allMatch(c -> c < 128))) {
            return;
        }
        Map<String, String> paths = new HashMap<>();
        long files = CApi.rocksdb_livefiles(database.nativeHandle_);
        try {
            for (int i = 0; i < CApi.rocksdb_livefiles_count(files); i++) {
                paths.put(Natives.text(CApi.rocksdb_livefiles_name(files, i)),
                        Natives.text(CApi.rocksdb_livefiles_directory(files, i)));
            }
        } finally {
            CApi.rocksdb_livefiles_destroy(files);
        }
        metadata.forEach(file -> file.path = paths.getOrDefault(file.fileName(), file.path));
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
}
