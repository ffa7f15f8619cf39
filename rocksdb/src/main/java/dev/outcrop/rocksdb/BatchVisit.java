package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.WideColumns;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/** Shows the records of a batch to a {@link WriteBatchHandler}. */
final class BatchVisit {
    private BatchVisit() {
    }

    static void visit(BatchBuffer buffer, WriteBatchHandler handler) {
        Objects.requireNonNull(handler, "handler");
        MemorySegment data = buffer.data().asReadOnly();
        int count = buffer.count();
        BatchReader reader = new BatchReader(data);
        while (Native.next(reader)) {
            show(reader, handler);
            if (buffer.size() != data.byteSize() || buffer.count() != count) {
                throw new IllegalStateException("The write batch was changed while its records were shown");
            }
        }
    }

    private static void show(BatchReader record, WriteBatchHandler handler) {
        int family = record.family();
        switch (record.tag()) {
            case BatchFormat.PUT -> handler.put(family, record.key(), record.value());
            case BatchFormat.DELETE -> handler.delete(family, record.key());
            case BatchFormat.SINGLE_DELETE -> handler.singleDelete(family, record.key());
            case BatchFormat.DELETE_RANGE -> handler.deleteRange(family, record.key(), record.value());
            case BatchFormat.MERGE -> handler.merge(family, record.key(), record.value());
            case BatchFormat.PUT_ENTITY -> handler.putEntity(family, record.key(), columns(record.value()));
            case BatchFormat.LOG_DATA -> handler.logData(record.value());
            case BatchFormat.BEGIN_PREPARE, BatchFormat.BEGIN_PERSISTED_PREPARE, BatchFormat.BEGIN_UNPREPARE ->
                handler.beginPrepare();
            case BatchFormat.END_PREPARE -> handler.endPrepare(record.value());
            case BatchFormat.COMMIT, BatchFormat.COMMIT_WITH_TIMESTAMP -> handler.commit(record.value());
            case BatchFormat.ROLLBACK -> handler.rollback(record.value());
            case BatchFormat.NOOP -> {
            }
            default -> throw notSupported(record.tag());
        }
    }

    static RocksDBException notSupported(byte tag) {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, switch (tag) {
            case BatchFormat.BLOB_INDEX ->
                "The write batch refers to a blob file, which only its own database can read";
            case BatchFormat.TIMED_PUT ->
                "The write batch has a put with a write time, which RocksDB only experiments with";
            default -> "The write batch has the mark of a prepared transaction, which only RocksDB itself may write";
        });
    }

    private static List<WideColumn> columns(MemorySegment value) {
        WideColumns.Entity entity = WideColumns.Entity.read(value);
        Native.check(entity.problem());
        return WideColumn.of(entity.columns());
    }
}
