package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.rocksdb.engine.LogFormat;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads the batches of a log, to find the last sequence number of the database. */
public final class WalBatches implements LogFormat.Parts {
    private WalBatch batch = new WalBatch();
    private WalBatch lastBatch = new WalBatch();
    private boolean isBegun;
    /** The last sequence number before the last batch. */
    private long reached = -1;

    @Override
    public void add(ByteBuffer part, boolean isFirst, boolean isLast) {
        if (isFirst) {
            batch.clear();
            isBegun = true;
        }
        batch.add(part);
        if (isLast && isBegun) {
            isBegun = false;
            WalBatch before = lastBatch;
            lastBatch = batch;
            batch = before;
            reached = Math.max(reached, lastBatch.firstNumber() - 1);
        }
    }

    /** Returns the least sequence number of a database that has all these batches; -1 if there are none. */
    public long reached() {
        return Math.max(reached, lastBatch.lastNumber());
    }

    /** A batch, with the sequence numbers that it takes at least when RocksDB recovers it. */
    private static final class WalBatch {
        /** Only the beginning of a longer batch is kept. */
        private static final int LONGEST = 64 << 20;

        private byte[] content = new byte[1024];
        private int size;
        private boolean isCut;

        void clear() {
            size = 0;
            isCut = false;
        }

        void add(ByteBuffer part) {
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

        /** Returns the number of its first change; 0 if it has none. */
        long firstNumber() {
            return size < BatchFormat.HEADER ? 0 : batch().get(BatchFormat.LONG, 0);
        }

        /**
         * Returns the number of its last change. Prepared changes have no number. RocksDB gives numbers to empty ranges when it writes
         * them, but not when it recovers them.
         */
        long lastNumber() {
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
            // RocksDB reports damaged batches itself, and may know more kinds of records.
            return records.problem() == null ? last : firstNumber() - 1;
        }

        private MemorySegment batch() {
            return MemorySegment.ofArray(content).asSlice(0, size);
        }
    }
}
