package dev.outcrop.rocksdbjni;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.TableProperties;
import org.rocksdb.WriteBatch;

/** Filters of the log and of table files. */
class ReadFiltersTest extends DatabaseTest {
    @Test
    void aWalFilterThatThrowsEndsTheOpeningAndLosesNothing() throws RocksDBException {
        String path = path();
        try (Options options = new Options().setCreateIfMissing(true).setAvoidFlushDuringShutdown(true);
                RocksDB db = RocksDB.open(options, path)) {
            db.put(KEY, KEY);
        }
        try (AbstractWalFilter throwing = new AbstractWalFilter() {
            @Override
            public void columnFamilyLogNumberMap(Map<Integer, Long> logs, Map<String, Integer> ids) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public LogRecordFoundResult logRecordFound(long number, String file, WriteBatch batch, WriteBatch changed) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public String name() {
                return "throwing";
            }
        }; Options options = new Options().setWalFilter(throwing)) {
            assertThatThrownBy(() -> RocksDB.open(options, path)).isInstanceOf(RocksDBException.class);
        }
        Filters.OfLog filter = new Filters.OfLog();
        Options options = new Options().setWalFilter(filter);
        filter.close();
        System.gc();
        try (RocksDB db = RocksDB.open(new Options(options), path)) {
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
        options.close();
    }

    @Test
    void aTableFilterThatThrowsOrIsClosedHidesNothing() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        FlushOptions flush = closeLater(new FlushOptions());
        db.put(KEY, KEY);
        db.flush(flush);
        AbstractTableFilter throwing = new AbstractTableFilter() {
            @Override
            public boolean filter(TableProperties properties) {
                throw new IllegalStateException("on purpose");
            }
        };
        ReadOptions read = new ReadOptions().setTableFilter(throwing);
        throwing.close();
        ReadOptions copy = new ReadOptions(read);
        RocksIterator iterator = db.newIterator(read);
        read.close();
        System.gc();
        iterator.seekToFirst();
        assertThat(iterator.isValid()).isTrue();
        iterator.close();
        try (RocksIterator again = db.newIterator(copy)) {
            again.seekToFirst();
            assertThat(again.key()).isEqualTo(KEY);
        }
        copy.close();
    }
}
