package org.rocksdb;

import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Calls a handler for the records of a batch. */
final class BatchHandlers {

    private BatchHandlers() {
    }

    static void tell(WriteBatch.Handler handler, MemorySegment batch) throws RocksDBException {
        BatchReader reader = new BatchReader(batch);
        boolean isEmpty = true;
        while (handler.shouldContinue() && BatchBuffers.next(reader)) {
            tell(handler, reader, isEmpty);
            isEmpty &= !isData(reader.tag());
        }
    }

    private static boolean isData(byte tag) {
        return switch (tag) {
            case BatchFormat.LOG_DATA, BatchFormat.NOOP, BatchFormat.BEGIN_PREPARE -> false;
            default -> true;
        };
    }

    private static void tell(WriteBatch.Handler handler, BatchReader record, boolean isEmpty) throws RocksDBException {
        int family = record.family();
        switch (record.tag()) {
            case BatchFormat.PUT -> handler.put(family, key(record), value(record));
            case BatchFormat.MERGE -> handler.merge(family, key(record), value(record));
            case BatchFormat.DELETE -> handler.delete(family, key(record));
            case BatchFormat.SINGLE_DELETE -> handler.singleDelete(family, key(record));
            case BatchFormat.DELETE_RANGE -> handler.deleteRange(family, key(record), value(record));
            case BatchFormat.LOG_DATA -> handler.logData(value(record));
            case BatchFormat.BLOB_INDEX -> handler.putBlobIndex(family, key(record), value(record));
            case BatchFormat.BEGIN_PREPARE, BatchFormat.BEGIN_PERSISTED_PREPARE, BatchFormat.BEGIN_UNPREPARE ->
                handler.markBeginPrepare();
            case BatchFormat.END_PREPARE -> handler.markEndPrepare(value(record));
            case BatchFormat.NOOP -> handler.markNoop(isEmpty);
            case BatchFormat.ROLLBACK -> handler.markRollback(value(record));
            case BatchFormat.COMMIT -> handler.markCommit(value(record));
            case BatchFormat.COMMIT_WITH_TIMESTAMP ->
                handler.markCommitWithTimestamp(value(record), key(record));
            default -> throw new RocksDBException(new Status(Status.Code.InvalidArgument, Status.SubCode.None,
                    "No method of a handler is for records of the kind " + record.tag()));
        }
    }

    private static byte[] key(BatchReader record) {
        return record.key().toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] value(BatchReader record) {
        return record.value().toArray(ValueLayout.JAVA_BYTE);
    }
}
