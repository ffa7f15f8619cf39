package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;

/** Copies of an open database, or of one of its column families, made of hard links where that is possible. */
final class Checkpoints {
    private Checkpoints() {
    }

    static void checkpoint(Store store, Path directory, long logSizeForFlush) {
        OsPath.require(directory);
        OptionValues.notNegative("log_size_for_flush", logSizeForFlush);
        try (Scratch scratch = store.enterToWait()) {
            // RocksDB would leave out what is only in the log.
            store.requireWritable("copied: open it for writing to make a checkpoint");
            withCheckpoint(scratch, store, checkpoint -> {
                NativeCheckpoints.create(scratch, checkpoint, OsPath.in(scratch, directory), logSizeForFlush);
                Native.check(scratch, "Cannot make the checkpoint " + directory);
            });
        }
    }

    static ExportedColumnFamily export(Family family, Path directory) {
        OsPath.require(directory);
        try (Scratch scratch = family.enterToWait()) {
            long[] metadata = {0};
            withCheckpoint(scratch, family.store, checkpoint -> {
                metadata[0] = NativeCheckpoints.export(scratch, checkpoint, family.handle,
                        OsPath.in(scratch, directory));
                Native.check(scratch, "Cannot export the " + family + " to " + directory, metadata[0],
                        NativeCheckpoints::destroyExport);
            });
            return new ExportedColumnFamily(scratch, metadata[0]);
        }
    }

    private static void withCheckpoint(Scratch scratch, Store store, LongConsumer use) {
        long checkpoint = store.kind().createCheckpoint(store.db, Native.error(scratch));
        Native.check(scratch, "Cannot read the state of the " + store, checkpoint, NativeCheckpoints::close);
        try {
            use.accept(checkpoint);
        } finally {
            NativeCheckpoints.close(checkpoint);
        }
    }

    static ColumnFamily createWithImport(Store store, String name, Options options,
            ImportColumnFamilyOptions importOptions, ExportedColumnFamily exported) {
        List<Path> files = exported.files().stream().map(LiveFile::path).toList();
        Objects.requireNonNull(importOptions, "importOptions");
        long nativeOptions = options.copyNative();
        try (Scratch scratch = store.enterToWork()) {
            MemorySegment text = OptionValues.text("A column family's name", name, scratch);
            store.requireWritable("changed");
            store.requireNoTimes("an import");
            if (store.kind() instanceof LockingKind) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                        "RocksDB would not lock the keys of an imported column family of the " + store
                                + "; import it with RocksDB.open(…), then open it with TransactionDB again");
            }
            SafeOptions.require(store.path, options);
            requireImportable(exported, options);
            TableFile.requireOrder(files, "column family " + name, options);
            TableFile.requireNoMerges(files, "column family " + name, options.hasMergeOperator());
            long handle = exported.ask(metadata -> NativeCheckpoints.createFamily(scratch, store.db, nativeOptions,
                    text, importOptions.use(), metadata));
            Native.requireDone(scratch, "Cannot create the column family " + name + " with an import");
            return CallbackFailures.rethrowAfter(() -> Creation.adopt(scratch, store, name, handle, options));
        } finally {
            Reference.reachabilityFence(importOptions);
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    private static void requireImportable(ExportedColumnFamily exported, Options options) {
        for (LiveFile file : exported.files()) {
            if (file.level() >= options.numLevels()) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "The file " + file.path() + " is of level " + file.level() + ", but num_levels is "
                                + options.numLevels() + " for the new column family");
            }
            if (!exported.isComplete() && TableFile.hasRangeDeletions(file.path())) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                        "The file " + file.path() + " holds deleted ranges, which can be imported only with the object"
                                + " that export(…) returned. Compact the column family before it is exported,"
                                + " or import it in the same process");
            }
        }
    }
}
