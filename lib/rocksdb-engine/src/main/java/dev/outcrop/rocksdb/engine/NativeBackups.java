package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Calls of backup engines and their options. */
public final class NativeBackups extends BackupCalls {
    private NativeBackups() {
    }

    /**
     * A backup.
     *
     * @param timestamp seconds since the epoch
     * @param metadata  added by the caller who made it; empty if none
     */
    public record Info(int id, long timestamp, long size, int files, MemorySegment metadata) {
    }

    /** Makes a backup; returns its id. */
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
        // C wrote only the half of the word with the lower address.
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
}
