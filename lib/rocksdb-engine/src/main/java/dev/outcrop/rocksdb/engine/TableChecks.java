package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether table files can be written with a set of options. RocksDB does so only when it opens a database. Without the check, it
 * ends the process when it writes a file with a hash index and no prefix extractor. With other options it fails to write a file, or writes
 * one that cannot be read.
 */
public final class TableChecks {
    /** RocksDB's message for the fraction below. */
    private static final String WRONG_FRACTION = "The age cutoff for blob garbage collection";

    private TableChecks() {
    }

    /**
     * Returns why RocksDB cannot write tables with such options ({@code rocksdb_options_t *}), or null if it can.
     *
     * <p>Asks RocksDB to open a database with two column families. It checks the tables of both families first, and then the other options
     * of one family after the other. Those of the first family are wrong, so RocksDB never reaches the directory.
     */
    public static @Nullable String refusal(long options) {
        long wrong = NativeDbOptions.create();
        try (Scratch scratch = NativeCall.scratch()) {
            CApi.rocksdb_options_set_enable_blob_gc(wrong, (byte) 1);
            CApi.rocksdb_options_set_blob_gc_age_cutoff(wrong, 2);
            MemorySegment names = OptionValues.array(scratch, "A column family's name", List.of("default", "tested"));
            MemorySegment families = scratch.allocate(2L * Long.BYTES, Long.BYTES);
            families.setAtIndex(ValueLayout.JAVA_LONG, 0, wrong);
            families.setAtIndex(ValueLayout.JAVA_LONG, 1, options);
            MemorySegment handles = scratch.allocate(2L * Long.BYTES, Long.BYTES);
            long _ = NativeOpening.open(options, NativeCall.in(scratch, "nowhere"), 2, names.address(),
                    families.address(), handles.address(), NativeCall.error(scratch));
            NativeStatus status = NativeCall.nativeStatus(scratch);
            return status == null || status.message().startsWith(WRONG_FRACTION) ? null : status.message();
        } finally {
            NativeDbOptions.destroy(wrong);
        }
    }
}
