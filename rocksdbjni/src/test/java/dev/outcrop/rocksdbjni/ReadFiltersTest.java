package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
class ReadFiltersTest {

    private static final byte[] KEY = "key".getBytes(UTF_8);

    @TempDir
    Path directory;

    @Tag("verify")
    @Test
    void filtersSeeWhatThePublishedOnesDo() throws Exception {
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Path published = Files.createDirectory(directory.resolve("published"));

        assertThat(ReadFiltersReport.report(ours))
                .isEqualTo(PublishedJvm.run(ReadFiltersReport.class, directory, published.toString()))
                .hasSizeGreaterThan(20);
    }

    @Test
    void aWalFilterThatThrowsEndsTheOpeningAndLosesNothing() throws RocksDBException {
        String path = directory.resolve("db").toString();
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
            public LogRecordFoundResult logRecordFound(long number, String file, WriteBatch batch,
                    WriteBatch changed) {
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
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, directory.resolve("db").toString());
                FlushOptions flush = new FlushOptions()) {
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
}
