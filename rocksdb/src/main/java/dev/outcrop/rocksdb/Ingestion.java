package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Takes table files that were written elsewhere into a column family. */
final class Ingestion {
    private Ingestion() {
    }

    static void ingest(Family family, List<Path> files, IngestExternalFileOptions options) {
        List<Path> paths = files.stream().map(OsPath::require).toList();
        Objects.requireNonNull(options, "options");
        Store store = family.store;
        try (Scratch scratch = family.enterToWait()) {
            store.requireWritable("changed");
            store.requireNoTimes("a table file");
            if (paths.stream().distinct().count() < paths.size()) {
                throw new IllegalArgumentException("A file is named twice: " + paths);
            }
            TableFile.requireOrder(paths, family.toString(), family.options);
            TableFile.requireNoMerges(paths, family.toString(), family.hasMergeOperator);
            MemorySegment names = OptionValues.array(scratch, "A path", paths.stream().map(OsPath::text).toList());
            NativeFiles.ingest(scratch, store.db, family.handle, names.address(), paths.size(), options.use());
            Native.check(scratch, "Cannot ingest " + (paths.size() == 1 ? paths.getFirst() : paths.size() + " files"));
        } finally {
            Reference.reachabilityFence(options);
        }
    }
}
