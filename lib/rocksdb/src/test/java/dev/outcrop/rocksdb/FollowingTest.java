package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Secondary and read-only instances of a database that is being written show all of it, or say why not. */
class FollowingTest extends DatabaseTest {
    private static final int OF_EACH_FILE = 100;
    private static final String TABLE = "\\d+\\.sst";
    private static final String BLOB = "\\d+\\.blob";
    private static final String LOG = "\\d+\\.log";

    private Path path = Path.of("");
    private Path own = Path.of("");
    private int seconds;

    @BeforeEach
    void names() {
        path = directory.resolve("database");
        own = directory.resolve("own");
    }

    private static Options options() {
        return create().disableAutoCompactions(true);
    }

    private RocksDB primary(Options options) {
        RocksDB db = RocksDB.open(path, options);
        for (int file = 0; file < 3; file++) {
            fill(db, file);
            db.defaultColumnFamily().flush();
        }
        return db;
    }

    private static void fill(RocksDB db, int file) {
        for (int i = 0; i < OF_EACH_FILE; i++) {
            db.put(Bytes.of("key" + file + "-" + i), Bytes.of("value of some length " + i));
        }
    }

    private RocksDB secondary() {
        return RocksDB.openSecondary(path, own.resolveSibling("own" + seconds++), new Options());
    }

    private static int count(RocksDB db) {
        int count = 0;
        try (KeyValueIterator entries = db.iterator()) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                count++;
            }
        }
        return count;
    }

    private RocksDBException failure(ThrowingCallable call) {
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.getMessage()).contains(path.toString());
        return thrown;
    }

    private List<Path> files(String pattern) {
        try (Stream<Path> all = Files.list(path)) {
            return all.filter(file -> file.getFileName().toString().matches(pattern)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void cut(Path file, long size) {
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Damage(String name, Consumer<Path> action) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Damage> damages() {
        return Stream.of(new Damage("deleted", file -> file.toFile().delete()),
                new Damage("cut off", file -> cut(file, 520)),
                new Damage("emptied", file -> cut(file, 0)));
    }

    @ParameterizedTest
    @MethodSource("damages")
    void aTable(Damage damage) {
        RocksDB primary = closeLater(primary(options()));
        RocksDB before = closeLater(secondary());
        assertThat(count(before)).isEqualTo(3 * OF_EACH_FILE);
        Path file = files(TABLE).get(1);
        damage.action.accept(file);
        for (int i = 0; i < 2; i++) {
            RocksDBException thrown = failure(this::secondary);
            assertThat(thrown.status().code()).isEqualTo(Status.Code.CORRUPTION);
            assertThat(thrown.getMessage()).contains(file.getFileName().toString());
        }
        RocksDBException thrown = failure(() -> RocksDB.openReadOnly(path, new Options()));
        assertThat(thrown.getMessage()).contains(file.getFileName().toString()).contains("process")
                .doesNotContain("MANIFEST-");
        // The files that it has open are there.
        before.tryCatchUpWithPrimary();
        fill(primary, 3);
        before.tryCatchUpWithPrimary();
        assertThat(count(before)).isEqualTo(4 * OF_EACH_FILE);
    }

    @Test
    void aTableOfAnotherDatabase() throws IOException {
        Path mine = path;
        RocksDB _ = closeLater(primary(options()));
        path = directory.resolve("other");
        primary(options()).close();
        List<Path> others = files(TABLE);
        path = mine;
        Path file = files(TABLE).get(1);
        Files.copy(others.get(1), file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(Files.size(file)).isEqualTo(Files.size(others.get(1)));
        RocksDBException thrown = failure(this::secondary);
        assertThat(thrown.getMessage()).contains(file.getFileName().toString());
    }

    @ParameterizedTest
    @MethodSource("damages")
    void aBlobFile(Damage damage) {
        RocksDB _ = closeLater(primary(options().enableBlobFiles(true).minBlobSize(1)));
        Path file = files(BLOB).get(1);
        damage.action.accept(file);
        RocksDBException thrown = failure(this::secondary);
        assertThat(thrown.getMessage()).contains(file.getFileName().toString());
    }

    @ParameterizedTest
    @MethodSource("damages")
    @EnabledOnOs(OS.LINUX)
    void aLog(Damage damage) {
        RocksDB primary = closeLater(primary(options()));
        fill(primary, 3);
        RocksDB before = closeLater(secondary());
        assertThat(count(before)).isEqualTo(4 * OF_EACH_FILE);
        Path file = files(LOG).getLast();
        damage.action.accept(file);
        RocksDBException thrown = failure(this::secondary);
        assertThat(thrown.getMessage()).contains(file.getFileName().toString());
        thrown = failure(() -> RocksDB.openReadOnly(path, new Options()));
        assertThat(thrown.getMessage()).contains(file.getFileName().toString());
        thrown = failure(before::tryCatchUpWithPrimary);
        assertThat(thrown.getMessage()).contains(file.getFileName().toString());
        primary.flush();
        before.tryCatchUpWithPrimary();
        assertThat(count(before)).isEqualTo(4 * OF_EACH_FILE);
        RocksDB after = closeLater(secondary());
        assertThat(count(after)).isEqualTo(4 * OF_EACH_FILE);
    }

    /** A log that is not the newest one. */
    @ParameterizedTest
    @MethodSource("damages")
    @EnabledOnOs(OS.LINUX)
    void anOlderLog(Damage damage) {
        RocksDB primary = closeLater(primary(options()));
        ColumnFamily other = primary.createColumnFamily("other", options());
        fill(primary, 3);
        other.put(Bytes.of("key"), Bytes.of("value"));
        other.flush();
        fill(primary, 4);
        assertThat(files(LOG)).hasSize(2);
        Path file = files(LOG).getFirst();
        damage.action.accept(file);
        RocksDBException thrown = failure(this::secondary);
        assertThat(thrown.getMessage()).contains(file.getFileName().toString());
        thrown = failure(() -> RocksDB.openReadOnly(path, new Options()));
        assertThat(thrown.getMessage()).contains(file.getFileName().toString());
    }

    @Test
    void aFlippedBitInTheLog() {
        RocksDB primary = closeLater(primary(options()));
        RocksDB before = closeLater(secondary());
        for (int file = 3; file < 20; file++) {
            fill(primary, file);
        }
        Path file = files(LOG).getLast();
        for (long at : new long[]{100, 5000, 30000, 40000}) {
            DirectoryImage.flip(file, at);
            assertThat(failure(this::secondary).getMessage()).contains(file.getFileName().toString());
            assertThat(failure(before::tryCatchUpWithPrimary).getMessage()).contains(file.getFileName().toString());
            DirectoryImage.flip(file, at);
        }
    }

    @Test
    void oneFamilysTable() {
        RocksDB primary = closeLater(RocksDB.open(path, options()));
        ColumnFamily one = primary.createColumnFamily("one", options());
        ColumnFamily two = primary.createColumnFamily("two", options());
        for (int i = 0; i < 3; i++) {
            one.put(Bytes.of("key" + i), Bytes.of("value"));
            two.put(Bytes.of("key" + i), Bytes.of("value"));
            one.flush();
            two.flush();
        }
        Path file = files(TABLE).getLast();
        assertThat(file.toFile().delete()).isTrue();
        RocksDBException thrown = failure(this::secondary);
        assertThat(thrown.getMessage()).contains(file.getFileName().toString(), "\"two\"").doesNotContain("\"one\"");
    }

    /** A secondary instance that catches up with a version without its files shows its old state, and says so. */
    @Test
    void aTableThatIsNew() {
        RocksDB primary = closeLater(primary(options()));
        RocksDB secondary = closeLater(secondary());
        fill(primary, 3);
        primary.flush();
        Path file = files(TABLE).getLast();
        assertThat(file.toFile().delete()).isTrue();
        for (int i = 0; i < 2; i++) {
            RocksDBException thrown = failure(secondary::tryCatchUpWithPrimary);
            assertThat(thrown.getMessage()).contains(file.getFileName().toString());
            assertThat(count(secondary)).isEqualTo(3 * OF_EACH_FILE);
        }
    }

    @Test
    void familiesThatAreMadeDroppedAndMadeAnew() {
        try (RocksDB primary = primary(options())) {
            try (RocksDB secondary = secondary()) {
                primary.createColumnFamily("one", options()).put(Bytes.of("key"), Bytes.of("value"));
                again(secondary, "made the column family \"one\"");
            }
            try (RocksDB secondary = secondary()) {
                assertThat(secondary.columnFamily("one").get(Bytes.of("key"))).isEqualTo(Bytes.of("value"));
                primary.dropColumnFamily(primary.columnFamily("one"));
                again(secondary, "dropped the column family \"one\"");
                primary.createColumnFamily("one", options()).put(Bytes.of("key"), Bytes.of("new"));
                again(secondary, "made the column family \"one\" and has dropped the column family \"one\"");
                primary.columnFamily("one").flush();
                again(secondary, "made the column family \"one\" and has dropped the column family \"one\"");
                assertThat(secondary.columnFamily("one").get(Bytes.of("key"))).isEqualTo(Bytes.of("value"));
            }
            try (RocksDB secondary = secondary()) {
                assertThat(secondary.columnFamily("one").get(Bytes.of("key"))).isEqualTo(Bytes.of("new"));
                // RocksDB would read memory that it has freed.
                again(secondary, "the column family \"one\" was dropped and made anew");
            }
            primary.dropColumnFamily(primary.columnFamily("one"));
            try (RocksDB secondary = secondary()) {
                fill(primary, 3);
                secondary.tryCatchUpWithPrimary();
                assertThat(count(secondary)).isEqualTo(4 * OF_EACH_FILE);
            }
        }
        try (RocksDB primary = RocksDB.open(path, options())) {
            primary.createColumnFamily("one", options()).put(Bytes.of("key"), Bytes.of("newest"));
        }
        RocksDB primary = closeLater(RocksDB.open(path, options()));
        RocksDB secondary = closeLater(secondary());
        primary.columnFamily("one").put(Bytes.of("key"), Bytes.of("last"));
        secondary.tryCatchUpWithPrimary();
        assertThat(secondary.columnFamily("one").get(Bytes.of("key"))).isEqualTo(Bytes.of("last"));
    }

    private void again(RocksDB secondary, String change) {
        for (int i = 0; i < 2; i++) {
            RocksDBException thrown = failure(secondary::tryCatchUpWithPrimary);
            assertThat(thrown.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED);
            assertThat(thrown.getMessage()).contains(change).contains("open it again");
        }
    }

    @Test
    void tablesInAnotherDirectory() throws IOException {
        List<DbPath> paths = List.of(new DbPath(Files.createDirectory(directory.resolve("tables")), 1 << 30));
        byte[] key = Bytes.of("key");
        RocksDB primary = closeLater(primary(options().dbPaths(paths)));
        primary.put(key, key);
        primary.flush();
        for (ThrowingCallable opening : List.<ThrowingCallable>of(() -> RocksDB.openSecondary(path, own),
                () -> RocksDB.openReadOnly(path))) {
            RocksDBException thrown = catchThrowableOfType(RocksDBException.class, opening);
            assertThat(thrown).isNotNull().hasMessageContaining(".sst is missing")
                    .hasMessageContaining("Options.dbPaths");
        }
        RocksDB secondary = closeLater(RocksDB.openSecondary(path, own, new Options().dbPaths(paths), Map.of()));
        assertThat(secondary.get(key)).isEqualTo(key);
    }

    @Test
    void aDatabaseThatIsMadeAnew() {
        for (boolean isFilled : new boolean[]{true, false}) {
            RocksDB primary = primary(options());
            try (RocksDB secondary = secondary()) {
                primary.close();
                secondary.tryCatchUpWithPrimary();
                RocksDB.destroy(path, new Options());
                assertThat(failure(secondary::tryCatchUpWithPrimary).status().code()).isEqualTo(Status.Code.IO_ERROR);
                primary = isFilled ? primary(options()) : RocksDB.open(path, options());
                again(secondary, "another database has taken its place");
                assertThat(count(secondary)).isEqualTo(3 * OF_EACH_FILE);
            } finally {
                primary.close();
            }
        }
    }

    /** Opened again, with a new manifest and new logs, and with other options, it is the same database. */
    @Test
    void aDatabaseThatIsOpenedAgain() {
        RocksDB primary = primary(options());
        try (RocksDB secondary = secondary()) {
            for (int round = 3; round < 6; round++) {
                primary.close();
                secondary.tryCatchUpWithPrimary();
                primary = RocksDB.open(path, options());
                secondary.tryCatchUpWithPrimary();
                fill(primary, round);
                secondary.tryCatchUpWithPrimary();
                assertThat(count(secondary)).isEqualTo((round + 1) * OF_EACH_FILE);
                primary.defaultColumnFamily().compact();
                secondary.tryCatchUpWithPrimary();
                assertThat(count(secondary)).isEqualTo((round + 1) * OF_EACH_FILE);
            }
        } finally {
            primary.close();
        }
    }

    /** Whatever a primary does meanwhile, what it has acknowledged before is seen, and nothing is called damaged. */
    @Test
    void aPrimaryThatIsBusy() throws Exception {
        // The more tables a primary has made, the longer an opening takes, and the more often it has to be repeated.
        int primaries = TestSize.choose("outcrop.following.primaries", 1, 100);
        for (int i = 0; i < primaries; i++) {
            path = directory.resolve("busy" + i);
            try (RocksDB primary = RocksDB.open(path, options())) {
                followWhileItWrites(primary);
            }
        }
    }

    private void followWhileItWrites(RocksDB primary) throws InterruptedException {
        AtomicInteger acknowledged = new AtomicInteger();
        AtomicBoolean isOver = new AtomicBoolean();
        primary.put(Bytes.of("0"), Bytes.of("value"));
        Thread writer = new Thread(() -> {
            while (!isOver.get()) {
                int number = acknowledged.get() + 1;
                primary.put(Bytes.of(String.valueOf(number)), Bytes.of("value"));
                acknowledged.set(number);
                if (number % 7 == 0) {
                    primary.defaultColumnFamily().flush();
                }
                if (number % 50 == 0) {
                    primary.defaultColumnFamily().compact();
                }
            }
        });
        writer.start();
        try (RocksDB followed = secondary()) {
            for (int round = 0; round < 20; round++) {
                int before = acknowledged.get();
                repeated(() -> {
                    followed.tryCatchUpWithPrimary();
                    return followed;
                });
                assertThat(count(followed)).isGreaterThan(before);
                before = acknowledged.get();
                try (RocksDB opened = repeated(this::secondary)) {
                    assertThat(count(opened)).isGreaterThan(before);
                }
                before = acknowledged.get();
                try (RocksDB opened = repeated(() -> RocksDB.openReadOnly(path, new Options()))) {
                    assertThat(count(opened)).isGreaterThan(before);
                }
            }
        } finally {
            isOver.set(true);
            writer.join();
        }
    }

    /** Repeats a call that gave up because the primary had deleted a log at each attempt. */
    private static RocksDB repeated(Supplier<RocksDB> call) {
        while (true) {
            try {
                return call.get();
            } catch (RocksDBException e) {
                if (e.status().code() != Status.Code.TRY_AGAIN) {
                    throw e;
                }
            }
        }
    }
}
