package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One request, reused with random keys of random column families, returns what a map returns. */
class MultiGetModelTest extends DatabaseTest {
    private static final int FAMILIES = 30;
    private static final int KEYS = 200;

    private record Place(String family, String key) {
    }

    private final Map<Place, byte[]> model = new HashMap<>();
    private final List<ColumnFamily> families = new ArrayList<>();

    @ParameterizedTest
    @MethodSource("rounds")
    void itReadsEarlierWrites(int repetition) {
        long seed = TestSize.seed(getClass()) + repetition;
        Random random = new Random(seed);
        RocksDB db = open();
        Arena arena = closeLater(Arena.ofShared());
        create(db, random);
        MemorySegment slab = arena.allocate(1 << 20);
        MultiGet request = closeLater(db.multiGet());
        for (int round = 0; round < 200; round++) {
            change(random);
            List<Place> places = places(random);
            request.clear();
            for (Place place : places) {
                ColumnFamily family = db.columnFamily(place.family);
                if (random.nextBoolean()) {
                    request.add(family, Bytes.of(place.key));
                } else {
                    request.add(family, Bytes.inNative(Bytes.of(place.key)));
                }
            }
            try (MultiGetValues values = random.nextBoolean() ? request.execute() : request.execute(slab)) {
                check(places, values, "seed " + seed + ", round " + round);
            }
            assertThat(db.pinnedBytes()).isZero();
        }
    }

    private void create(RocksDB db, Random random) {
        families.add(db.defaultColumnFamily());
        for (int i = 1; i < FAMILIES; i++) {
            families.add(db.createColumnFamily("family" + i, new Options()));
        }
        for (int i = 0; i < FAMILIES * KEYS / 2; i++) {
            change(random);
        }
        families.forEach(ColumnFamily::flush);
    }

    private void change(Random random) {
        ColumnFamily family = families.get(random.nextInt(families.size()));
        String key = "key" + random.nextInt(KEYS);
        if (random.nextInt(4) == 0) {
            family.delete(Bytes.of(key));
            model.remove(new Place(family.name(), key));
        } else {
            int size = random.nextInt(10) == 0
                    ? 0
                    : random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(100);
            byte[] value = Bytes.random(random.nextInt(), size);
            family.put(Bytes.of(key), value);
            model.put(new Place(family.name(), key), value);
        }
    }

    /** From none to some hundreds of keys, of one to all families, in random order or in runs. */
    private List<Place> places(Random random) {
        int count = random.nextInt(10) == 0 ? random.nextInt(3) : random.nextInt(300);
        int of = 1 + random.nextInt(families.size());
        boolean inRuns = random.nextBoolean();
        List<Place> places = new ArrayList<>();
        ColumnFamily family = families.get(0);
        for (int i = 0; i < count; i++) {
            if (!inRuns || random.nextInt(10) == 0) {
                family = families.get(random.nextInt(of));
            }
            places.add(new Place(family.name(), "key" + random.nextInt(KEYS)));
        }
        return places;
    }

    private void check(List<Place> places, MultiGetValues values, String description) {
        assertThat(values.size()).as(description).isEqualTo(places.size());
        long bytes = 0;
        for (int i = 0; i < places.size(); i++) {
            byte @Nullable [] expected = model.get(places.get(i));
            assertThat(values.array(i)).as("%s, key %d, %s", description, i, places.get(i)).isEqualTo(expected);
            assertThat(values.error(i)).isNull();
            bytes += expected == null ? 0 : expected.length;
        }
        assertThat(values.bytes()).as(description).isEqualTo(bytes);
    }
}
