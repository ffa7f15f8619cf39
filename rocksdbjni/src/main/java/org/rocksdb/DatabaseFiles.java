package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is done to a database's files: flushes, the write-ahead log, files from outside. */
final class DatabaseFiles {

    /** RocksDB's numbers of kinds of files, in the order in which the published method names them. */
    private static final int[] LIVE_KINDS = {2, 10, 4, 3, 9};
    private static final int MANIFEST = 3;

    private DatabaseFiles() {
    }

    /** A call without arguments that can fail. */
    private interface Call {
        void run(long database, long error);
    }

    private static void call(RocksDB database, Call call) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            call.run(database.nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void flush(RocksDB database, FlushOptions options) throws RocksDBException {
        flush(database, options, database.getDefaultColumnFamily());
    }

    static void flush(RocksDB database, FlushOptions options, ColumnFamilyHandle family) throws RocksDBException {
        InsideCallbacks.requireMayWait("a flush");
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                OrderWatch _ = database.parts_.change()) {
            database.parts_.freeIdleIterators();
            CApi.rocksdb_flush_cf(database.nativeHandle_, call.handle,
                    family == null ? database.getDefaultColumnFamily().in(database) : family.in(database),
                    Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void flush(RocksDB database, FlushOptions options, List<ColumnFamilyHandle> families)
            throws RocksDBException {
        InsideCallbacks.requireMayWait("a flush");
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                OrderWatch _ = database.parts_.change()) {
            database.parts_.freeIdleIterators();
            // An atomic flush of one that is named twice, be it by two handles, would read beyond its list of memtables.
            Map<Integer, Long> handles = new LinkedHashMap<>();
            for (ColumnFamilyHandle family : families == null ? List.<ColumnFamilyHandle>of() : families) {
                long handle = family.in(database);
                handles.putIfAbsent(family.id(), handle);
            }
            if (handles.isEmpty()) {
                // An atomic flush of nothing would never end.
                return;
            }
            MemorySegment array = Natives.words(scratch, handles.size());
            int count = 0;
            for (long handle : handles.values()) {
                array.setAtIndex(ValueLayout.JAVA_LONG, count++, handle);
            }
            CApi.rocksdb_flush_cfs(database.nativeHandle_, call.handle, array.address(), count, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static void flushWal(RocksDB database, boolean sync) throws RocksDBException {
        call(database, (handle, error) -> CApi.rocksdb_flush_wal(handle, Natives.flag(sync), error));
    }

    /** Also writes what a log with manual flushes still has in memory, because RocksDB's C API has no other function. */
    static void syncWal(RocksDB database) throws RocksDBException {
        flushWal(database, true);
    }

    static void disableFileDeletions(RocksDB database) throws RocksDBException {
        call(database, CApi::rocksdb_disable_file_deletions);
    }

    static void enableFileDeletions(RocksDB database) throws RocksDBException {
        call(database, CApi::rocksdb_enable_file_deletions);
    }

    static void endTrace(RocksDB database) throws RocksDBException {
        call(database, CApi::rocksdb_end_trace);
    }

    static void ingestExternalFile(RocksDB database, List<String> paths, IngestExternalFileOptions options)
            throws RocksDBException {
        ingestExternalFile(database, database.getDefaultColumnFamily(), paths, options);
    }

    static void ingestExternalFile(RocksDB database, ColumnFamilyHandle family, List<String> paths,
            IngestExternalFileOptions options) throws RocksDBException {
        InsideCallbacks.requireMayWait("ingesting files");
        try (CallOptions call = CallOptions.of(options);
                Scratch scratch = database.use();
                OrderWatch _ = database.parts_.changeFiles()) {
            CApi.rocksdb_ingest_external_file_cf(database.nativeHandle_, family.in(database),
                    Natives.texts(scratch, paths), paths.size(), call.handle, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    static List<LogFile> getSortedWalFiles(RocksDB database) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            long files = CApi.rocksdb_get_sorted_wal_files(database.nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
            try {
                List<LogFile> logs = new ArrayList<>();
                for (long i = 0; i < CApi.rocksdb_wal_files_count(files); i++) {
                    long file = CApi.rocksdb_wal_files_get_wal_file(files, i);
                    logs.add(new LogFile(Natives.text(CApi.rocksdb_wal_file_path_name(file)),
                            CApi.rocksdb_wal_file_log_number(file), (byte) CApi.rocksdb_wal_file_type(file),
                            CApi.rocksdb_wal_file_start_sequence(file), CApi.rocksdb_wal_file_size_file_bytes(file)));
                }
                return logs;
            } finally {
                CApi.rocksdb_wal_files_destroy(files);
            }
        }
    }

    static RocksDB.LiveFiles getLiveFiles(RocksDB database) throws RocksDBException {
        return getLiveFiles(database, true);
    }

    static RocksDB.LiveFiles getLiveFiles(RocksDB database, boolean flushMemtable) throws RocksDBException {
        InsideCallbacks.requireMayWait("a flush");
        try (Scratch scratch = database.use()) {
            long options = CApi.rocksdb_livefiles_storage_info_options_create();
            long info;
            try {
                CApi.rocksdb_livefiles_storage_info_options_set_wal_size_for_flush(options, flushMemtable ? 0 : -1);
                info = CApi.rocksdb_get_livefiles_storage_info(database.nativeHandle_, options, Errors.place(scratch));
            } finally {
                CApi.rocksdb_livefiles_storage_info_options_destroy(options);
            }
            Errors.check(scratch);
            try {
                return liveFiles(info);
            } finally {
                CApi.rocksdb_livefiles_storage_info_destroy(info);
            }
        }
    }

    private static RocksDB.LiveFiles liveFiles(long info) {
        List<String> names = new ArrayList<>();
        long manifestSize = 0;
        long count = CApi.rocksdb_livefiles_storage_info_count(info);
        for (int kind : LIVE_KINDS) {
            for (long i = 0; i < count; i++) {
                if (CApi.rocksdb_livefiles_storage_info_file_type(info, i) == kind) {
                    names.add("/" + Natives.text(CApi.rocksdb_livefiles_storage_info_relative_filename(info, i)));
                    manifestSize = kind == MANIFEST
                            ? CApi.rocksdb_livefiles_storage_info_size(info, i)
                            : manifestSize;
                }
            }
        }
        return new RocksDB.LiveFiles(manifestSize, names);
    }
}
