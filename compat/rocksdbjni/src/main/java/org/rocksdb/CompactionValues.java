package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A copy of C's description of a compaction. */
record CompactionValues(MemorySegment family, Status status, long thread, int job, int inputLevel, int outputLevel,
        List<String> inputs, List<String> outputs, Map<String, TableProperties> tables, int reason, int compression,
        Map<String, Long> counts) {

    /** The values before any compaction. */
    static final CompactionValues NONE = new CompactionValues(MemorySegment.ofArray(new byte[0]),
            new Status(Status.Code.Ok, Status.SubCode.None, null), 0, 0, 0, 0, List.of(), List.of(), Map.of(), 0, 0,
            Map.of());

    static CompactionValues of(long info, Scratch scratch) {
        MemorySegment family = MemorySegment.ofArray(NativeValues.bytes(
                CApi.rocksdb_compactionjobinfo_cf_name(info, scratch.wordAddress(1)), scratch.word(1)));
        CApi.rocksdb_compactionjobinfo_status(info, Errors.place(scratch));
        Status status = EventData.status(scratch);
        Map<String, TableProperties> tables = new HashMap<>();
        for (long i = 0; i < CApi.rocksdb_compactionjobinfo_table_properties_count(info); i++) {
            String name = EventData.text(scratch,
                    CApi.rocksdb_compactionjobinfo_table_properties_key_at(info, i, scratch.wordAddress(1)));
            tables.put(name,
                    EventData.table(CApi.rocksdb_compactionjobinfo_table_properties_value_at(info, i), scratch));
        }
        return new CompactionValues(family, status, CApi.rocksdb_compactionjobinfo_thread_id(info),
                CApi.rocksdb_compactionjobinfo_job_id(info), CApi.rocksdb_compactionjobinfo_base_input_level(info),
                CApi.rocksdb_compactionjobinfo_output_level(info),
                files(info, scratch, NativeBackgroundWork.jobInputs(info),
                        CApi::rocksdb_compactionjobinfo_input_file_at),
                files(info, scratch, CApi.rocksdb_compactionjobinfo_output_files_count(info),
                        CApi::rocksdb_compactionjobinfo_output_file_at),
                tables, CApi.rocksdb_compactionjobinfo_compaction_reason(info),
                CApi.rocksdb_compactionjobinfo_compression(info),
                CompactionCounters.copy(NativeBackgroundWork.jobStats(info)));
    }

    /** A C function that returns the name of a file. */
    private interface FileAt {
        long get(long info, long place, long length);
    }

    private static List<String> files(long info, Scratch scratch, long count, FileAt file) {
        List<String> files = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            files.add(EventData.text(scratch, file.get(info, i, scratch.wordAddress(1))));
        }
        return files;
    }
}
