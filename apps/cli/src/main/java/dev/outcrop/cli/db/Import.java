package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Plural;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.Property;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Status;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteOptions;

/**
 * Stores entries in batches, and counts the stored entries. Thread-safe: one thread may end the import while another thread reads entries.
 */
final class Import {
    private static final long BATCH_BYTES = 1L << 20;
    private static final int BATCH_COUNT = 10_000;
    /** How long to wait for RocksDB's background work, in milliseconds. */
    private static final long PAUSE = 20;
    private final RocksDB db;
    private final ColumnFamily family;
    private final DatabaseWriter writer;
    private final WriteBatch batch = new WriteBatch();
    private long stored;
    private long bytesRead;
    private boolean hasEnded;

    Import(RocksDB db, ColumnFamily family) {
        this.db = db;
        this.family = family;
        // On a full disk RocksDB would wait for room without end.
        this.writer = db.with(new WriteOptions().noSlowdown(true));
    }

    /** Adds an entry, unless the import has ended. */
    synchronized void add(byte[] key, byte[] value) {
        if (hasEnded) {
            return;
        }
        batch.in(family).put(key, value);
        if (batch.count() >= BATCH_COUNT || batch.byteSize() >= BATCH_BYTES) {
            write();
        }
    }

    /** Counts bytes that were read. Returns the total. */
    synchronized long read(long bytes) {
        return bytesRead += bytes;
    }

    /** Returns how many entries are stored. */
    synchronized long stored() {
        return stored;
    }

    /** Ends the import: stores all added entries on the disk. Returns false if the import had already ended. */
    synchronized boolean end() {
        if (hasEnded) {
            return false;
        }
        hasEnded = true;
        write();
        try {
            db.flushWal(true);
            return true;
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private void write() {
        while (true) {
            try {
                writer.write(batch);
                stored += batch.count();
                batch.clear();
                return;
            } catch (RocksDBException e) {
                if (e.status().code() != Status.Code.INCOMPLETE || hasFailed()) {
                    throw failure(e);
                }
                pause();
            }
        }
    }

    /** Tells whether a write waits for room that will not come. */
    private boolean hasFailed() {
        Long errors = db.longProperty(Property.BACKGROUND_ERRORS);
        return errors != null && errors > 0;
    }

    private Failure failure(RocksDBException e) {
        return new Failure(Messages.of(e) + "; stored before that: " + Plural.entries(stored), e);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted while waiting for RocksDB");
        }
    }
}
