package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Timestamps of records that are in a batch already. */
final class BatchTimestamps {
    private BatchTimestamps() {
    }

    /** Refuses a timestamp that some record cannot have. */
    static void check(BatchBuffer buffer, Map<Integer, WriteBatchFamily> families, byte[] timestamp) {
        BatchReader record = new BatchReader(buffer.data());
        while (Native.next(record)) {
            WriteBatchFamily family = stampedFamily(record, families);
            if (family == null) {
                continue;
            }
            if (family.timestampSize() != timestamp.length) {
                throw new IllegalArgumentException(
                        "The timestamp has " + timestamp.length + " bytes, but those of the column family "
                                + family + " have " + family.timestampSize());
            }
            boolean isRange = record.tag() == BatchFormat.DELETE_RANGE;
            if (record.keyLength() < timestamp.length || (isRange && record.valueLength() < timestamp.length)) {
                throw Native.failure(record.damaged("a key is shorter than its timestamp"));
            }
        }
    }

    static void update(BatchBuffer buffer, Map<Integer, WriteBatchFamily> families, byte[] timestamp) {
        BatchReader record = new BatchReader(buffer.data());
        while (Native.next(record)) {
            if (stampedFamily(record, families) != null) {
                set(record.key(), timestamp);
                if (record.tag() == BatchFormat.DELETE_RANGE) {
                    set(record.value(), timestamp);
                }
            }
        }
        buffer.stamped();
    }

    /** The column family of a record with a timestamp; null for any other record. */
    private static @Nullable WriteBatchFamily stampedFamily(BatchReader record,
            Map<Integer, WriteBatchFamily> families) {
        boolean hasTimestamp = switch (record.tag()) {
            case BatchFormat.PUT, BatchFormat.DELETE, BatchFormat.SINGLE_DELETE, BatchFormat.DELETE_RANGE,
                    BatchFormat.MERGE ->
                true;
            default -> false;
        };
        WriteBatchFamily family = families.get(record.family());
        return hasTimestamp && family != null && family.timestampSize() != 0 ? family : null;
    }

    private static void set(MemorySegment key, byte[] timestamp) {
        MemorySegment.copy(timestamp, 0, key, BatchFormat.BYTE, key.byteSize() - timestamp.length, timestamp.length);
    }
}
