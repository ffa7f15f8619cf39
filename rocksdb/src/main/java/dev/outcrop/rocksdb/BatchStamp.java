package dev.outcrop.rocksdb;

/** What follows each key of a batch's records in a column family: its timestamp, if the family has any. */
final class BatchStamp {
    /** For column families without timestamps. */
    static final BatchStamp NONE = new BatchStamp(new byte[0], false);

    final byte[] bytes;
    /** Whether the bytes only hold the place of a timestamp that has to be set before the batch is written. */
    final boolean isMissing;

    private BatchStamp(byte[] bytes, boolean isMissing) {
        this.bytes = bytes;
        this.isMissing = isMissing;
    }

    static BatchStamp of(byte[] timestamp) {
        return new BatchStamp(timestamp, false);
    }

    static BatchStamp missing(int size) {
        return size == 0 ? NONE : new BatchStamp(new byte[size], true);
    }
}
