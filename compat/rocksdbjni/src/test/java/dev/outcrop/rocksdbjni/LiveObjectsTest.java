package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.rocksdb.DirectSlice;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Objects that getters return belong to their owner, and end with it. */
class LiveObjectsTest extends DatabaseTest {
    private static final byte[] KEY = {1};

    @Test
    void optionsOfATransactionAreThoseThatItWritesWith() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locks = new TransactionDBOptions();
                TransactionDB database = TransactionDB.open(options, locks, directory.toString());
                WriteOptions given = new WriteOptions()) {
            WriteOptions live;
            try (Transaction transaction = database.beginTransaction(given)) {
                live = transaction.getWriteOptions();
                live.setDisableWAL(true);
                assertThat(transaction.getWriteOptions()).isSameAs(live);
                assertThat(given.disableWAL()).isFalse();
                long before = database.getLatestSequenceNumber();
                transaction.put(KEY, KEY);
                transaction.commit();
                try (TransactionLogIterator log = database.getUpdatesSince(before + 1)) {
                    assertThat(log.isValid()).isFalse();
                }
            }
            assertMisuse(live::disableWAL);
        }
    }

    @Test
    void optionsOfATransactionEndWithTheDatabase() throws RocksDBException {
        WriteOptions leaked;
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locks = new TransactionDBOptions();
                TransactionDB database = TransactionDB.open(options, locks, directory.toString());
                WriteOptions given = new WriteOptions()) {
            leaked = database.beginTransaction(given).getWriteOptions();
        }
        assertMisuse(() -> leaked.setSync(true));
    }

    @Test
    void theBatchOfAnIndexedOneHasItsRecords() throws RocksDBException {
        WriteBatchWithIndex indexed = new WriteBatchWithIndex(true);
        try (WriteBatch batch = indexed.getWriteBatch();
                RocksDB database = RocksDB.open(directory.toString());
                WriteOptions options = new WriteOptions()) {
            indexed.put(KEY, KEY);
            batch.put(new byte[]{2}, KEY);
            assertThat(batch.count()).isEqualTo(indexed.count()).isEqualTo(2);
            assertThatThrownBy(() -> batch.deleteRange(KEY, new byte[]{9})).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("DeleteRange");
            database.write(options, indexed);
            assertThat(database.get(new byte[]{2})).isEqualTo(KEY);
            indexed.close();
            assertMisuse(batch::count);
            assertMisuse(() -> batch.put(KEY, KEY));
            assertMisuse(() -> database.write(options, batch));
        }
    }

    @Test
    void textsOfOptionsAreReadAsTheyAreWritten() {
        assertThat(MutableDBOptions.parse("daily_offpeak_time_utc=02\\:20-19\\:50").build())
                .hasToString("daily_offpeak_time_utc=02:20-19:50");
        assertThat(MutableColumnFamilyOptions.parse("max_bytes_for_level_multiplier_additional=2:{3}:{5}").build())
                .hasToString("max_bytes_for_level_multiplier_additional=2:3:5");
        assertThat(MutableDBOptions.parse("x={a={b={c=1;};};d=2:{3}};max_open_files=1e3", true).build())
                .hasToString("max_open_files=1000");
        assertThatThrownBy(() -> MutableDBOptions.parse("max_open_files=1:2"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("max_open_files");
    }

    @Test
    void aSliceOfABufferEndsAtItsFirstZero() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(6).put("abc\0d".getBytes(UTF_8));
        try (DirectSlice slice = new DirectSlice(buffer); DirectSlice whole = new DirectSlice(buffer, 5)) {
            assertThat(slice.toString()).isEqualTo("abc");
            assertThat(whole.size()).isEqualTo(5);
        }
        try (DirectSlice slice = new DirectSlice(ByteBuffer.allocateDirect(3).put("abc".getBytes(UTF_8)))) {
            assertThat(slice.size()).isEqualTo(3);
        }
    }
}
