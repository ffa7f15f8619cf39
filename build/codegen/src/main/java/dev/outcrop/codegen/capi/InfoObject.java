package dev.outcrop.codegen.capi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A C object that is passed to callbacks, and the Java record that copies it. Every getter of the object becomes a component of the record.
 *
 * @param cType the C type
 * @param prefix of the names of its functions
 * @param javaName the Java record
 * @param description the first sentence of the record's documentation
 */
record InfoObject(String cType, String prefix, String javaName, String description) {

    /** All of them. */
    static final List<InfoObject> ALL = List.of(
            of("blob_file_addition_info", "BlobFileAdditionInfo", "A blob file that was written."),
            of("blob_file_garbage_info", "BlobFileGarbageInfo", "What became garbage in a blob file."),
            of("compaction_file_info", "CompactionFileInfo", "A file that a compaction reads or writes."),
            of("compaction_job_stats", "CompactionJobStats", "What a compaction has done."),
            of("compactionjobinfo", "CompactionJobInfo", "A compaction, as it begins or when it has ended."),
            new InfoObject("rocksdb_compactionservice_jobinfo_t", "rocksdb_compactionservice_jobinfo_t_",
                    "CompactionServiceJobInfo", "A compaction that a compaction service may take over."),
            of("externalfileingestioninfo", "ExternalFileIngestionInfo", "A table file that was ingested."),
            of("flushjobinfo", "FlushJobInfo", "A flush, as it begins or when it has ended."),
            of("memtableinfo", "MemTableInfo", "A memtable that takes no more writes."),
            of("subcompactionjobinfo", "SubcompactionJobInfo",
                    "The part of a compaction that one thread does, as it begins or when it has ended."),
            of("table_properties", "TableProperties", "What RocksDB knows about a table file."),
            of("writestallinfo", "WriteStallInfo", "A change in whether writes are slowed down or stopped."));

    /** Getters that return an integer but mean a boolean. */
    private static final Set<String> BOOLEANS = Set.of("index_key_is_user_key", "index_value_is_delta_encoded",
            "udi_is_primary_index", "user_defined_timestamps_persisted", "separate_key_value_in_data_block");

    /** Getters that return a {@code char *} to bytes that are not text. */
    private static final Set<String> BYTES = Set.of("newest_udt", "smallest_output_key_prefix",
            "largest_output_key_prefix", "user_collected_properties", "seqno_to_time_mapping");

    /** Getters that return a number of an enum's constant. */
    private static final Map<String, String> ENUMS = Map.of("flush_reason", "FlushReason", "compaction_reason",
            "CompactionReason", "blob_compression_type", "CompressionType", "compression", "CompressionType",
            "priority",
            "ThreadPoolPriority", "cur", "WriteStallCondition", "prev", "WriteStallCondition");

    /** Functions of these objects without a component, each with the reason. */
    private static final Map<String, String> SKIPPED = Map.of("create", "makes one", "destroy", "frees one",
            "table_properties_for_file", "looks up in what the component tableProperties holds");

    private static InfoObject of(String name, String javaName, String description) {
        return new InfoObject("rocksdb_" + name + "_t", "rocksdb_" + name + "_", javaName, description);
    }

    /** Returns whether a function reads from this object. */
    boolean owns(CFunction function) {
        return function.name().startsWith(prefix) && !SKIPPED.containsKey(function.name().substring(prefix.length()))
                && function.parameters().getFirst().type().replace("const ", "").equals(cType + " *");
    }

    static boolean isBoolean(String getter) {
        return BOOLEANS.contains(getter);
    }

    static boolean isBytes(String getter) {
        return BYTES.contains(getter);
    }

    static Optional<String> enumOf(String getter) {
        return Optional.ofNullable(ENUMS.get(getter));
    }

    /** Returns the object that a pointer points to. */
    static Optional<InfoObject> pointee(String cType) {
        return ALL.stream().filter(object -> cType.replace("const ", "").equals(object.cType + " *")).findFirst();
    }
}
