package dev.outcrop.rocksdbjni;

import org.junit.jupiter.api.Test;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionLogIterator;

/** A {@code TransactionLogIterator} follows the log. */
class FollowedLogTest extends DatabaseTest {
    @Test
    void goesOnBehindTheLastBatch() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(directory.toString()));
        db.put(key(1), key(1));
        TransactionLogIterator log = closeLater(db.getUpdatesSince(1));
        assertThat(sequence(log)).isEqualTo(1);
        log.next();
        log.next();
        assertThat(log.isValid()).isFalse();
        db.put(key(2), key(2));
        assertThat(log.isValid()).isFalse();
        log.next();
        assertThat(sequence(log)).isEqualTo(2);
    }

    /** The published jar reads freed memory or none here. */
    @Test
    void beginsWhenThereIsSomething() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(directory.toString()));
        TransactionLogIterator log = closeLater(db.getUpdatesSince(0));
        log.next();
        assertThat(log.isValid()).isFalse();
        log.status();
        assertThatThrownBy(log::getBatch).isInstanceOf(IllegalStateException.class);
        for (int i = 1; i < 4; i++) {
            db.put(key(i), key(i));
            log.next();
            assertThat(sequence(log)).isEqualTo(i);
        }
    }

    @Test
    void saysThatTheLogGoesOnInAnotherFile() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(directory.toString()));
        FlushOptions flush = closeLater(new FlushOptions());
        db.put(key(1), key(1));
        try (TransactionLogIterator log = db.getUpdatesSince(1)) {
            log.next();
            db.flush(flush);
            log.next();
            log.status();
            db.put(key(2), key(2));
            log.next();
            assertThat(log.isValid()).isFalse();
            assertThatThrownBy(log::status).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("Create a new iterator");
        }
        TransactionLogIterator log = closeLater(db.getUpdatesSince(2));
        assertThat(sequence(log)).isEqualTo(2);
    }

    private static byte[] key(int number) {
        return new byte[]{(byte) number};
    }

    private static long sequence(TransactionLogIterator log) {
        assertThat(log.isValid()).isTrue();
        return log.getBatch().sequenceNumber();
    }
}
