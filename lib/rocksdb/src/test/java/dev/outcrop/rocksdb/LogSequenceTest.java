package dev.outcrop.rocksdb;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The check that the database holds all of its log accepts every sound database, however its logs are written. */
@Tag("verify")
class LogSequenceTest extends DatabaseTest {
    private static final byte[] LAST = Bytes.of("last");

    /** The files as they are while the database is open, as after a crash: again if RocksDB has deleted one meanwhile. */
    private Path copy(int number) throws IOException {
        for (int attempt = 0;; attempt++) {
            Path copy = Files.createDirectory(directory.resolve("copy" + number + "-" + attempt));
            List<Path> files = files();
            try {
                for (Path file : files) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            } catch (NoSuchFileException e) {
                continue;
            }
            if (files().equals(files)) {
                return copy;
            }
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("database"))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private <D extends RocksDB> void assertOpens(D db, Consumer<D> writing, List<Function<Path, RocksDB>> openings)
            throws IOException {
        try (db) {
            writing.accept(db);
            db.put(LAST, LAST);
            for (int i = 0; i < openings.size(); i++) {
                try (RocksDB copy = openings.get(i).apply(copy(i))) {
                    assertThat(copy.get(LAST)).isEqualTo(LAST);
                }
            }
        }
    }

    private RocksDB create(Options options) {
        return RocksDB.open(directory.resolve("database"), options.createIfMissing(true));
    }

    private List<Function<Path, RocksDB>> all() {
        return List.of(RocksDB::open, RocksDB::openReadOnly,
                path -> RocksDB.openSecondary(path, directory.resolve("secondary")),
                TransactionDB::open, OptimisticTransactionDB::open);
    }

    private static void write(RocksDB db) {
        ColumnFamily dropped = db.createColumnFamily("dropped", new Options());
        for (int i = 0; i < 100; i++) {
            db.put(Bytes.of("key" + i), new byte[i * 997]);
            dropped.put(Bytes.of("key" + i), new byte[i]);
            if (i % 30 == 29) {
                db.flush();
            }
        }
        WriteBatch batch = new WriteBatch();
        for (int i = 0; i < 1000; i++) {
            batch.put(Bytes.of("key" + i), new byte[i]);
        }
        batch.putLogData(MemorySegment.ofArray(LAST));
        batch.deleteRange(MemorySegment.ofArray(Bytes.of("a")), MemorySegment.ofArray(Bytes.of("b")));
        db.write(batch);
        db.dropColumnFamily(dropped);
    }

    @Test
    void logsOfManyRecords() throws IOException {
        assertOpens(create(new Options()), LogSequenceTest::write, all());
    }

    @Test
    void logsThatUseOldFilesAgain() throws IOException {
        assertOpens(create(new Options().recycleLogFileNum(2)), LogSequenceTest::write,
                List.of(RocksDB::openReadOnly, RocksDB::open));
    }

    @Test
    void compressedLogs() throws IOException {
        assertOpens(create(new Options().walCompression(CompressionType.ZSTD)), LogSequenceTest::write, all());
    }

    @Test
    void entriesOutsideTheLog() throws IOException {
        WriteOptions without = new WriteOptions().disableWAL(true);
        assertOpens(create(new Options()), db -> {
            write(db);
            db.with(without).put(Bytes.of("lost"), LAST);
        }, all());
    }

    /** RocksDB skips such logs, and no table has their last numbers. */
    @Test
    void logsThatAreNoLongerNeeded() throws IOException {
        try (RocksDB db = create(new Options())) {
            ColumnFamily dropped = db.createColumnFamily("dropped", new Options());
            db.put(LAST, LAST);
            dropped.put(Bytes.of("a"), LAST);
            dropped.put(Bytes.of("b"), LAST);
            db.defaultColumnFamily().flush();
            db.dropColumnFamily(dropped);
            requireOpening(1);
        }
        requireOpening(2);
        Path path = directory.resolve("used again");
        byte[] single = Bytes.of("single");
        try (RocksDB db = RocksDB.open(path, create().recycleLogFileNum(2))) {
            for (int i = 0; i < 4; i++) {
                db.put(LAST, LAST);
                db.put(single, LAST);
                db.singleDelete(single);
                db.flush();
            }
        }
        for (int i = 0; i < 3; i++) {
            try (RocksDB db = i == 0 ? RocksDB.openReadOnly(path) : RocksDB.open(path)) {
                assertThat(db.get(LAST)).isEqualTo(LAST);
            }
        }
    }

    private void requireOpening(int round) throws IOException {
        List<Function<Path, RocksDB>> openings = all();
        for (int i = 0; i < openings.size(); i++) {
            try (RocksDB copy = openings.get(i).apply(copy(10 * round + i))) {
                assertThat(copy.get(LAST)).isEqualTo(LAST);
            }
        }
    }

    /** RocksDB gives them numbers when they are written, but not when it recovers its log. */
    @Test
    void emptyRangesAtTheEnd() throws IOException {
        byte[] begin = Bytes.of("a");
        for (int puts = 0; puts < 2; puts++) {
            for (int ranges = 1; ranges < 4; ranges++) {
                Path path = directory.resolve("ranges" + puts + ranges);
                try (RocksDB db = RocksDB.open(path, create().avoidFlushDuringShutdown(true))) {
                    db.put(LAST, LAST);
                    WriteBatch batch = new WriteBatch();
                    for (int i = 0; i < puts; i++) {
                        batch.put(LAST, LAST);
                    }
                    for (int i = 0; i < ranges; i++) {
                        batch.deleteRange(MemorySegment.ofArray(begin), MemorySegment.ofArray(begin));
                    }
                    db.write(batch);
                }
                for (int i = 0; i < 3; i++) {
                    try (RocksDB db = i == 0 ? RocksDB.openReadOnly(path) : RocksDB.open(path)) {
                        assertThat(db.get(LAST)).isEqualTo(LAST);
                    }
                }
            }
        }
    }

    @Test
    void aTornRecord() throws IOException {
        RocksDB db = closeLater(create(new Options()));
        write(db);
        db.put(LAST, LAST);
        db.put(Bytes.of("torn"), new byte[100_000]);
        for (int i = 1; i < 12; i++) {
            Path copy = copy(i);
            DirectoryImage.cut(DirectoryImage.file(copy, "\\d+\\.log"), i * 9000);
            try (RocksDB opened = RocksDB.open(copy)) {
                assertThat(opened.get(LAST)).isEqualTo(LAST);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void transactions(TransactionWritePolicy policy) throws IOException {
        TransactionDBOptions options = new TransactionDBOptions().writePolicy(policy);
        TransactionDB created = TransactionDB.open(directory.resolve("database"), create(), options, Map.of());
        List<Transaction> prepared = new ArrayList<>();
        assertOpens(created, db -> {
            for (String end : List.of("commit", "rollback", "nothing")) {
                Transaction transaction = db.begin();
                transaction.setName(end);
                for (int i = 0; i < 10; i++) {
                    transaction.put(Bytes.of(end + i), LAST);
                    db.put(Bytes.of("other" + i), LAST);
                }
                transaction.prepare();
                if (end.equals("commit")) {
                    transaction.commit();
                } else if (end.equals("rollback")) {
                    transaction.rollback();
                }
                prepared.add(transaction);
            }
        }, List.of(path -> TransactionDB.open(path, new Options(), options, Map.of())));
        prepared.forEach(Transaction::close);
    }
}
