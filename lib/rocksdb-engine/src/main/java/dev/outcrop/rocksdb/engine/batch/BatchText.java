package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first records of a batch, for messages. */
public final class BatchText {
    private static final int MOST_SHOWN = 10;

    private BatchText() {
    }

    /** Returns the records after a colon; empty if there are none. */
    public static String of(MemorySegment batch) {
        List<String> shown = new ArrayList<>();
        BatchReader record = new BatchReader(batch);
        boolean isMore = record.next();
        while (isMore && shown.size() < MOST_SHOWN) {
            String text = text(record);
            if (text != null) {
                shown.add(record.family() == 0 ? text : text + " in family " + record.family());
            }
            isMore = record.next();
        }
        if (isMore) {
            shown.add("…");
        } else if (record.problem() != null) {
            shown.add("what cannot be shown");
        }
        return shown.isEmpty() ? "" : ": " + String.join(", ", shown);
    }

    /** Returns a record; null for the marks of transactions. */
    private static @Nullable String text(BatchReader record) {
        return switch (record.tag()) {
            case BatchFormat.PUT -> "put " + KeyText.of(record.key()) + " = " + KeyText.of(record.value());
            case BatchFormat.DELETE -> "delete " + KeyText.of(record.key());
            case BatchFormat.SINGLE_DELETE -> "single delete " + KeyText.of(record.key());
            case BatchFormat.DELETE_RANGE ->
                "delete " + KeyText.of(record.key()) + " to before " + KeyText.of(record.value());
            case BatchFormat.MERGE -> "merge " + KeyText.of(record.key()) + " with " + KeyText.of(record.value());
            case BatchFormat.PUT_ENTITY -> "put " + KeyText.of(record.key()) + " with "
                    + WideColumns.Entity.read(record.value()).columns().size() + " columns";
            case BatchFormat.LOG_DATA -> "log data " + KeyText.of(record.value());
            case BatchFormat.BLOB_INDEX, BatchFormat.TIMED_PUT -> "what cannot be shown";
            default -> null;
        };
    }
}
