package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.Status;
import org.rocksdb.TickerType;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Writes that RocksDB refuses only after logging them, and all writes after them, are refused before. */
class RefusedWritesTest extends DatabaseTest {
    private final Options options = closeLater(new Options().setCreateIfMissing(true));
    private final WriteOptions writes = closeLater(new WriteOptions());

    /** As published, whatever the lengths add up to. */
    @Test
    void partsThatAnArrayDoesNotHave() throws RocksDBException {
        byte[] array = "array".getBytes(UTF_8);
        RocksDB db = closeLater(RocksDB.open(directory.toString()));
        for (int[] part : new int[][]{{0, -4}, {0, 6}, {-1, 2}, {6, 0}, {0, Integer.MAX_VALUE},
                {1, Integer.MAX_VALUE}}) {
            List<ThrowingCallable> calls = List.of(() -> db.put(array, 0, 3, array, part[0], part[1]),
                    () -> db.put(array, part[0], part[1], array, 0, 3),
                    () -> db.put(array, part[0], part[1], array, part[0], part[1]),
                    () -> db.merge(array, 0, 3, array, part[0], part[1]),
                    () -> db.delete(array, part[0], part[1]));
            for (ThrowingCallable call : calls) {
                assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
        assertThat(db.get(array)).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rangesThatEndBeforeTheyBegin(boolean isCounted) throws RocksDBException {
        Statistics statistics = closeLater(new Statistics());
        ColumnFamilyOptions reverse = closeLater(new ColumnFamilyOptions()
                .setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR));
        ComparatorOptions comparing = closeLater(new ComparatorOptions());
        ByLength order = closeLater(new ByLength(comparing));
        ColumnFamilyOptions byLength = closeLater(new ColumnFamilyOptions().setComparator(order));
        RocksDB db = closeLater(RocksDB.open(isCounted ? options.setStatistics(statistics) : options, path()));
        ColumnFamilyHandle reversed = closeLater(
                db.createColumnFamily(new ColumnFamilyDescriptor(b("reverse"), reverse)));
        ColumnFamilyHandle sized = closeLater(db.createColumnFamily(new ColumnFamilyDescriptor(b("sized"), byLength)));
        for (ColumnFamilyHandle family : List.of(db.getDefaultColumnFamily(), reversed, sized)) {
            db.put(family, b("b"), b("1"));
            db.put(family, b("mm"), b("1"));
        }
        db.deleteRange(b("a"), b("c"));
        db.deleteRange(reversed, b("c"), b("a"));
        // Behind it by bytes.
        db.deleteRange(sized, b("z"), b("aa"));
        db.deleteRange(writes, b("b"), b("b"));
        db.deleteRange(writes, new byte[0], b("a"));
        assertThat(db.get(b("b"))).isNull();
        assertThat(db.get(reversed, b("b"))).isNull();
        assertThat(db.get(sized, b("b"))).isEqualTo(b("1"));

        refused(() -> db.deleteRange(b("z"), b("a")));
        refused(() -> db.deleteRange(b("a"), new byte[0]));
        refused(() -> db.deleteRange(reversed, b("a"), b("z")));
        refused(() -> db.deleteRange(sized, writes, b("aa"), b("z")));
        try (WriteBatch batch = new WriteBatch()) {
            batch.put(b("new"), b("1"));
            batch.deleteRange(reversed, b("z"), b("a"));
            batch.deleteRange(sized, b("aa"), b("z"));
            refused(() -> db.write(writes, batch));
            assertThat(db.get(b("new"))).isNull();
        }
        // It still takes writes.
        for (ColumnFamilyHandle family : List.of(db.getDefaultColumnFamily(), reversed, sized)) {
            assertThat(db.get(family, b("mm"))).isEqualTo(b("1"));
            db.put(family, b("b"), b("2"));
        }
        // The look for the order of keys is none of the program's reads.
        assertThat(statistics.getTickerCount(TickerType.NUMBER_DB_SEEK)).isZero();
        assertThat(statistics.getTickerCount(TickerType.NO_ITERATOR_CREATED)).isZero();
    }

    @Test
    void rangesOfADatabaseWithATimeToLive() throws RocksDBException {
        TtlDB db = closeLater(TtlDB.open(options, path()));
        db.put(b("m"), b("1"));
        refused(() -> db.deleteRange(b("z"), b("a")));
        db.deleteRange(b("a"), b("z"));
        assertThat(db.get(b("m"))).isNull();
    }

    @Test
    void writesToADroppedFamily() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(options, path()));
        ColumnFamilyHandle family = closeLater(db.createColumnFamily(new ColumnFamilyDescriptor(b("dropped"))));
        db.put(family, b("a"), b("1"));
        db.dropColumnFamily(family);
        assertThat(db.get(family, b("a"))).isEqualTo(b("1"));
        refused(() -> db.put(family, b("a"), b("2")));
        refused(() -> db.put(family, writes, direct("a"), direct("2")));
        refused(() -> db.delete(family, b("a")));
        refused(() -> db.delete(family, writes, direct("a")));
        refused(() -> db.deleteRange(family, b("a"), b("b")));
        db.put(b("a"), b("1"));
    }

    private static void refused(ThrowingCallable write) {
        assertThatThrownBy(write).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.InvalidArgument));
    }
}
