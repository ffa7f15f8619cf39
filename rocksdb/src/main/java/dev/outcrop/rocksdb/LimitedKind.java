package dev.outcrop.rocksdb;

/**
 * A plain database that cannot do everything.
 *
 * @param isWritable see {@link DatabaseKind#isWritable()}
 * @param follows    see {@link DatabaseKind#follows()}
 * @param hasTimes   see {@link DatabaseKind#hasTimes()}
 */
record LimitedKind(boolean isWritable, boolean follows, boolean hasTimes) implements DatabaseKind {
    /** One that was opened for reading. */
    static final DatabaseKind READ_ONLY = new LimitedKind(false, false, false);
    /** One that follows what another process writes. */
    static final DatabaseKind SECONDARY = new LimitedKind(false, true, false);
    /** One that RocksDB appends a time to each value of. */
    static final DatabaseKind WITH_TTL = new LimitedKind(true, false, true);

    @Override
    public KeyValueWriter writer(Family family, WriteOptions options) {
        return PLAIN.writer(family, options);
    }

    @Override
    public void write(long db, long options, long batch, long error) {
        if (hasTimes) {
            TimeToLive.requireNoSingleDelete(batch);
        }
        PLAIN.write(db, options, batch, error);
    }

    @Override
    public void close(long db) {
        PLAIN.close(db);
    }
}
