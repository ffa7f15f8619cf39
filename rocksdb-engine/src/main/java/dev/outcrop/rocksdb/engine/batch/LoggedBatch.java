package dev.outcrop.rocksdb.engine.batch;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A batch in a log, for the sequence numbers that it takes at least when RocksDB applies it again. */
public final class LoggedBatch {
    /** What is kept of longer ones is their beginning. */
    private static final int LONGEST = 64 << 20;

    private byte[] content = new byte[1024];
    private int size;
    private boolean isCut;

    public void clear() {
        size = 0;
        isCut = false;
    }

    public void add(ByteBuffer part) {
        int length = part.remaining();
        isCut |= size + length > LONGEST;
        if (!isCut) {
            if (size + length > content.length) {
                content = Arrays.copyOf(content, Math.max(size + length, 2 * content.length));
            }
            part.get(part.position(), content, size, length);
            size += length;
        }
    }

    /** The number of its first change; 0 if it has none. */
    public long firstNumber() {
        return size < BatchFormat.HEADER ? 0 : batch().get(BatchFormat.LONG, 0);
    }

    /**
     * The number of its last change. What is prepared only has none, and a range may be empty: RocksDB gives numbers to empty ones when
     * they are written, but not when it recovers them.
     */
    public long lastNumber() {
        long last = firstNumber() - 1;
        if (isCut || size < BatchFormat.HEADER) {
            return last;
        }
        BatchReader records = new BatchReader(batch());
        boolean isPrepared = false;
        while (records.next()) {
            switch (records.tag()) {
                case BatchFormat.BEGIN_PREPARE, BatchFormat.BEGIN_PERSISTED_PREPARE, BatchFormat.BEGIN_UNPREPARE ->
                    isPrepared = true;
                case BatchFormat.END_PREPARE -> isPrepared = false;
                case BatchFormat.DELETE_RANGE, BatchFormat.LOG_DATA, BatchFormat.NOOP, BatchFormat.COMMIT,
                        BatchFormat.COMMIT_WITH_TIMESTAMP, BatchFormat.ROLLBACK ->
                    {
                    }
                default -> last += isPrepared ? 0 : 1;
            }
        }
        // RocksDB reports a damaged batch itself, or knows more kinds of records.
        return records.problem() == null ? last : firstNumber() - 1;
    }

    private MemorySegment batch() {
        return MemorySegment.ofArray(content).asSlice(0, size);
    }
}
