package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ColumnFamiliesTest extends DatabaseTest {
    @Test
    void haveKeySpacesOfTheirOwnThatSurviveReopening() {
        try (RocksDB db = open()) {
            ColumnFamily users = db.createColumnFamily("users", new Options());
            ColumnFamily sizes = db.createColumnFamily("größen", new Options());
            db.put(Bytes.of("key"), Bytes.of("in default"));
            users.put(Bytes.of("key"), Bytes.of("in users"));
            sizes.put(Bytes.of("only here"), Bytes.of(""));

            assertThat(users.id()).isEqualTo(1);
            assertThat(users.name()).isEqualTo("users");
            assertThat(users).hasToString("column family users of database " + db.path());
            assertThat(db.columnFamily("users")).isSameAs(users);
            assertThat(db.findColumnFamily("nobody")).isNull();
            assertThatIllegalArgumentException().isThrownBy(() -> db.columnFamily("nobody"))
                    .withMessageContaining("\"nobody\"").withMessageContaining("\"default\", \"users\"");
        }
        try (RocksDB db = RocksDB.open(directory)) {
            assertThat(db.columnFamilies()).extracting(ColumnFamily::name).containsExactly("default", "users",
                    "größen");
            assertThat(db.get(Bytes.of("key"))).isEqualTo(Bytes.of("in default"));
            assertThat(db.defaultColumnFamily().get(Bytes.of("key"))).isEqualTo(Bytes.of("in default"));
            assertThat(family(db, "users").get(Bytes.of("key"))).isEqualTo(Bytes.of("in users"));
            assertThat(family(db, "größen").get(Bytes.of("key"))).isNull();
            assertThat(family(db, "größen").get(Bytes.of("only here"))).isEmpty();
        }
        assertThat(RocksDB.listColumnFamilies(directory)).containsExactly("default", "users", "größen");
    }

    @Test
    void canBeReadAndWrittenInEveryForm() {
        RocksDB db = open();
        Arena arena = closeLater(Arena.ofConfined());
        ColumnFamily family = db.createColumnFamily("users", new Options().mergeOperator(MergeOperator.STRING_APPEND));
        MemorySegment key = arena.allocateFrom("key", StandardCharsets.UTF_8);
        MemorySegment buffer = arena.allocate(100);
        family.with(new WriteOptions().sync(true)).put(key, MemorySegment.ofArray(Bytes.of("a")));
        family.merge(key, MemorySegment.ofArray(Bytes.of("b")));
        family.flush();
        family.compact();

        assertThat(family.get(key, buffer)).isEqualTo(3);
        assertThat(family.get(key)).isEqualTo(Bytes.of("a,b"));
        assertThat(family.getPinned(key, MemorySegment::byteSize)).isEqualTo(3);
        try (PinnedSlice slice = Objects.requireNonNull(family.getHybrid(key, buffer))) {
            assertThat(slice.size()).isEqualTo(3);
        }
        assertThat(family.with(new ReadOptions().verifyChecksums(true)).get(key)).isEqualTo(Bytes.of("a,b"));
        assertThat(family.property("rocksdb.estimate-num-keys")).isEqualTo("1");
        assertThat(family.property("rocksdb.no-such-property")).isNull();
        List<String> seen = new ArrayList<>();
        family.put(Bytes.of("other"), Bytes.of("c"));
        family.scan((k, v) -> seen.add(new String(v.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE),
                StandardCharsets.UTF_8)));
        assertThat(seen).containsExactly("a,b", "c");
        family.singleDelete(Bytes.of("other"));
        family.deleteRange(Bytes.of("a"), Bytes.of("z"));
        assertThat(family.get(key)).isNull();
        assertThat(db.property("rocksdb.estimate-num-keys")).isEqualTo("0");
    }

    @Test
    void canHaveOptionsOfTheirOwn() {
        Map<String, Options> families = Map.of("reversed",
                new Options().set("comparator=rocksdb.ReverseBytewiseComparator"));
        try (RocksDB db = RocksDB.open(directory, create().createMissingColumnFamilies(true), families)) {
            ColumnFamily reversed = family(db, "reversed");
            reversed.put(Bytes.of("a"), Bytes.of("1"));
            reversed.put(Bytes.of("b"), Bytes.of("2"));
            List<Byte> order = new ArrayList<>();
            reversed.scan((key, value) -> order.add(key.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0)));
            assertThat(order).containsExactly((byte) 'b', (byte) 'a');
            assertThatExceptionOfType(RocksDBException.class)
                    .isThrownBy(() -> reversed.deleteRange(Bytes.of("a"), Bytes.of("b")));
            reversed.deleteRange(Bytes.of("b"), Bytes.of("a"));
            assertThat(reversed.get(Bytes.of("b"))).isNull();
        }
        // Without its comparator RocksDB does not open a family.
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> RocksDB.open(directory, new Options()))
                .withMessageContaining("omparator");
        RocksDB.open(directory, new Options(), families).close();
        RocksDB.openReadOnly(directory, new Options(), families).close();
    }

    @Test
    void thatDoNotExistAreNotCreatedUnasked() {
        RocksDB.open(directory, create()).close();
        Map<String, Options> families = Map.of("nobody", new Options());
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> RocksDB.open(directory, new Options(), families)).withMessageContaining("nobody");
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> RocksDB.openReadOnly(directory, new Options(), families));
        assertThat(RocksDB.listColumnFamilies(directory)).containsExactly("default");
    }

    @Test
    void withMergesAreNotOpenedWithoutTheirOperator() {
        Map<String, Options> families = Map.of("counts", new Options().uint64addMergeOperator());
        try (RocksDB db = RocksDB.open(directory, create().createMissingColumnFamilies(true), families)) {
            family(db, "counts").merge(Bytes.of("key"), new byte[8]);
        }
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class,
                () -> RocksDB.open(directory, new Options()));
        assertThat(thrown).hasMessageContaining("column family counts").hasMessageContaining("UInt64AddOperator");
        RocksDB db = closeLater(RocksDB.open(directory, new Options(), families));
        assertThat(family(db, "counts").get(Bytes.of("key"))).hasSize(8);
    }

    @Test
    void canBeDropped() {
        try (RocksDB db = open()) {
            ColumnFamily users = db.createColumnFamily("users", new Options());
            users.put(Bytes.of("key"), Bytes.of("value"));
            KeyValueReader reader = users.with(new ReadOptions());
            PinnedSlice slice = Objects.requireNonNull(users.getPinned(MemorySegment.ofArray(Bytes.of("key"))));

            db.dropColumnFamily(users);

            assertThat(db.findColumnFamily("users")).isNull();
            assertThatIllegalStateException().isThrownBy(() -> users.get(Bytes.of("key")))
                    .withMessageContaining("column family users").withMessageContaining("was dropped");
            assertThatIllegalStateException().isThrownBy(() -> reader.get(Bytes.of("key")));
            assertThatIllegalStateException().isThrownBy(() -> users.put(Bytes.of("key"), Bytes.of("value")));
            assertThatIllegalStateException().isThrownBy(() -> db.dropColumnFamily(users));
            assertThat(slice.size()).isEqualTo(5);
            slice.close();
            // The name is free, for another family.
            ColumnFamily again = db.createColumnFamily("users", new Options());
            assertThat(again.id()).isEqualTo(2);
            assertThat(again.get(Bytes.of("key"))).isNull();
        }
        assertThat(RocksDB.listColumnFamilies(directory)).containsExactly("default", "users");
    }

    @Test
    void refuseMisuse() {
        RocksDB db = open();
        RocksDB other = closeLater(RocksDB.open(directory.resolve("other"), create()));
        ColumnFamily foreign = other.createColumnFamily("users", new Options());
        assertThatIllegalArgumentException().isThrownBy(() -> db.dropColumnFamily(foreign))
                .withMessageContaining("does not belong");
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> db.dropColumnFamily(db.defaultColumnFamily()));
        db.put(Bytes.of("key"), Bytes.of("still works"));
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> other.createColumnFamily("users", new Options())).withMessageContaining("users");
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> other.createColumnFamily("default", new Options()));
        assertThatIllegalArgumentException().isThrownBy(() -> db.createColumnFamily("a\0b", new Options()));
    }

    @Test
    void endWithTheirDatabase() {
        RocksDB db = open();
        ColumnFamily users = db.createColumnFamily("users", new Options());
        users.put(Bytes.of("key"), Bytes.of("value"));
        PinnedSlice slice = Objects.requireNonNull(users.getPinned(MemorySegment.ofArray(Bytes.of("key"))));
        db.close();
        assertThatIllegalStateException().isThrownBy(() -> users.get(Bytes.of("key")))
                .withMessageContaining("column family users").withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(() -> db.createColumnFamily("more", new Options()))
                .withMessageContaining("database");
        assertThatIllegalStateException().isThrownBy(() -> db.dropColumnFamily(users));
        assertThat(slice.segment().byteSize()).isEqualTo(5);
        slice.close();
        RocksDB.open(directory).close();
    }

    private static ColumnFamily family(RocksDB db, String name) {
        return db.columnFamily(name);
    }
}
