package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeMemory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Metadata of the files of a database, and its memory use. */
final class Metadata {

    private Metadata() {
    }

    static List<LiveFileMetaData> getLiveFilesMetaData(RocksDB database) {
        try (Scratch _ = database.use()) {
            List<LiveFileMetaData> files = Arrays
                    .asList(RocksDB.jniGetLiveFilesMetaData(JniWrappers.object(database.nativeHandle_)));
            correctPaths(database, files);
            return files;
        }
    }

    /** Returns the metadata of a family; as published, of the default one for null. All numbers are from one moment. */
    static ColumnFamilyMetaData getColumnFamilyMetaData(RocksDB database, ColumnFamilyHandle given) {
        ColumnFamilyHandle family = given == null ? database.getDefaultColumnFamily() : given;
        try (Scratch _ = database.use()) {
            ColumnFamilyMetaData metadata = RocksDB.jniGetColumnFamilyMetaData(
                    JniWrappers.object(database.nativeHandle_), JniWrappers.object(family.in(database)));
            correctPaths(database,
                    metadata.levels().stream().flatMap(level -> level.files().stream()).toList());
            return metadata;
        }
    }

    /** Corrects paths that have characters of four bytes in UTF-8, which JNI does not decode. */
    private static void correctPaths(RocksDB database, List<? extends SstFileMetaData> metadata) {
        if (metadata.stream().allMatch(file -> file.path.chars().allMatch(c -> c < 128))) {
            return;
        }
        Map<String, String> paths = new HashMap<>();
        try (Scratch scratch = Scratch.open()) {
            NativeFiles.tables(scratch, database.nativeHandle_)
                    .forEach(table -> paths.put(table.name(), table.directory()));
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
        NativeMemory sum = NativeMemory.NONE;
        try {
            for (RocksDB database : databases == null ? List.<RocksDB>of() : databases) {
                try (Scratch scratch = database.use()) {
                    database.state_.freeIdleIterators();
                    sum = sum.plus(NativeMemory.ofDatabase(scratch, database.nativeHandle_));
                    Errors.check(scratch);
                }
            }
            for (Cache cache : caches == null ? Set.<Cache>of() : caches) {
                try (Scratch scratch = cache.use()) {
                    sum = sum.plus(NativeMemory.ofCache(scratch, cache.nativeHandle_));
                    Errors.check(scratch);
                }
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
        return new EnumMap<>(Map.of(MemoryUsageType.kMemTableTotal, sum.memTables(),
                MemoryUsageType.kMemTableUnFlushed, sum.unflushedMemTables(),
                MemoryUsageType.kTableReadersTotal, sum.tableReaders(), MemoryUsageType.kCacheTotal, sum.caches()));
    }
}
