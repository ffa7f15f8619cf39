package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;
import org.rocksdb.StringAppendOperator;

/** Uses of readers of table files that the published jar does not survive. */
class TableFileReaderTest extends DatabaseTest {

    private final Options options = closeLater(new Options().setCreateIfMissing(true));
    private final ReadOptions read = closeLater(new ReadOptions());
    private final SstFileReader reader = closeLater(new SstFileReader(options));

    /** Compares keys from their second byte on, and fails for the key "bad". */
    private static final class Failing extends AbstractComparator {
        Failing(ComparatorOptions options) {
            super(options);
        }

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            if (a.remaining() == 3 || b.remaining() == 3) {
                throw new IllegalArgumentException("bad");
            }
            return a.compareTo(b);
        }
    }

    @BeforeEach
    void writeAFile() throws RocksDBException {
        write("table", options, false);
        write("merges", options, true);
    }

    private void write(String name, Options of, boolean merges) throws RocksDBException {
        try (EnvOptions environment = new EnvOptions(); SstFileWriter writer = new SstFileWriter(environment, of)) {
            writer.open(path(name));
            for (String key : new String[]{"a", "b", "c", "d"}) {
                if (merges && key.equals("c")) {
                    writer.merge(b(key), KEY);
                } else {
                    writer.put(b(key), KEY);
                }
            }
            writer.finish();
        }
    }

    @Test
    void nothingIsReadBeforeAFileIsOpen() throws RocksDBException {
        for (ThrowingUse use : uses()) {
            assertThatThrownBy(() -> use.make(reader)).isInstanceOf(IllegalStateException.class)
                    .hasMessage("The reader has no file: call open first");
        }
        assertThatThrownBy(() -> reader.open(null)).isInstanceOf(NullPointerException.class).hasMessage("filePath");
        assertThatThrownBy(() -> reader.open("zero\0")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reader.open(path("\uD83D\uDE00"))).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("U+FFFF");
        reader.open(path("table"));
        reader.verifyChecksum();
        assertThatThrownBy(() -> reader.open(path("none"))).isInstanceOf(RocksDBException.class);
        for (ThrowingUse use : uses()) {
            assertThatThrownBy(() -> use.make(reader)).isInstanceOf(IllegalStateException.class);
        }
    }

    /** A use of a reader. */
    private interface ThrowingUse {
        void make(SstFileReader used) throws RocksDBException;
    }

    private ThrowingUse[] uses() {
        return new ThrowingUse[]{used -> used.newIterator(read).close(), SstFileReader::verifyChecksum,
                SstFileReader::getTableProperties};
    }

    @Test
    void closingEndsIterators() throws RocksDBException {
        reader.open(path("table"));
        SstFileReaderIterator entries = reader.newIterator(read);
        SstFileReaderIterator closed = reader.newIterator(read);
        entries.seekToFirst();
        closed.seekToFirst();
        closed.close();
        closed.close();
        assertMisuse(closed::key);
        assertMisuse(closed::next);
        assertMisuse(closed::isValid);
        assertThat(entries.key()).isEqualTo(b("a"));
        assertThatThrownBy(() -> reader.open(path("merges"))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Iterators over the file before are open");
        reader.close();
        assertMisuse(entries::isValid);
        assertMisuse(entries::key);
        assertMisuse(entries::value);
        assertMisuse(() -> entries.seek(KEY));
        assertMisuse(entries::status);
        assertMisuse(entries::refresh);
        entries.close();
        for (ThrowingUse use : uses()) {
            assertMisuse(() -> use.make(reader));
        }
        assertMisuse(() -> reader.open(path("table")));
    }

    @Test
    void anIteratorKeepsItsOptions() throws RocksDBException {
        reader.open(path("table"));
        Slice upper = new Slice("c");
        ReadOptions bounded = new ReadOptions().setIterateUpperBound(upper);
        try (SstFileReaderIterator entries = reader.newIterator(bounded)) {
            bounded.close();
            upper.close();
            entries.seekToLast();
            assertThat(entries.key()).isEqualTo(b("b"));
            assertMisuse(() -> reader.newIterator(bounded));
        }
    }

    @Test
    void anEntryMustBeThere() throws RocksDBException {
        reader.open(path("table"));
        try (SstFileReaderIterator entries = reader.newIterator(read)) {
            for (Runnable use : new Runnable[]{entries::key, entries::value, entries::next, entries::prev,
                    () -> entries.key(ByteBuffer.allocate(1)), () -> entries.value(ByteBuffer.allocate(1))}) {
                assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("isValid()");
            }
        }
    }

    @Test
    void mergesAreNotReadBackwardWithoutAnOperator() throws RocksDBException {
        reader.open(path("merges"));
        try (SstFileReaderIterator entries = reader.newIterator(read)) {
            entries.seek(b("d"));
            assertThat(entries.key()).isEqualTo(b("d"));
            for (Runnable use : new Runnable[]{entries::seekToLast, entries::prev,
                    () -> entries.seekForPrev(b("c"))}) {
                assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("cannot be read backward");
            }
            entries.seek(b("c"));
            assertThat(entries.isValid()).isFalse();
            assertThatThrownBy(entries::status).hasMessage("merge_operator_ must be set.");
        }
        for (String unknown : new String[]{"", "unknown"}) {
            options.setMergeOperatorName(unknown);
            try (SstFileReader lacking = new SstFileReader(options)) {
                lacking.open(path("merges"));
                try (SstFileReaderIterator entries = lacking.newIterator(read)) {
                    assertThatThrownBy(entries::seekToLast).isInstanceOf(IllegalStateException.class);
                }
            }
        }
        options.setMergeOperator(closeLater(new StringAppendOperator()));
        try (Options copy = new Options(options); SstFileReader merging = new SstFileReader(copy)) {
            merging.open(path("merges"));
            try (SstFileReaderIterator entries = merging.newIterator(read)) {
                entries.seekForPrev(b("c"));
                assertThat(entries.value()).isEqualTo(KEY);
            }
        }
    }

    @Test
    void plainTablesAreReadForwardOnly() throws RocksDBException {
        try (Options plain = new Options().setTableFormatConfig(new PlainTableConfig())
                .useFixedLengthPrefixExtractor(1).setAllowMmapReads(true)) {
            write("plain", plain, false);
            SstFileReader ofPlain = closeLater(new SstFileReader(plain));
            ofPlain.open(path("plain"));
            try (SstFileReaderIterator entries = ofPlain.newIterator(read)) {
                entries.seekToFirst();
                entries.next();
                assertThat(entries.key()).isEqualTo(b("b"));
                assertThatThrownBy(entries::prev).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("plain table");
                assertThat(entries.key()).isEqualTo(b("b"));
                entries.seekToLast();
                assertThatThrownBy(entries::status).hasMessage("SeekToLast() is not supported in PlainTable");
            }
        }
    }

    @Test
    void timestampsAndReleasedSnapshotsAreRefused() throws RocksDBException {
        reader.open(path("table"));
        try (ReadOptions timed = new ReadOptions().setTimestamp(closeLater(new Slice("12345678")))) {
            assertThatThrownBy(() -> reader.newIterator(timed)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("timestamp");
        }
        try (RocksDB db = RocksDB.open(options, path())) {
            Snapshot snapshot = db.getSnapshot();
            read.setSnapshot(snapshot);
            try (SstFileReaderIterator entries = reader.newIterator(read)) {
                db.releaseSnapshot(snapshot);
                entries.seekToFirst();
                assertThat(entries.key()).isEqualTo(b("a"));
                assertMisuse(() -> entries.refresh(snapshot));
            }
            assertMisuse(() -> reader.newIterator(read));
        }
    }

    @SuppressWarnings("try") // the reader keeps the comparator
    @Test
    void aComparatorMayFail() throws RocksDBException {
        try (ComparatorOptions comparing = new ComparatorOptions();
                Failing order = new Failing(comparing);
                Options ordered = new Options().setComparator(order)) {
            write("ordered", ordered, false);
            SstFileReader failing = closeLater(new SstFileReader(ordered));
            order.close();
            ordered.close();
            failing.open(path("ordered"));
            try (SstFileReaderIterator entries = failing.newIterator(read)) {
                entries.seek(b("bad"));
                assertThat(entries.isValid()).isFalse();
                assertThatThrownBy(entries::status).isInstanceOf(RocksDBException.class)
                        .hasMessageContaining("IllegalArgumentException: bad");
                entries.seek(b("b"));
                assertThat(entries.key()).isEqualTo(b("b"));
                entries.status();
            }
        }
    }

    @Test
    void closingWaitsForCalls() throws Exception {
        reader.open(path("table"));
        CountDownLatch started = new CountDownLatch(2);
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> walking = threads.submit(() -> {
                SstFileReaderIterator entries = reader.newIterator(read);
                while (true) {
                    for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                        assertThat(entries.value()).isEqualTo(KEY);
                    }
                    started.countDown();
                }
            });
            Future<?> opening = threads.submit(() -> {
                while (true) {
                    reader.newIterator(read).close();
                    reader.verifyChecksum();
                    assertThat(reader.getTableProperties().getNumEntries()).isEqualTo(4);
                    started.countDown();
                }
            });
            started.await();
            reader.close();
            for (Future<?> each : new Future<?>[]{walking, opening}) {
                assertThatThrownBy(each::get).cause()
                        .isInstanceOfAny(IllegalStateException.class, AssertionError.class);
            }
        }
    }

    @Test
    void pathsHaveAnyCharacterOfTheBasicPlane() throws Exception {
        Path there = directory.resolve("größer €");
        Files.copy(Path.of(path("table")), there);
        reader.open(there.toString());
        reader.verifyChecksum();
    }
}
