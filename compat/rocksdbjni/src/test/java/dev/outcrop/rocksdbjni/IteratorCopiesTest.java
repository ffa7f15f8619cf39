package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** The copies of keys and values, in each form. */
class IteratorCopiesTest extends DatabaseTest {
    private static final int[] SIZES = {0, 1, 100, 1023, 1024, 1025, 4096, 70_000};
    private static final int ENTRIES = 10 * SIZES.length;

    private RocksDB db;

    @BeforeEach
    void open() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true)) {
            db = RocksDB.open(options, path());
        }
        for (int i = 0; i < ENTRIES; i++) {
            db.put(key(i), value(i));
        }
    }

    @AfterEach
    void close() {
        db.close();
    }

    @Test
    void copiesHaveThePublishedFormInEachKindOfBuffer() {
        try (RocksIterator iterator = db.newIterator()) {
            for (int form = 0; form < 6; form++) {
                int i = 0;
                for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                    for (int room : new int[]{0, 3, 100, 1024, 80_000}) {
                        assertCopy(i + ", form " + form, form, iterator, room, i);
                    }
                    i++;
                }
            }
        }
    }

    private static void assertCopy(String description, int form, RocksIterator iterator, int room, int i) {
        byte[] expected = form < 3 ? key(i) : value(i);
        byte[] copy = new byte[room + 2];
        int copied = Math.min(room, expected.length);
        int size;
        if (form % 3 == 0) {
            size = form < 3 ? iterator.key(copy, 1, room) : iterator.value(copy, 1, room);
        } else {
            ByteBuffer buffer = (form % 3 == 1 ? ByteBuffer.allocateDirect(room + 2) : ByteBuffer.allocate(room + 2))
                    .position(1).limit(room + 1);
            size = form < 3 ? iterator.key(buffer) : iterator.value(buffer);
            assertThat(buffer.position()).as(description).isEqualTo(1);
            assertThat(buffer.limit()).as(description).isEqualTo(1 + copied);
            buffer.clear().get(0, copy);
        }
        byte[] whole = new byte[room + 2];
        System.arraycopy(expected, 0, whole, 1, copied);
        assertThat(size).as(description).isEqualTo(expected.length);
        assertThat(Arrays.equals(copy, whole)).as(description).isTrue();
    }

    @Test
    void eachCallGivesACopyOfItsOwn() {
        try (RocksIterator iterator = db.newIterator()) {
            int i = 0;
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                for (int again = 0; again < 3; again++) {
                    byte[] key = iterator.key();
                    byte[] value = iterator.value();
                    assertThat(key).isEqualTo(key(i));
                    assertThat(Arrays.equals(value, value(i))).as("value %d", i).isTrue();
                    Arrays.fill(key, (byte) 1);
                    Arrays.fill(value, (byte) 1);
                }
                i++;
            }
            assertThat(i).isEqualTo(ENTRIES);
        }
    }

    /** The calls change from entry to entry, and so does the direction. */
    @Test
    void keysOrValuesMayBeReadAtSomeEntriesOnly() {
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seek(key(0));
            int at = 0;
            for (int step = 0; step < 4 * ENTRIES && iterator.isValid(); step++) {
                if (step % 3 != 0) {
                    assertThat(iterator.key()).isEqualTo(key(at));
                }
                if (step % 5 < 3) {
                    assertThat(Arrays.equals(iterator.value(), value(at))).as("value %d", at).isTrue();
                }
                if (step % 7 == 6 && at > 0) {
                    iterator.prev();
                    at--;
                } else if (step % 11 == 10) {
                    at = (at * 31 + step) % ENTRIES;
                    iterator.seek(key(at));
                } else {
                    iterator.next();
                    at++;
                }
            }
            assertThat(at).isPositive();
        }
    }

    @Test
    void atNoEntryThereIsNone() {
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seek(key(ENTRIES - 1));
            assertThat(iterator.key()).isEqualTo(key(ENTRIES - 1));
            assertThat(iterator.value()).isNotNull();
            iterator.next();
            assertThatThrownBy(iterator::key).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(iterator::value).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void copiesEndWithTheIterator() throws Exception {
        RocksIterator iterator = db.newIterator();
        iterator.seekToFirst();
        assertThat(iterator.key()).isEqualTo(key(0));
        assertThat(iterator.value()).isEqualTo(value(0));
        iterator.next();
        Thread closer = new Thread(iterator::close);
        closer.start();
        closer.join();
        assertThatThrownBy(iterator::key).isInstanceOfAny(IllegalStateException.class, AssertionError.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(iterator::value).isInstanceOfAny(IllegalStateException.class, AssertionError.class)
                .hasMessageContaining("closed");
    }

    @Test
    void anotherThreadsMoveCounts() throws Exception {
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seekToFirst();
            assertThat(iterator.key()).isEqualTo(key(0));
            iterator.next();
            Thread mover = new Thread(() -> {
                iterator.next();
                assertThat(iterator.key()).isEqualTo(key(2));
                iterator.next();
            });
            mover.start();
            mover.join();
            assertThat(iterator.key()).isEqualTo(key(3));
            assertThat(iterator.value()).isEqualTo(value(3));
        }
    }

    private static byte[] key(int i) {
        return "key %04d".formatted(i).getBytes(UTF_8);
    }

    private static byte[] value(int i) {
        byte[] value = new byte[SIZES[i % SIZES.length]];
        Arrays.fill(value, (byte) (i + 2));
        return value;
    }
}
