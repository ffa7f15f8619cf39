package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Calls of backup engines and their options. */
public final class NativeBackups {
    private NativeBackups() {
    }

    /**
     * A backup that there is.
     *
     * @param timestamp seconds since the epoch
     * @param metadata  what the caller who made it has added; empty if nothing
     */
    public record Info(int id, long timestamp, long size, int files, MemorySegment metadata) {
    }

    /** Opens a directory with backups. */
    public static long open(Scratch scratch, long options, long env) {
        return CApi.rocksdb_backup_engine_open_opts(options, env, NativeCall.error(scratch));
    }

    public static void close(long engine) {
        CApi.rocksdb_backup_engine_close(engine);
    }

    /** Makes a backup, and returns its id. */
    public static int create(Scratch scratch, long engine, long db, long options, byte[] metadata) {
        scratch.setWord(1, 0);
        if (metadata.length == 0) {
            CApi.rocksdb_backup_engine_create_new_backup_with_options(engine, db, options, scratch.wordAddress(1),
                    NativeCall.error(scratch));
        } else {
            MemorySegment copy = NativeCall.in(scratch, MemorySegment.ofArray(metadata));
            CApi.rocksdb_backup_engine_create_new_backup_with_metadata(engine, db, options, copy, metadata.length,
                    scratch.wordAddress(1), NativeCall.error(scratch));
        }
        // Of the word, C wrote the half that has the lower address.
        return NativeCalls.view(scratch.wordAddress(1), Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    /** Lists the backups, the oldest first. */
    public static List<Info> infos(Scratch scratch, long engine) {
        long list = CApi.rocksdb_backup_engine_get_backup_info(engine);
        try {
            int count = CApi.rocksdb_backup_engine_info_count(list);
            List<Info> infos = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long text = CApi.rocksdb_backup_engine_info_app_metadata(list, i, scratch.wordAddress(1));
                infos.add(new Info(CApi.rocksdb_backup_engine_info_backup_id(list, i),
                        CApi.rocksdb_backup_engine_info_timestamp(list, i),
                        CApi.rocksdb_backup_engine_info_size(list, i),
                        CApi.rocksdb_backup_engine_info_number_files(list, i),
                        MemorySegment.ofArray(
                                NativeCalls.view(text, scratch.word(1)).toArray(ValueLayout.JAVA_BYTE))));
            }
            return infos;
        } finally {
            CApi.rocksdb_backup_engine_info_destroy(list);
        }
    }

    /** Restores a backup. */
    public static void restore(Scratch scratch, long engine, int id, MemorySegment database, MemorySegment walDir,
            long options) {
        CApi.rocksdb_backup_engine_restore_db_from_backup(engine, database, walDir, options, id,
                NativeCall.error(scratch));
    }

    /** Restores the last backup. */
    public static void restoreLatest(Scratch scratch, long engine, MemorySegment database, MemorySegment walDir,
            long options) {
        CApi.rocksdb_backup_engine_restore_db_from_latest_backup(engine, database, walDir, options,
                NativeCall.error(scratch));
    }

    /** Deletes all backups but the last ones. */
    public static void purge(Scratch scratch, long engine, int backupsToKeep) {
        CApi.rocksdb_backup_engine_purge_old_backups(engine, backupsToKeep, NativeCall.error(scratch));
    }

    /** Makes options for a directory, which is a C string. */
    public static long newOptions(MemorySegment directory) {
        return CApi.rocksdb_backup_engine_options_create(directory);
    }

    public static void setEnv(long options, long env) {
        CApi.rocksdb_backup_engine_options_set_env(options, env);
    }

    public static void setBackupRateLimiter(long options, long limiter) {
        CApi.rocksdb_backup_engine_options_set_backup_rate_limiter(options, limiter);
    }

    public static void setRestoreRateLimiter(long options, long limiter) {
        CApi.rocksdb_backup_engine_options_set_restore_rate_limiter(options, limiter);
    }

    public static long newCreateOptions() {
        return CApi.rocksdb_create_backup_options_create();
    }

    public static void destroyCreateOptions(long options) {
        CApi.rocksdb_create_backup_options_destroy(options);
    }

    public static long newRestoreOptions() {
        return CApi.rocksdb_restore_options_create();
    }
}
