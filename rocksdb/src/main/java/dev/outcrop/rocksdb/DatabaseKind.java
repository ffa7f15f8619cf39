package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativeSnapshots;
import dev.outcrop.rocksdb.engine.NativeWork;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What differs between a plain database and one with transactions, once it is open. */
interface DatabaseKind {
    /** A plain one. */
    DatabaseKind PLAIN = new DatabaseKind() {
        @Override
        public KeyValueWriter writer(Family family, WriteOptions options) {
            return new FamilyWriter(family, options);
        }

        @Override
        public void write(long db, long options, long batch, long error) {
            NativeWriteBatch.write(db, options, batch, error);
        }

        @Override
        public void writeIndexed(Scratch scratch, long db, long options, long batch) {
            NativeWriteBatchWithIndex.write(scratch, db, options, batch);
        }

        @Override
        public void close(long db) {
            NativeOpening.close(db);
        }
    };

    /** Whether its files may be changed through it. RocksDB does not check that everywhere. */
    default boolean isWritable() {
        return true;
    }

    /** What it can catch up with, or null. */
    default @Nullable FollowedPrimary followed() {
        return null;
    }

    /** Whether RocksDB expects a time at the end of each value, and reads before the start of those that are too short for one. */
    default boolean hasTimes() {
        return false;
    }

    /** Whether each entry has a sequence number of its own, rather than each batch. */
    default boolean numbersEntries() {
        return true;
    }

    /** A writer that does what this kind needs beside writing, such as locking keys. */
    KeyValueWriter writer(Family family, WriteOptions options);

    /** For how long a write without a transaction waits for a lock, for messages. */
    default String lockTimeout() {
        return "its lock time-out";
    }

    /** A reader, likewise. */
    default KeyValueReader reader(Family family, ReadOptions options) {
        return new FamilyReader(family, options);
    }

    /** Creates a column family; returns its handle, or sets the error. */
    default long createColumnFamily(long db, long options, MemorySegment name, long error) {
        return NativeFamilies.create(db, options, name, error);
    }

    /** Makes a snapshot. */
    default long createSnapshot(long db) {
        return NativeSnapshots.create(db);
    }

    /** Releases a snapshot. */
    default void releaseSnapshot(long db, long snapshot) {
        NativeSnapshots.release(db, snapshot);
    }

    /** Makes a {@code rocksdb_checkpoint_t *}, or sets the error. */
    default long createCheckpoint(long db, long error) {
        return NativeCheckpoints.open(db, error);
    }

    /** Flushes one column family. */
    default void flush(long db, long options, long handle, long error) {
        NativeWork.flush(db, options, handle, error);
    }

    /** Flushes column families, all at once if the database does so atomically. */
    default void flush(long db, long options, long handles, int count, long error) {
        NativeWork.flush(db, options, handles, count, error);
    }

    /** Writes the log to its file, and to the disk if {@code sync} is set. */
    default void flushWal(long db, boolean sync, long error) {
        NativeWork.flushWal(db, sync, error);
    }

    /** Writes the log to its file. */
    default void flushWal(long db, long options, long error) {
        CApi.rocksdb_flush_wal_with_options(db, options, error);
    }

    /** Writes a {@code rocksdb_writebatch_t *} that was checked. */
    void write(long db, long options, long batch, long error);

    /** Writes a {@code rocksdb_writebatch_wi_t *}. */
    default void writeIndexed(Scratch scratch, long db, long options, long batch) {
        MemorySegment data = NativeWriteBatchWithIndex.data(scratch, batch);
        long plain = NativeWriteBatch.create(data, data.byteSize());
        try {
            write(db, options, plain, Native.error(scratch));
        } finally {
            NativeWriteBatch.destroy(plain);
        }
    }

    /** Whether it may be given keys with timestamps in a batch. */
    default boolean takesTimestamps() {
        return true;
    }

    /** Links what calls of this kind of database need that may be made where memory or the stack has run out, see {@link FirstCalls}. */
    default void linkCalls() {
        Linkage.linkNow("rocksdb_close", "rocksdb_create_snapshot", "rocksdb_release_snapshot");
    }

    /** Closes the native database, whose family handles have gone before. */
    void close(long db);
}
