package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Operations on the files of a database: flushes, the write-ahead log, ingestion. */
final class DatabaseFiles {

    /** RocksDB's numbers of kinds of files, in the order of the published method's result. */
    private static final int[] LIVE_KINDS = {2, 10, 4, 3, 9};
    private static final int MANIFEST = 3;

    private DatabaseFiles() {
    }

    /** A call without arguments. */
    interface Call {
        void run(Scratch scratch, long database);
    }

    static void call(RocksDB database, Call call) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            call.run(scratch, database.nativeHandle_);
            Errors.check(scratch);
        }
    }

    static void flush(RocksDB database, FlushOptions options, ColumnFamilyHandle family) throws RocksDBException {
        CallbackRestrictions.requireMayWait("a flush");
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                ComparatorMonitor _ = database.state_.change()) {
            database.state_.freeIdleIterators();
            NativeBackgroundWork.flush(database.nativeHandle_, call.handle,
                    family == null ? database.getDefaultColumnFamily().in(database) : family.in(database),
                    Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void flush(RocksDB database, FlushOptions options, List<ColumnFamilyHandle> families)
            throws RocksDBException {
        CallbackRestrictions.requireMayWait("a flush");
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                ComparatorMonitor _ = database.state_.change()) {
            database.state_.freeIdleIterators();
            // Add each family only once: an atomic flush of a family twice, even by two handles, would read beyond its list of memtables.
            Map<Integer, Long> handles = new LinkedHashMap<>();
            for (ColumnFamilyHandle family : families == null ? List.<ColumnFamilyHandle>of() : families) {
                long handle = family.in(database);
                handles.putIfAbsent(family.id(), handle);
            }
            if (handles.isEmpty()) {
                // An atomic flush of nothing would never end.
                return;
            }
            MemorySegment array = NativeValues.words(scratch, handles.size());
            int count = 0;
            for (long handle : handles.values()) {
                array.setAtIndex(ValueLayout.JAVA_LONG, count++, handle);
            }
            NativeBackgroundWork.flush(database.nativeHandle_, call.handle, array.address(), count,
                    Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void flushWal(RocksDB database, boolean sync) throws RocksDBException {
        call(database, (scratch, handle) -> NativeBackgroundWork.flushWal(handle, sync, Errors.place(scratch)));
    }

    /** Syncs the log. If flushes of the log are manual, also flushes its buffer, because RocksDB's C API has no other function. */
    static void syncWal(RocksDB database) throws RocksDBException {
        flushWal(database, true);
    }

    static void disableFileDeletions(RocksDB database) throws RocksDBException {
        call(database, NativeFiles::disableDeletions);
    }

    static void enableFileDeletions(RocksDB database) throws RocksDBException {
        call(database, NativeFiles::enableDeletions);
    }

    static void startTrace(RocksDB database, TraceOptions options, AbstractTraceWriter writer)
            throws RocksDBException {
        long mostBytes = options.getMaxTraceFileSize();
        try (Scratch _ = database.use()) {
            // A trace records each look-up, and writes inside the writer would wait for themselves.
            database.state_.countReads();
            database.state_.setListeners();
            database.state_.isTraced = true;
            database.state_.look();
            RocksDB.jniStartTrace(JniWrappers.object(database.nativeHandle_), mostBytes, writer.newTrace());
        }
    }

    static void endTrace(RocksDB database) throws RocksDBException {
        call(database, (scratch, handle) -> {
            database.state_.look();
            NativeFiles.endTrace(handle, Errors.place(scratch));
        });
    }

    static void ingestExternalFile(RocksDB database, ColumnFamilyHandle family, List<String> paths,
            IngestExternalFileOptions options) throws RocksDBException {
        CallbackRestrictions.requireMayWait("ingesting files");
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                ComparatorMonitor _ = database.state_.changeFiles()) {
            NativeFiles.ingest(scratch, database.nativeHandle_, family.in(database), NativeValues.texts(scratch, paths),
                    paths.size(), call.handle);
            Errors.check(scratch);
        }
    }

    static List<LogFile> getSortedWalFiles(RocksDB database) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            List<LogFile> logs = new ArrayList<>();
            NativeLog.files(scratch, database.nativeHandle_).forEach(file -> logs.add(new LogFile(file.name(),
                    file.number(), (byte) file.type(), file.startSequence(), file.size())));
            Errors.check(scratch);
            return logs;
        }
    }

    static RocksDB.LiveFiles getLiveFiles(RocksDB database, boolean flushMemtable) throws RocksDBException {
        CallbackRestrictions.requireMayWait("a flush");
        try (Scratch scratch = database.use()) {
            List<NativeFiles.StorageInfo> files;
            long options = NativeFiles.newStoredOptions();
            try {
                CApi.rocksdb_livefiles_storage_info_options_set_wal_size_for_flush(options, flushMemtable ? 0 : -1);
                files = NativeFiles.stored(scratch, database.nativeHandle_, options);
            } finally {
                NativeFiles.destroyStoredOptions(options);
            }
            Errors.check(scratch);
            return liveFiles(files);
        }
    }

    private static RocksDB.LiveFiles liveFiles(List<NativeFiles.StorageInfo> files) {
        List<String> names = new ArrayList<>();
        long manifestSize = 0;
        for (int kind : LIVE_KINDS) {
            for (NativeFiles.StorageInfo file : files) {
                if (file.type() == kind) {
                    names.add("/" + file.name());
                    manifestSize = kind == MANIFEST ? file.size() : manifestSize;
                }
            }
        }
        return new RocksDB.LiveFiles(manifestSize, names);
    }
}
