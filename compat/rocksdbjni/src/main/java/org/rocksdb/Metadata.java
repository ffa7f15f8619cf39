package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeMemory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
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

    /** Returns the metadata of a family. As published, null means the default family. All numbers are from the same moment. */
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

    /** Corrects paths with characters that have four bytes in UTF-8. JNI does not decode them. */
    private static void correctPaths(RocksDB database, List<? extends SstFileMetaData> metadata) {
        if (metadata.stream().allMatch(file -> isAscii(file.path))) {
            return;
        }
        Map<String, String> paths = paths(database);
        metadata.forEach(file -> file.path = paths.getOrDefault(file.fileName(), file.path));
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }

    /** Returns the directories of tables by the names of their files. */
    private static Map<String, String> paths(RocksDB database) {
        Map<String, String> paths = new HashMap<>();
        try (Scratch scratch = Scratch.open()) {
            NativeFiles.tables(scratch, database.nativeHandle_)
                    .forEach(table -> paths.put(table.name(), table.directory()));
        }
        return paths;
    }

    /** Returns the properties of the tables of a family, by the paths of their files. */
    @SuppressWarnings("unchecked") // a native method has no type arguments
    static Map<String, TableProperties> getPropertiesOfAllTables(RocksDB database, ColumnFamilyHandle family)
            throws RocksDBException {
        try (Scratch _ = database.use()) {
            Map<String, TableProperties> tables = RocksDB.jniGetPropertiesOfAllTables(
                    JniWrappers.object(database.nativeHandle_), DatabaseProperties.object(database, family));
            if (!tables.keySet().stream().allMatch(Metadata::isAscii)) {
                // JNI cuts paths with such characters, perhaps to the same text.
                for (String directory : paths(database).values()) {
                    String _ = JniPaths.path(directory, "name tables with their properties");
                }
            }
            return tables;
        }
    }

    /**
     * Returns the properties of tables that may have keys in ranges, including the ends of the ranges. The published native method returns
     * its argument instead.
     */
    static Map<String, TableProperties> getPropertiesOfTablesInRange(RocksDB database, ColumnFamilyHandle family,
            List<Range> ranges) throws RocksDBException {
        try (Scratch _ = database.use()) {
            long in = Reads.family(database, family);
            Set<String> names = new HashSet<>();
            List<byte[][]> bounds = ranges.stream().map(range -> new byte[][]{range.start.bytes(), range.limit.bytes()})
                    .toList();
            for (LevelMetaData level : getColumnFamilyMetaData(database, family).levels()) {
                for (SstFileMetaData file : level.files()) {
                    for (byte[][] range : bounds) {
                        if (RangeChecks.isInOrder(in, range[0], file.largestKey())
                                && RangeChecks.isInOrder(in, file.smallestKey(), range[1])) {
                            names.add(file.fileName());
                        }
                    }
                }
            }
            Map<String, TableProperties> tables = getPropertiesOfAllTables(database, family);
            tables.keySet().removeIf(path -> !names.contains(path.substring(path.lastIndexOf('/'))));
            return tables;
        }
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
