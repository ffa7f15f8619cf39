package dev.outcrop.rocksdb.engine.batch;

/** What follows each key of a batch's records in a column family: its timestamp, if the family has any. */
public final class BatchStamp {
    /** For column families without timestamps. */
    public static final BatchStamp NONE = new BatchStamp(new byte[0], false);

    public final byte[] bytes;
    /** Whether the bytes only hold the place of a timestamp that has to be set before the batch is written. */
    public final boolean isMissing;

    private BatchStamp(byte[] bytes, boolean isMissing) {
        this.bytes = bytes;
        this.isMissing = isMissing;
    }

    public static BatchStamp of(byte[] timestamp) {
        return new BatchStamp(timestamp, false);
    }

    public static BatchStamp missing(int size) {
        return size == 0 ? NONE : new BatchStamp(new byte[size], true);
    }
}
