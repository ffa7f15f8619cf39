package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PropertyTest extends DatabaseTest {
    private static final int MOST_LOOKS = 1000;

    @Test
    void everyNumberIsOne() {
        RocksDB db = closeLater(open());
        StatisticsTest.work(db);
        assertThat(Property.NUMBERS).hasSizeGreaterThan(40).contains(Property.ESTIMATE_NUM_KEYS)
                .doesNotContain(Property.STATS).allSatisfy(property -> {
                    // RocksDB estimates the age only for FIFO compaction, and blob caches are not set here.
                    boolean mayBeMissing = property.equals(Property.ESTIMATE_OLDEST_KEY_TIME)
                            || property.startsWith("rocksdb.blob-cache");
                    String number = number(db, property);
                    assertThat(number != null || mayBeMissing).as(property).isTrue();
                    String text = db.property(property);
                    // Again if it has changed in between, because RocksDB works in the background.
                    for (int i = 0; i < MOST_LOOKS && !Objects.equals(number, text); i++) {
                        number = number(db, property);
                        text = db.property(property);
                    }
                    assertThat(text).as(property).isEqualTo(number);
                });
    }

    private static @Nullable String number(RocksDB db, String property) {
        Long number = db.longProperty(property);
        return number == null ? null : Long.toUnsignedString(number);
    }

    @Test
    void everyTextIsOne() throws IllegalAccessException {
        RocksDB db = closeLater(open());
        StatisticsTest.work(db);
        for (Field field : Property.class.getFields()) {
            if (field.getType() == String.class && Modifier.isStatic(field.getModifiers())) {
                String property = (String) field.get(null);
                if (!Property.NUMBERS.contains(property)) {
                    boolean takesNumber = property.endsWith("-at-level") || property.endsWith("-at-temperature");
                    assertThat(db.property(takesNumber ? property + "1" : property)).as(property).isNotNull();
                    assertThat(db.longProperty(property)).as(property).isNull();
                }
            }
        }
    }

    @Test
    void numbersAreThoseOfTheColumnFamily() {
        RocksDB db = closeLater(open());
        ColumnFamily users = db.createColumnFamily("users", new Options());
        for (int i = 0; i < 5; i++) {
            users.put(MemorySegment.ofArray(Bytes.of("key" + i)), MemorySegment.ofArray(new byte[10]));
        }

        assertThat(users.longProperty(Property.NUM_ENTRIES_ACTIVE_MEM_TABLE)).isEqualTo(5);
        assertThat(db.longProperty(Property.NUM_ENTRIES_ACTIVE_MEM_TABLE)).isZero();
        assertThat(db.longProperty(Property.BASE_LEVEL)).isPositive();
    }

    @Test
    void readsPairsAsAMap() {
        RocksDB db = closeLater(open());
        StatisticsTest.work(db);
        Map<String, String> properties = db.mapProperty(Property.AGGREGATED_TABLE_PROPERTIES);

        assertThat(properties).containsEntry("# entries", "999").containsKeys("raw key size", "data block size");
        assertThat(db.mapProperty(Property.AGGREGATED_TABLE_PROPERTIES_AT_LEVEL + "0")).containsEntry("# entries", "0");
        assertThat(db.mapProperty(Property.AGGREGATED_TABLE_PROPERTIES_AT_LEVEL + "99")).isNull();
        assertThat(db.mapProperty("rocksdb.no-such-property")).isNull();
        assertThatThrownBy(() -> db.mapProperty(Property.STATS)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rocksdb.stats").hasMessageContaining("pairs");
    }

    @Test
    void unknownOnesAreNull() {
        RocksDB db = closeLater(open());
        assertThat(db.longProperty("rocksdb.no-such-property")).isNull();
        assertThat(db.longProperty("")).isNull();
        assertThat(db.longProperty(Property.ESTIMATE_NUM_KEYS + "\0")).isNull();
        assertThat(db.mapProperty("rocksdb.aggregated-table-properties\0")).isNull();
    }

    @Test
    void aClosedDatabaseHasNone() {
        RocksDB db = open();
        db.close();

        assertThatThrownBy(() -> db.longProperty(Property.ESTIMATE_NUM_KEYS)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> db.mapProperty(Property.AGGREGATED_TABLE_PROPERTIES))
                .isInstanceOf(IllegalStateException.class);
    }

    @Override
    RocksDB open() {
        return RocksDB.open(directory, create().enableStatistics());
    }
}
