package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionLogIterator;

/** A {@code TransactionLogIterator} follows what is written. */
class FollowedLogTest {

    @TempDir
    Path directory;

    @Test
    void goesOnBehindTheLastBatch() throws RocksDBException {
        try (RocksDB db = RocksDB.open(directory.toString())) {
            db.put(key(1), key(1));
            try (TransactionLogIterator log = db.getUpdatesSince(1)) {
                assertThat(sequence(log)).isEqualTo(1);
                log.next();
                log.next();
                assertThat(log.isValid()).isFalse();
                db.put(key(2), key(2));
                assertThat(log.isValid()).isFalse();
                log.next();
                assertThat(sequence(log)).isEqualTo(2);
            }
        }
    }

    /** The published jar reads freed memory or none here. */
    @Test
    void beginsWhenThereIsSomething() throws RocksDBException {
        try (RocksDB db = RocksDB.open(directory.toString());
                TransactionLogIterator log = db.getUpdatesSince(0)) {
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
    }

    @Test
    void saysThatTheLogGoesOnInAnotherFile() throws RocksDBException {
        try (RocksDB db = RocksDB.open(directory.toString()); FlushOptions flush = new FlushOptions()) {
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
            try (TransactionLogIterator log = db.getUpdatesSince(2)) {
                assertThat(sequence(log)).isEqualTo(2);
            }
        }
    }

    private static byte[] key(int number) {
        return new byte[]{(byte) number};
    }

    private static long sequence(TransactionLogIterator log) {
        assertThat(log.isValid()).isTrue();
        return log.getBatch().sequenceNumber();
    }
}
