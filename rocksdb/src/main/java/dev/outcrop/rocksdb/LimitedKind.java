package dev.outcrop.rocksdb;

import org.jspecify.annotations.Nullable;

/**
 * A plain database that cannot do everything.
 *
 * @param isWritable see {@link DatabaseKind#isWritable()}
 * @param followed   see {@link DatabaseKind#followed()}
 * @param hasTimes   see {@link DatabaseKind#hasTimes()}
 */
record LimitedKind(boolean isWritable, @Nullable FollowedPrimary followed, boolean hasTimes) implements DatabaseKind {
    /** One that was opened for reading. */
    static final DatabaseKind READ_ONLY = new LimitedKind(false, null, false);
    /** One that RocksDB appends a time to each value of. */
    static final DatabaseKind WITH_TTL = new LimitedKind(true, null, true);

    /** One that follows what another process writes. */
    static DatabaseKind following(FollowedPrimary primary) {
        return new LimitedKind(false, primary, false);
    }

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
