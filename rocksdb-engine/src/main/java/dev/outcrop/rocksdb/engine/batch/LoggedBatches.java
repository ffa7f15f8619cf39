package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.rocksdb.engine.LogFormat;
import java.nio.ByteBuffer;

/** The batches in a log, for the sequence number that a database reaches with them. */
public final class LoggedBatches implements LogFormat.Parts {
    private LoggedBatch batch = new LoggedBatch();
    private LoggedBatch lastBatch = new LoggedBatch();
    private boolean isBegun;
    /** The sequence number before the last batch. */
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
            LoggedBatch before = lastBatch;
            lastBatch = batch;
            batch = before;
            reached = Math.max(reached, lastBatch.firstNumber() - 1);
        }
    }

    /** The sequence number that a database has reached at least with all of them; -1 if there are none. */
    public long reached() {
        return Math.max(reached, lastBatch.lastNumber());
    }
}
