package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every way to read gives the same bytes, whatever their size and wherever RocksDB has them. */
class ReadFormsTest extends DatabaseTest {
    private static final int[] KEY_SIZES = {0, 1, 40, 2047, 2048, 2049, 16_384, 100_000};

    /** The kind of memory of the bytes. */
    enum Place {
        MEMTABLE,
        TABLE_FILE,
        REOPENED
    }

    @ParameterizedTest
    @EnumSource
    void valuesOfEverySize(Place place) {
        RocksDB db = closeLater(written(place));
        for (int size : Bytes.SIZES) {
            for (ReadForm form : ReadForm.values()) {
                assertThat(Arrays.equals(form.read(db, Bytes.of("size " + size)), Bytes.random(size, size)))
                        .as("%d bytes, %s", size, form).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void valuesOfMixedSizesInRandomOrder(Place place) {
        long seed = TestSize.seed(getClass());
        RocksDB db = closeLater(written(place));
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < TestSize.choose("outcrop.rounds", 5, 400); i++) {
            Arrays.stream(Bytes.SIZES).filter(size -> size < 100_000).forEach(sizes::add);
        }
        Random random = new Random(seed);
        Collections.shuffle(sizes, random);
        for (int size : sizes) {
            ReadForm form = ReadForm.any(random);
            assertThat(form.read(db, Bytes.of("size " + size))).as("seed %d, %d bytes, %s", seed, size, form)
                    .isEqualTo(Bytes.random(size, size));
        }
    }

    @ParameterizedTest
    @EnumSource
    void keysOfEverySize(Place place) {
        RocksDB db = closeLater(written(place));
        for (int size : KEY_SIZES) {
            for (ReadForm form : ReadForm.values()) {
                assertThat(form.read(db, Bytes.random(7, size))).as("key of %d bytes, %s", size, form)
                        .isEqualTo(Bytes.of("value " + size));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingKeysAreNullOrNotFound(Place place) {
        RocksDB db = closeLater(written(place));
        for (int size : KEY_SIZES) {
            for (ReadForm form : ReadForm.values()) {
                assertThat(form.read(db, Bytes.random(8, size + 1))).as("key of %d bytes, %s", size + 1, form).isNull();
            }
        }
    }

    private RocksDB written(Place place) {
        RocksDB db = open();
        for (int size : Bytes.SIZES) {
            db.put(Bytes.of("size " + size), Bytes.random(size, size));
        }
        for (int size : KEY_SIZES) {
            db.put(Bytes.random(7, size), Bytes.of("value " + size));
        }
        if (place == Place.TABLE_FILE) {
            db.flush();
            db.compact();
        } else if (place == Place.REOPENED) {
            db.close();
            return RocksDB.open(directory);
        }
        return db;
    }
}
