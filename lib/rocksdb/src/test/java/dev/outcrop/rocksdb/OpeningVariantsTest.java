package dev.outcrop.rocksdb;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Secondary instances, databases with a time to live, and closed databases. */
class OpeningVariantsTest extends DatabaseTest {
    @Test
    void aSecondaryInstanceCatchesUp() {
        Path own = directory.resolve("secondary");
        try (RocksDB primary = open(new Options())) {
            ColumnFamily users = primary.createColumnFamily("users", new Options());
            primary.put(KEY, Bytes.of("1"));
            users.put(KEY, Bytes.of("u1"));
            try (RocksDB secondary = RocksDB.openSecondary(primary.path(), own, new Options())) {
                ColumnFamily same = secondary.columnFamily("users");
                assertThat(secondary.get(KEY)).isEqualTo(Bytes.of("1"));
                primary.put(KEY, Bytes.of("2"));
                users.put(KEY, Bytes.of("u2"));
                assertThat(secondary.get(KEY)).isEqualTo(Bytes.of("1"));
                secondary.tryCatchUpWithPrimary();
                assertThat(secondary.get(KEY)).isEqualTo(Bytes.of("2"));
                primary.flush();
                primary.put(Bytes.of("another"), Bytes.of("3"));
                secondary.tryCatchUpWithPrimary();
                assertThat(secondary.get(Bytes.of("another"))).isEqualTo(Bytes.of("3"));
                assertThat(secondary.get(KEY)).isEqualTo(Bytes.of("2"));
                assertThat(same.get(KEY)).isEqualTo(Bytes.of("u2"));
                primary.createColumnFamily("more", new Options().mergeOperator(MergeOperator.STRING_APPEND));
                notSupported(secondary::tryCatchUpWithPrimary);
                // Waits for deletions after the flush.
                assertThat(primary.walFiles()).isNotEmpty();
                Map<String, String> before = DirectoryImage.ofOpen(primary.path());
                MemorySegment a = MemorySegment.ofArray(KEY);
                for (ThrowingCallable change : List.<ThrowingCallable>of(() -> secondary.put(KEY, KEY),
                        secondary::flush, secondary::compact, () -> secondary.deleteFilesInRange(a, a),
                        () -> secondary.suggestCompactRange(a, a), () -> secondary.ingest(List.of()),
                        () -> secondary.createColumnFamily("x", new Options()),
                        () -> secondary.createColumnFamilies(List.of("x"), new Options()),
                        () -> secondary.dropColumnFamily(same), () -> secondary.setOptions(Map.of()),
                        () -> secondary.setDbOptions(Map.of()), secondary::disableFileDeletions)) {
                    notSupported(change);
                }
                assertThat(DirectoryImage.ofOpen(primary.path()).equals(before)).as("nothing changed").isTrue();
            }
            notSupported(primary::tryCatchUpWithPrimary);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RocksDB.openSecondary(primary.path(), primary.path(), new Options()));
        }
        refused(() -> RocksDB.openSecondary(directory.resolve("nowhere"), own, new Options()));
    }

    @Test
    void aSecondaryInstanceNeedsTheMergeOperatorThatThePrimaryGets() {
        open(new Options()).close();
        RocksDB secondary = closeLater(RocksDB.openSecondary(directory.resolve("db"), directory.resolve("own"),
                new Options()));
        try (RocksDB primary = open(new Options().mergeOperator(MergeOperator.STRING_APPEND))) {
            primary.merge(KEY, Bytes.of("1"));
            primary.flush();
        }
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(secondary::tryCatchUpWithPrimary)
                .withMessageContaining("merge operator");
        assertThat(secondary.get(KEY)).isNull();
    }

    @Test
    void requestsReadValuesWithoutTheirTimes() {
        byte[] large = Bytes.random(1, 20_000);
        Options options = create();
        RocksDB db = closeLater(RocksDB.openWithTtl(directory.resolve("db"), options, Duration.ofDays(1)));
        MultiGet request = closeLater(db.multiGet());
        Arena arena = closeLater(Arena.ofConfined());
        ColumnFamily several = db.createColumnFamily("several", options);
        // RocksDB is asked for the only key of a column family in another way than for several keys.
        for (String name : List.of("small", "large", "empty", "none")) {
            request.add(db.createColumnFamily(name, options), Bytes.of(name)).add(several, Bytes.of(name));
        }
        for (ColumnFamily each : db.columnFamilies()) {
            each.put(Bytes.of("small"), KEY);
            each.put(Bytes.of("large"), large);
            each.put(Bytes.of("empty"), new byte[0]);
        }
        byte[][] expected = {KEY, KEY, large, large, new byte[0], new byte[0], null, null};
        for (String place : List.of("memtables", "files")) {
            try (MultiGetValues values = request.execute()) {
                assertThat(values.toList()).as(place).containsExactly(expected);
                assertThat(values.size(0)).isEqualTo(KEY.length);
                assertThat(values.bytes()).isEqualTo(2L * (KEY.length + large.length));
            }
            try (MultiGetValues values = request.execute(arena.allocate(2L * (KEY.length + large.length)))) {
                assertThat(values.toList()).as(place).containsExactly(expected);
                assertThat(values.isPinned()).isFalse();
            }
            assertThat(several.multiGet(List.of(Bytes.of("large")))).as(place).containsExactly(large);
            assertThat(several.multiGet(List.of(Bytes.of("large"), Bytes.of("small")))).as(place)
                    .containsExactly(large, KEY);
            db.columnFamilies().forEach(ColumnFamily::flush);
        }
    }

    @Test
    @Tag("verify")
    void oldEntriesAreDropped() throws Exception {
        Options options = create().createMissingColumnFamilies(true).mergeOperator(MergeOperator.STRING_APPEND);
        Path path = directory.resolve("db");
        try (RocksDB db = RocksDB.openWithTtl(path, options, Duration.ofMillis(1),
                Map.of("kept", options), Map.of("kept", Duration.ofDays(1)))) {
            ColumnFamily kept = db.columnFamily("kept");
            ColumnFamily forever = db.createColumnFamily("forever", options);
            ColumnFamily shortLived = db.createColumnFamilyWithTtl("short", options, Duration.ofSeconds(1));
            List<ColumnFamily> all = new ArrayList<>(db.createColumnFamilies(List.of("a", "b"), options));
            all.addAll(List.of(db.defaultColumnFamily(), kept, forever, shortLived));
            for (ColumnFamily family : all) {
                family.put(KEY, Bytes.of("value"));
                family.put(Bytes.of("empty"), new byte[0]);
                family.merge(KEY, Bytes.of("more"));
                family.put(Bytes.of("deleted"), KEY);
                family.deleteRange(Bytes.of("d"), Bytes.of("dz"));
                assertThat(family.get(KEY)).isEqualTo(Bytes.of("value,more"));
                assertThat(family.get(Bytes.of("empty"))).isEmpty();
                List<Long> sizes = new ArrayList<>();
                family.scan((key, value) -> sizes.add(value.byteSize()));
                assertThat(sizes).containsExactly(0L, 10L);
                family.flush();
            }
            // RocksDB counts in seconds.
            while (db.get(KEY) != null || shortLived.get(KEY) != null) {
                Thread.sleep(20);
                all.forEach(ColumnFamily::compact);
            }
            for (ColumnFamily family : all) {
                boolean isDropped = List.of("default", "short").contains(family.name());
                assertThat(family.get(KEY)).as(family.name()).isEqualTo(isDropped ? null : Bytes.of("value,more"));
            }
            refused(() -> db.createColumnFamilyWithTtl("short", options, Duration.ZERO));
            notSupported(() -> db.ingest(List.of()));
            WriteBatch batch = new WriteBatch();
            batch.put(Bytes.of("batched"), KEY);
            db.write(batch);
            assertThat(db.get(Bytes.of("batched"))).isEqualTo(KEY);
            batch.singleDelete(Bytes.of("batched"));
            notSupported(() -> db.write(batch));
            notSupported(() -> db.createColumnFamilyWithImport("x", options, new ImportColumnFamilyOptions(),
                    new ExportedColumnFamily("leveldb.BytewiseComparator", List.of())));
        }
        RocksDB.openWithTtl(path, options, Duration.ZERO).close();
        assertThatIllegalArgumentException().isThrownBy(
                () -> RocksDB.openWithTtl(path, options, Duration.ZERO, Map.of(), Map.of("nobody", Duration.ZERO)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RocksDB.openWithTtl(path, options, Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RocksDB.openWithTtl(path, options, Duration.ofDays(100_000)));
        RocksDB db = closeLater(RocksDB.open(directory.resolve("plain"), options));
        notSupported(() -> db.createColumnFamilyWithTtl("x", options, Duration.ZERO));
    }

    @Test
    void aDatabaseWithoutManifestIsRepaired() throws IOException {
        Options options = new Options().mergeOperator(MergeOperator.STRING_APPEND);
        Path path = directory.resolve("db");
        try (RocksDB db = open(options)) {
            db.put(KEY, Bytes.of("in a table"));
            db.flush();
            db.merge(KEY, Bytes.of("in the log"));
            assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> RocksDB.repair(path, options))
                    .withMessageContaining("open").satisfies(
                            e -> assertThat(e.status().code()).isEqualTo(Status.Code.BUSY));
        }
        Files.delete(DirectoryImage.file(path, "MANIFEST-\\d+"));
        refused(() -> RocksDB.open(path, options));
        Map<String, String> before = DirectoryImage.of(path);
        refused(() -> RocksDB.repair(path, new Options()));
        refused(() -> RocksDB.repair(path, new Options().mergeOperator(MergeOperator.STRING_APPEND)
                .set("comparator=rocksdb.ReverseBytewiseComparator")));
        assertThat(DirectoryImage.of(path).equals(before)).as("nothing changed").isTrue();
        RocksDB.repair(path, options);
        try (RocksDB db = RocksDB.open(path, options)) {
            assertThat(db.get(KEY)).isEqualTo(Bytes.of("in a table,in the log"));
        }
        Path other = Files.createDirectory(directory.resolve("other"));
        refused(() -> RocksDB.repair(other, options));
        refused(() -> RocksDB.repair(directory.resolve("nowhere"), options));
        assertThat(other).isEmptyDirectory();
        assertThat(directory.resolve("nowhere")).doesNotExist();
    }

    @Test
    void onlyClosedDatabasesAreDestroyed() throws IOException {
        Path path = directory.resolve("db");
        Path precious = path.resolve("precious.txt");
        try (RocksDB db = open(new Options())) {
            db.put(KEY, KEY);
            db.flush();
            Files.writeString(precious, "mine");
            refused(() -> RocksDB.destroy(path, new Options()));
            db.compact();
            assertThat(db.get(KEY)).isEqualTo(KEY);
        }
        refused(() -> RocksDB.destroy(directory, new Options()));
        refused(() -> RocksDB.destroy(directory.resolve("nowhere"), new Options()));
        RocksDB.destroy(path, new Options());
        assertThat(precious).hasContent("mine");
        assertThat(DirectoryImage.of(path).keySet()).containsOnly("", "precious.txt");
        refused(() -> RocksDB.open(path));
    }

    @Override
    RocksDB open(Options options) {
        return RocksDB.open(directory.resolve("db"), options.createIfMissing(true));
    }

    private static void notSupported(ThrowingCallable call) {
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(call)
                .satisfies(e -> assertThat(e.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED));
    }
}
