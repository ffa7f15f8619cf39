package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Headers of records in manifests and logs, with each of their bits flipped. Some of these bits would make RocksDB read one record again
 * and again, so they are found before.
 */
class LogFormatTest extends DatabaseTest {
    /** One bit of so many is flipped; which ones, the seed says. */
    private static final int ONE_OF = TestSize.choose("outcrop.bits.one.of", 7, 1);
    private static final int ENTRIES = 6;
    private static final int HEADER = 7;
    private static final int TYPE = 6;

    private Path path = Path.of("");
    private int copies;
    /** Another one for each header. */
    private int phase = (int) (TestSize.seed(getClass()) % ONE_OF);

    /** An action that reads manifests or logs; the other path is for files of its own. */
    interface Action {
        void run(Path path, Path other);
    }

    record Reading(String name, boolean readsManifest, boolean readsLog, Action action) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Reading> readings() {
        Options skipping = new Options().walRecoveryMode(WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS);
        return Stream.of(new Reading("open", true, true, (path, _) -> open(path, new Options()).close()),
                new Reading("open and skip damage", true, true, (path, _) -> open(path, skipping).close()),
                new Reading("open transactions", true, true,
                        (path, _) -> TransactionDB.open(path, new Options()).close()),
                new Reading("open read-only", true, true,
                        (path, _) -> RocksDB.openReadOnly(path, new Options()).close()),
                new Reading("open secondary", true, true,
                        (path, other) -> RocksDB.openSecondary(path, other, new Options()).close()),
                new Reading("list column families", true, false, (path, _) -> RocksDB.listColumnFamilies(path)),
                new Reading("repair", false, true, (path, _) -> RocksDB.repair(path, new Options())));
    }

    private static RocksDB open(Path path, Options options) {
        return RocksDB.open(path, options.avoidFlushDuringShutdown(true));
    }

    private static byte[] key(int i) {
        return Bytes.of("key" + i);
    }

    /** Some of the manifest's records and all of the log's are about these entries. */
    @BeforeEach
    void createDatabase() {
        path = directory.resolve("original");
        try (RocksDB db = open(path, new Options().createIfMissing(true))) {
            for (int i = 0; i < ENTRIES; i++) {
                db.put(key(i), Bytes.of("value" + i));
                if (i == ENTRIES / 2 - 1) {
                    db.defaultColumnFamily().flush();
                }
            }
        }
    }

    private Path copy(String name) throws IOException {
        Path copy = directory.resolve(name);
        Files.createDirectories(copy);
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    /** The positions of the headers of a file's records. */
    private static List<Integer> headers(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        List<Integer> headers = new ArrayList<>();
        for (int at = 0; at < content.length;) {
            headers.add(at);
            at += HEADER + (content[at + 4] & 0xff) + ((content[at + 5] & 0xff) << 8);
        }
        return headers;
    }

    private static void flip(Path file, int at, int bit) throws IOException {
        byte[] content = Files.readAllBytes(file);
        content[at] ^= (byte) (1 << bit);
        Files.write(file, content);
    }

    private void forEachBit(String pattern, int from, Consumer<Path> reading) throws IOException {
        for (int header : headers(DirectoryImage.file(path, pattern))) {
            for (int bit = from * 8 + phase++ % ONE_OF; bit < HEADER * 8; bit += ONE_OF) {
                Path copy = copy("copy " + copies++);
                flip(DirectoryImage.file(copy, pattern), header + bit / 8, bit % 8);
                try {
                    reading.accept(copy);
                } catch (RocksDBException e) {
                    assertThat(e.status().code()).as("header %d, bit %d: %s", header, bit, e)
                            .isIn(Status.Code.CORRUPTION, Status.Code.NOT_FOUND);
                }
            }
        }
        assertThat(copies).isGreaterThanOrEqualTo(ENTRIES / 2);
    }

    @Test
    void ofTheManifest() throws IOException {
        forEachBit("MANIFEST-.*", 0, copy -> open(copy, new Options()).close());
    }

    @Test
    void ofTheLog() throws IOException {
        forEachBit("\\d+\\.log", 0, copy -> {
            try (RocksDB db = open(copy, new Options())) {
                for (int i = 0; i < ENTRIES / 2; i++) {
                    assertThat(db.get(key(i))).isEqualTo(Bytes.of("value" + i));
                }
            }
        });
    }

    /** The types alone, in all that reads these files. */
    @ParameterizedTest
    @MethodSource("readings")
    void types(Reading reading) throws IOException {
        Consumer<Path> action = copy -> reading.action.run(copy, copy.resolveSibling(copy.getFileName() + " followed"));
        if (reading.readsManifest) {
            forEachBit("MANIFEST-.*", TYPE, action);
        }
        if (reading.readsLog) {
            forEachBit("\\d+\\.log", TYPE, action);
        }
    }

    @Test
    void ofTheLogOfAnOpenDatabase() throws IOException {
        RocksDB db = closeLater(open(path, new Options()));
        for (int i = 0; i < ENTRIES; i++) {
            db.put(key(i), Bytes.of("value" + i));
        }
        Path log = DirectoryImage.file(path, "\\d+\\.log");
        for (int header : headers(log)) {
            for (int bit = 0; bit < 8; bit++) {
                flip(log, header + TYPE, bit);
                try (WalIterator changes = db.updatesSince(1)) {
                    while (changes.next()) {
                        assertThat(changes.sequenceNumber()).isPositive();
                    }
                } catch (RocksDBException e) {
                    assertThat(e.status().code()).isIn(Status.Code.CORRUPTION, Status.Code.NOT_FOUND);
                }
                flip(log, header + TYPE, bit);
            }
        }
    }

    /** Such a log is followed by records of the older one, which a secondary instance would read again and again. */
    @Test
    void aSecondaryInstanceOfLogsInOldFiles() {
        Options recycling = new Options().createIfMissing(true).recycleLogFileNum(2);
        Path recycled = directory.resolve("recycled");
        RocksDB db = closeLater(open(recycled, recycling));
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 100 / (round + 1); i++) {
                db.put(key(i), Bytes.of("round" + round));
            }
            if (round < 5) {
                db.defaultColumnFamily().flush();
            }
        }
        Path followed = directory.resolve("followed");
        assertThatThrownBy(() -> RocksDB.openSecondary(recycled, followed, new Options()))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("recycle_log_file_num=2");
        assertThat(followed).doesNotExist();
    }

    @Test
    void aSecondaryInstanceThatIsToCatchUpWithDamage() throws IOException {
        RocksDB db = closeLater(open(path, new Options()));
        RocksDB secondary = closeLater(RocksDB.openSecondary(path, directory.resolve("followed"), new Options()));
        db.put(key(ENTRIES), Bytes.of("value"));
        secondary.tryCatchUpWithPrimary();
        assertThat(secondary.get(key(ENTRIES))).isEqualTo(Bytes.of("value"));
        Path log = DirectoryImage.file(path, "\\d+\\.log");
        db.put(key(ENTRIES), Bytes.of("new value"));
        flip(log, headers(log).getLast() + TYPE, 2);
        assertThatThrownBy(secondary::tryCatchUpWithPrimary).isInstanceOf(RocksDBException.class)
                .hasMessageContaining(log.toString());
        assertThat(secondary.get(key(ENTRIES))).isEqualTo(Bytes.of("value"));
    }

    @Test
    void aRecordThatWouldBeReadAgainAndAgainIsNamed() throws IOException {
        Path log = DirectoryImage.file(path, "\\d+\\.log");
        int second = headers(log).get(1);
        flip(log, second + TYPE, 2);
        assertThatThrownBy(() -> open(path, new Options())).isInstanceOf(RocksDBException.class)
                .hasMessageContaining(log.toString()).hasMessageContaining("offset " + second)
                .hasMessageContaining("type 5");
    }
}
