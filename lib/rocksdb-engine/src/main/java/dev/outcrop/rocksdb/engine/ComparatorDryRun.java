package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongConsumer;

/**
 * Opens a database for reading before it is opened for writing, to find a comparator that fails. Both ways compare the same keys. But
 * opening for writing turns the log into tables, and leaves out files with a wrong order.
 */
public final class ComparatorDryRun {
    /** Most tables need not be opened: the manifest has their first and last keys. */
    private static final int OPEN_FILES = 64;

    private ComparatorDryRun() {
    }

    /**
     * Opens a database for reading, and closes it again. Ignores RocksDB's errors, which opening for writing reports.
     *
     * @param options       a {@code rocksdb_options_t *}, which stays as it is
     * @param path          of the database, as a C string
     * @param count         the number of column families, all of which exist
     * @param names         the address of their names
     * @param familyOptions the address of their options
     */
    public static void run(long options, MemorySegment path, int count, long names, long familyOptions) {
        run(options, prepared -> open(prepared, path, count, names, familyOptions));
    }

    /**
     * Does the same as {@link #run(long, MemorySegment, int, long, long)}, for families that C cannot open.
     *
     * @param options a {@code rocksdb_options_t *}, which stays as it is
     * @param opening takes the options, opens the database for reading with them, and closes it again
     */
    public static void run(long options, LongConsumer opening) {
        long copy = NativeDbOptions.copy(options);
        try {
            prepare(copy);
            opening.accept(copy);
        } finally {
            NativeDbOptions.destroy(copy);
        }
    }

    private static void open(long options, MemorySegment path, int count, long names, long familyOptions) {
        try (Scratch scratch = NativeCall.scratch()) {
            MemorySegment handles = scratch.allocate(ValueLayout.JAVA_LONG, count);
            boolean evenIfLogExists = false;
            long db = NativeOpening.openReadOnly(options, path, count, names, familyOptions,
                    handles.address(), evenIfLogExists, NativeCall.error(scratch));
            NativeStatus _ = NativeCall.nativeStatus(scratch);
            if (db != 0) {
                for (int i = 0; i < count; i++) {
                    NativeFamilies.close(handles.getAtIndex(ValueLayout.JAVA_LONG, i));
                }
                NativeOpening.close(db);
            }
        }
    }

    private static void prepare(long options) {
        OptionLimits.forReading(options);
        // Separate statistics, because the program's statistics must not count this.
        CApi.rocksdb_options_enable_statistics(options);
        CApi.rocksdb_options_set_max_open_files(options, OPEN_FILES);
        CApi.rocksdb_options_set_skip_stats_update_on_db_open(options, (byte) 1);
        // Allows a log with prepared transactions.
        CApi.rocksdb_options_set_allow_2pc(options, (byte) 1);
    }
}
