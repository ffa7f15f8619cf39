package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A flipped bit in any file of a database is found or does no harm: each read returns what was written or fails, and what the bit does not
 * touch can be read. {@link CorruptionTest} tries the ways to read one key.
 */
class FlippedBitsTest extends DatabaseTest {
    private static final int ENTRIES = 40;
    private static final int SIZE = 1500;
    private static final String BLOBS = "blobs";

    private final long seed = TestSize.seed(getClass());
    private final Random random = new Random(seed);

    static IntStream rounds() {
        return IntStream.range(0, TestSize.choose("outcrop.flipped.bits", 2, 100));
    }

    /** The part of a column family that was read, with each value checked. */
    private final class Seen {
        private final Set<String> keys = new HashSet<>();
        private final boolean mayMissSome;

        Seen(boolean mayMissSome) {
            this.mayMissSome = mayMissSome;
        }

        void entry(byte[] key, byte @Nullable [] value) {
            if (value == null && mayMissSome) {
                return;
            }
            String name = new String(key, StandardCharsets.UTF_8);
            assertThat(value).as("seed %d, value of %s", seed, name)
                    .isEqualTo(value(Integer.parseInt(name.substring(3))));
            assertThat(keys.add(name)).as("seed %d, %s comes twice", seed, name).isTrue();
        }

        void entry(MemorySegment key, MemorySegment value) {
            entry(ReadForm.bytes(key), ReadForm.bytes(value));
        }
    }

    /** A way to read a whole column family. */
    private interface Reading {
        void read(TransactionDB db, ColumnFamily family, Seen seen);
    }

    private static final Map<String, Reading> READINGS = Map.ofEntries(Map.entry("get", (_, family, seen) -> {
        for (int i = 0; i < ENTRIES; i++) {
            seen.entry(key(i), family.get(key(i)));
        }
    }),
            Map.entry("multiGet", (_, family, seen) -> {
                List<byte @Nullable []> values = family.multiGet(IntStream.range(0, ENTRIES)
                        .mapToObj(FlippedBitsTest::key).toList());
                for (int i = 0; i < ENTRIES; i++) {
                    seen.entry(key(i), values.get(i));
                }
            }),
            Map.entry("iterator", (_, family, seen) -> forward(family.iterator(), seen)),
            Map.entry("reversed iterator", (_, family, seen) -> {
                try (KeyValueIterator entries = family.iterator()) {
                    for (entries.seekToLast(); entries.isValid(); entries.previous()) {
                        seen.entry(entries.key(), entries.value());
                    }
                }
            }),
            Map.entry("seek", (_, family, seen) -> {
                try (KeyValueIterator entries = family.iterator()) {
                    for (int i = 0; i < ENTRIES; i++) {
                        assertThat(entries.seek(key(i))).isTrue();
                        seen.entry(entries.key(), entries.value());
                    }
                }
            }),
            Map.entry("scan", (_, family, seen) -> family.scan((key, value) -> {
                seen.entry(key, value);
                return true;
            })),
            Map.entry("stream", (_, family, seen) -> {
                try (Stream<KeyValue> entries = family.stream(KeyRange.all())) {
                    entries.forEach(entry -> seen.entry(entry.key(), entry.value()));
                }
            }),
            Map.entry("several iterators", (db, family, seen) -> {
                List<KeyValueIterator> iterators = db.iterators(List.of(family, db.defaultColumnFamily()));
                iterators.getLast().close();
                forward(iterators.getFirst(), seen);
            }),
            Map.entry("snapshot", (db, family, seen) -> {
                try (Snapshot snapshot = db.snapshot()) {
                    forward(family.with(new ReadOptions().snapshot(snapshot)).iterator(), seen);
                }
            }),
            Map.entry("transaction", (db, family, seen) -> {
                try (Transaction transaction = db.begin()) {
                    for (int i = 0; i < ENTRIES; i++) {
                        seen.entry(key(i), transaction.in(family).getForUpdate(key(i)));
                    }
                }
            }),
            Map.entry("iterator of a transaction", (db, family, seen) -> {
                try (Transaction transaction = db.begin()) {
                    forward(transaction.in(family).iterator(), seen);
                }
            }),
            Map.entry("indexed batch", (db, family, seen) -> {
                try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true)) {
                    for (int i = 0; i < ENTRIES; i++) {
                        seen.entry(key(i), batch.in(family).getFromBatchAndDB(key(i)));
                    }
                }
            }),
            Map.entry("iterator of an indexed batch", (db, family, seen) -> {
                try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true)) {
                    forward(batch.in(family).iteratorFromBatchAndDB(), seen);
                }
            }));

    private static void forward(KeyValueIterator iterator, Seen seen) {
        try (iterator) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                seen.entry(iterator.key(), iterator.value());
            }
        }
    }

    private static byte[] key(int i) {
        return Bytes.of(String.format("key%03d", i));
    }

    private static byte[] value(int i) {
        return Bytes.random(i, SIZE);
    }

    private static Options options() {
        return new Options().createIfMissing(true).createMissingColumnFamilies(true).compression(CompressionType.NONE)
                .disableAutoCompactions(true);
    }

    private static Options blobs() {
        return options().enableBlobFiles(true).minBlobSize(SIZE);
    }

    @Override
    TransactionDB open(Options options) {
        return TransactionDB.open(directory, options, new TransactionDBOptions(), Map.of(BLOBS, blobs()));
    }

    /** Each column family has entries in two table files, and the last quarter of them in the log only. */
    @BeforeEach
    void createDatabase() {
        try (TransactionDB db = open(options().avoidFlushDuringShutdown(true))) {
            for (ColumnFamily family : db.columnFamilies()) {
                put(family, 0, ENTRIES / 2);
                family.flush();
                put(family, ENTRIES / 2, ENTRIES * 3 / 4);
                family.flush();
            }
            for (int i = ENTRIES * 3 / 4; i < ENTRIES; i++) {
                WriteBatch both = new WriteBatch();
                for (ColumnFamily family : db.columnFamilies()) {
                    both.in(family).put(key(i), value(i));
                }
                db.write(both);
            }
        }
    }

    private static void put(ColumnFamily family, int from, int to) {
        for (int i = from; i < to; i++) {
            family.put(key(i), value(i));
        }
    }

    private void flipIn(String pattern) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(directory)) {
            all.filter(file -> file.getFileName().toString().matches(pattern))
                    .filter(file -> file.toFile().length() > 0)
                    .sorted().forEach(files::add);
        }
        Path file = files.get(random.nextInt(files.size()));
        byte[] content = Files.readAllBytes(file);
        content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, content);
    }

    /** Reads everything in every way. Returns how many ways found the damage. */
    private int readAll(TransactionDB db) {
        int damaged = 0;
        for (ColumnFamily family : db.columnFamilies()) {
            for (Map.Entry<String, Reading> reading : READINGS.entrySet()) {
                Seen seen = new Seen(false);
                try {
                    reading.getValue().read(db, family, seen);
                    assertThat(seen.keys).as("seed %d, %s", seed, reading.getKey()).hasSize(ENTRIES);
                } catch (RocksDBException e) {
                    assertThat(e.status().code()).as("seed %d, %s: %s", seed, reading.getKey(), e)
                            .isEqualTo(Status.Code.CORRUPTION);
                    damaged++;
                }
            }
        }
        assertThat(db.pinnedBytes()).isZero();
        return damaged;
    }

    @Test
    void withoutOneEverythingIsRead() {
        TransactionDB db = open(options());
        assertThat(readAll(db)).isZero();
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void inTablesAndBlobs(int repetition) throws IOException {
        flipIn(".*\\.(sst|blob)");
        try (TransactionDB db = open(options())) {
            readAll(db);
            // Unreadable files keep no writer from writing.
            db.put(Bytes.of("new"), Bytes.of("value"));
            assertThat(db.get(Bytes.of("new"))).isEqualTo(Bytes.of("value"));
        } catch (RocksDBException e) {
            assertThat(e).as("seed %d", seed).hasMessageContaining(directory.toString());
        }
    }

    /**
     * The end of a manifest may be one that was not written completely, as after a loss of power; RocksDB forgets what it says. So the
     * last of the table files may be missing, each as a whole.
     */
    @ParameterizedTest
    @MethodSource("rounds")
    void inTheManifest(int repetition) throws IOException {
        flipIn("MANIFEST-.*");
        try (TransactionDB db = open(options())) {
            for (ColumnFamily family : db.columnFamilies()) {
                Set<Set<String>> all = new HashSet<>();
                for (Reading reading : READINGS.values()) {
                    if (!reading.equals(READINGS.get("seek"))) {
                        all.add(keysOf(reading, db, family));
                    }
                }
                assertThat(all).as("seed %d", seed).hasSize(1);
                Set<String> keys = all.iterator().next();
                for (int from : new int[]{0, ENTRIES / 2, ENTRIES * 3 / 4}) {
                    int to = from == 0 ? ENTRIES / 2 : from + ENTRIES / 4;
                    long there = IntStream.range(from, to)
                            .filter(i -> keys.contains(new String(key(i), StandardCharsets.UTF_8))).count();
                    assertThat(there).as("seed %d, entries from %d on", seed, from).isIn(0L, (long) to - from);
                }
            }
        } catch (RocksDBException e) {
            assertThat(e).as("seed %d", seed).hasMessageContaining(directory.toString());
            assertThat(e.status().code()).as("seed %d: %s", seed, e).isEqualTo(Status.Code.CORRUPTION);
        }
    }

    private Set<String> keysOf(Reading reading, TransactionDB db, ColumnFamily family) {
        Seen seen = new Seen(true);
        reading.read(db, family, seen);
        return seen.keys;
    }

    /** By default, what was logged before the damage is there, and nothing that came later. */
    @ParameterizedTest
    @MethodSource("rounds")
    void inTheLog(int repetition) throws IOException {
        flipIn(".*\\.log");
        try (TransactionDB db = open(options())) {
            Integer first = null;
            for (ColumnFamily family : db.columnFamilies()) {
                int there = 0;
                while (there < ENTRIES && family.get(key(there)) != null) {
                    assertThat(family.get(key(there))).as("seed %d", seed).isEqualTo(value(there));
                    there++;
                }
                for (int i = there; i < ENTRIES; i++) {
                    assertThat(family.get(key(i))).as("seed %d, %d after %d entries", seed, i, there).isNull();
                }
                assertThat(there).as("seed %d", seed).isGreaterThanOrEqualTo(ENTRIES * 3 / 4);
                // Batches are there as a whole.
                assertThat(first == null ? there : first).as("seed %d", seed).isEqualTo(there);
                first = there;
            }
        } catch (RocksDBException e) {
            assertThat(e.status().code()).as("seed %d: %s", seed, e).isEqualTo(Status.Code.CORRUPTION);
        }
    }

    /** With absolute consistency nothing is left out in silence. */
    @ParameterizedTest
    @MethodSource("rounds")
    void inTheLogWithAbsoluteConsistency(int repetition) throws IOException {
        flipIn(".*\\.log");
        try (TransactionDB db = open(options().walRecoveryMode(WalRecoveryMode.ABSOLUTE_CONSISTENCY))) {
            assertThat(readAll(db)).as("seed %d", seed).isZero();
        } catch (RocksDBException e) {
            assertThat(e.status().code()).as("seed %d: %s", seed, e).isEqualTo(Status.Code.CORRUPTION);
        }
    }

    /** The log of an open database, read as changes. */
    @ParameterizedTest
    @MethodSource("rounds")
    void inTheLogThatIsFollowed(int repetition) throws IOException {
        Path path = directory.resolve("followed");
        RocksDB db = closeLater(RocksDB.open(path, options()));
        put(db.defaultColumnFamily(), 0, ENTRIES);
        Path log = DirectoryImage.file(path, ".*\\.log");
        DirectoryImage.flip(log, random.nextLong(Files.size(log)));
        try (WalIterator changes = db.updatesSince(1)) {
            for (int i = 0; changes.next(); i++) {
                WriteBatch expected = new WriteBatch();
                expected.put(key(i), value(i));
                assertThat(changes.sequenceNumber()).as("seed %d", seed).isEqualTo(i + 1L);
                // All but the sequence number in front.
                assertThat(ReadForm.bytes(changes.batch().data().asSlice(8))).as("seed %d, change %d", seed, i)
                        .isEqualTo(ReadForm.bytes(expected.data().asSlice(8)));
            }
        } catch (RocksDBException e) {
            // RocksDB skips a record with a wrong checksum, and then misses it.
            assertThat(e.status().code()).as("seed %d: %s", seed, e).isIn(Status.Code.CORRUPTION,
                    Status.Code.NOT_FOUND);
        }
        // Entries in memory are not concerned.
        for (int i = 0; i < ENTRIES; i++) {
            assertThat(db.get(key(i))).isEqualTo(value(i));
        }
    }

    @Test
    void oneOfSeveralIteratorsFailsAndTheOthersGoOn() throws IOException {
        try (TransactionDB db = open(options())) {
            Path table = db.liveFiles().stream().filter(file -> file.columnFamily().equals("default"))
                    .map(LiveFile::path).findFirst().orElseThrow();
            // In the block of an entry of the first half.
            DirectoryImage.flip(table, 3L * SIZE + SIZE / 2);
        }
        TransactionDB db = open(options());
        ColumnFamily other = db.columnFamily(BLOBS);
        List<KeyValueIterator> iterators = db.iterators(List.of(db.defaultColumnFamily(), other));
        Seen seen = new Seen(false);
        assertThat(catchThrowableOfType(RocksDBException.class, () -> forward(iterators.getFirst(), seen)))
                .isNotNull().hasMessageContaining(".sst");
        Seen whole = new Seen(false);
        forward(iterators.getLast(), whole);
        assertThat(whole.keys).hasSize(ENTRIES);
        try (Transaction transaction = db.begin()) {
            assertThat(catchThrowableOfType(RocksDBException.class,
                    () -> forward(transaction.iterator(), new Seen(false))))
                    .isNotNull();
            // The transaction and its other iterators are as usable as before.
            Seen again = new Seen(false);
            forward(transaction.in(other).iterator(), again);
            assertThat(again.keys).hasSize(ENTRIES);
            transaction.put(Bytes.of("new"), Bytes.of("value"));
            transaction.commit();
        }
        assertThat(db.get(Bytes.of("new"))).isEqualTo(Bytes.of("value"));
    }

    @Test
    void theKeysOfOneColumnFamilyFailAndThoseOfAnotherAreRead() throws IOException {
        Path table;
        try (TransactionDB db = open(options())) {
            table = db.liveFiles().stream().filter(file -> file.columnFamily().equals("default") && file.level() == 0)
                    .map(LiveFile::path).findFirst().orElseThrow();
        }
        byte[] content = Files.readAllBytes(table);
        for (int i = 100; i < content.length / 2; i += 100) {
            content[i] ^= 1;
        }
        Files.write(table, content);
        TransactionDB db = closeLater(open(options()));
        MultiGet request = closeLater(db.multiGet());
        ColumnFamily other = db.columnFamily(BLOBS);
        for (int i = 0; i < ENTRIES; i++) {
            request.add(key(i)).add(other, key(i));
        }
        int failed = 0;
        try (MultiGetValues values = request.execute()) {
            for (int i = 0; i < ENTRIES; i++) {
                RocksDBException error = values.error(2 * i);
                byte[] key = key(i);
                if (error == null) {
                    assertThat(values.array(2 * i)).isEqualTo(value(i)).isEqualTo(db.get(key));
                } else {
                    // The same as when it is asked for alone.
                    assertThat(error.status().code()).isEqualTo(Status.Code.CORRUPTION);
                    assertThat(catchThrowableOfType(RocksDBException.class, () -> db.get(key))).isNotNull();
                    failed++;
                }
                assertThat(values.error(2 * i + 1)).isNull();
                assertThat(values.array(2 * i + 1)).isEqualTo(value(i));
            }
        }
        assertThat(failed).isBetween(5, ENTRIES - 1);
    }
}
