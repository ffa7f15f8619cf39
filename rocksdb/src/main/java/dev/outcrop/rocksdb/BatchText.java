package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The first records of a batch, for messages. */
final class BatchText implements WriteBatchHandler {
    private static final int MAX_SHOWN = 10;

    private final List<String> shown = new ArrayList<>();

    private BatchText() {
    }

    static String of(WriteBatch batch) {
        String size = "write batch of " + batch.count() + (batch.count() == 1 ? " record, " : " records, ")
                + batch.byteSize() + " bytes";
        BatchText text = new BatchText();
        try {
            batch.forEach(text);
        } catch (Enough e) {
            text.shown.add("…");
        } catch (RocksDBException | IllegalStateException e) {
            // Only RocksDB understands what follows, or another thread is changing it.
            text.shown.add("what cannot be shown");
        }
        return text.shown.isEmpty() ? size : size + ": " + String.join(", ", text.shown);
    }

    private void show(int family, String record) {
        if (shown.size() == MAX_SHOWN) {
            throw new Enough();
        }
        shown.add(family == 0 ? record : record + " in family " + family);
    }

    @Override
    public void put(int family, MemorySegment key, MemorySegment value) {
        show(family, "put " + KeyText.of(key) + " = " + KeyText.of(value));
    }

    @Override
    public void delete(int family, MemorySegment key) {
        show(family, "delete " + KeyText.of(key));
    }

    @Override
    public void singleDelete(int family, MemorySegment key) {
        show(family, "single delete " + KeyText.of(key));
    }

    @Override
    public void deleteRange(int family, MemorySegment begin, MemorySegment end) {
        show(family, "delete " + KeyText.of(begin) + " to before " + KeyText.of(end));
    }

    @Override
    public void merge(int family, MemorySegment key, MemorySegment operand) {
        show(family, "merge " + KeyText.of(key) + " with " + KeyText.of(operand));
    }

    @Override
    public void putEntity(int family, MemorySegment key, List<WideColumn> columns) {
        show(family, "put " + KeyText.of(key) + " with " + columns.size() + " columns");
    }

    @Override
    public void logData(MemorySegment data) {
        show(0, "log data " + KeyText.of(data));
    }

    /** Ends the visit. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;

        Enough() {
            super("enough", null, false, false);
        }
    }
}
