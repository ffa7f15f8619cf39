package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers about a key that memory alone can give. */
class KeyMayExistTest extends DatabaseTest {
    private static final String FILTER = "block_based_table_factory={filter_policy=bloomfilter:10:false}";
    private static final byte[] OTHER = Bytes.of("other");
    private static final byte[] VALUE = Bytes.random(1, 1000);

    @Override
    RocksDB open() {
        return RocksDB.open(directory, create().set(FILTER));
    }

    private static long read(KeyValueReader reader, byte[] key, byte[] expected) {
        byte[] buffer = new byte[VALUE.length];
        long size = reader.keyMayExist(key, buffer);
        assertThat(buffer).isEqualTo(expected);
        return size;
    }

    @Test
    void keysInTheMemtableAreKnown() {
        RocksDB db = closeLater(open());
        db.put(KEY, VALUE);
        db.put(Bytes.of("empty"), new byte[0]);
        assertThat(db.keyMayExist(KEY)).isTrue();
        assertThat(db.keyMayExist(ByteBuffer.wrap(KEY))).isTrue();
        assertThat(db.keyMayExist(Bytes.inNative(KEY))).isTrue();
        assertThat(db.keyMayExist(OTHER)).isFalse();
        assertThat(read(db, KEY, VALUE)).isEqualTo(VALUE.length);
        assertThat(read(db, OTHER, new byte[VALUE.length])).isEqualTo(KeyValueReader.NOT_FOUND);
        assertThat(read(db, Bytes.of("empty"), new byte[VALUE.length])).isZero();
        assertThat(db.keyMayExist(KEY, new byte[VALUE.length - 1])).isEqualTo(VALUE.length);
        assertThat(db.keyMayExist(Bytes.inNative(KEY), Bytes.inNative(new byte[VALUE.length]))).isEqualTo(VALUE.length);
        db.delete(KEY);
        assertThat(db.keyMayExist(KEY)).isFalse();
        assertThat(read(db, KEY, new byte[VALUE.length])).isEqualTo(KeyValueReader.NOT_FOUND);
    }

    @Test
    void keysInFilesMayExistUntilTheyAreRead() {
        try (RocksDB db = open()) {
            db.put(KEY, VALUE);
            db.flush();
        }
        RocksDB db = closeLater(open());
        assertThat(db.keyMayExist(KEY)).isTrue();
        assertThat(read(db, KEY, new byte[VALUE.length])).isEqualTo(KeyValueReader.MAY_EXIST);
        assertThat(db.get(KEY)).isEqualTo(VALUE);
        assertThat(read(db, KEY, VALUE)).isEqualTo(VALUE.length);
        // The filter says so.
        assertThat(db.keyMayExist(Bytes.of("kez"))).isFalse();
        assertThat(read(db, Bytes.of("kez"), new byte[VALUE.length])).isEqualTo(KeyValueReader.NOT_FOUND);
    }

    @Test
    void familiesAndSnapshotsCount() {
        RocksDB db = closeLater(open());
        ColumnFamily family = db.createColumnFamily("family", new Options());
        family.put(KEY, VALUE);
        assertThat(db.keyMayExist(KEY)).isFalse();
        assertThat(family.keyMayExist(KEY)).isTrue();
        assertThat(read(family, KEY, VALUE)).isEqualTo(VALUE.length);
        Snapshot snapshot = db.snapshot();
        family.delete(KEY);
        KeyValueReader before = family.with(new ReadOptions().snapshot(snapshot));
        assertThat(before.keyMayExist(KEY)).isTrue();
        assertThat(family.keyMayExist(KEY)).isFalse();
        snapshot.close();
        assertThatThrownBy(() -> before.keyMayExist(KEY)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> before.keyMayExist(KEY, KEY)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aReadOnlyBufferIsRefused() {
        RocksDB db = closeLater(open());
        assertThatThrownBy(() -> db.keyMayExist(Bytes.inNative(KEY), MemorySegment.ofArray(KEY).asReadOnly()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("read-only");
    }

    @Test
    @Tag("verify")
    void itLeaksNothing() {
        RocksDB db = closeLater(open());
        byte[] large = Bytes.random(3, 1 << 20);
        db.put(KEY, large);
        byte[] buffer = new byte[1 << 20];
        // A gigabyte for each thousand if each answer leaked its value: in the nightly run the machine would not bear it.
        for (int i = 0; i < TestSize.choose("outcrop.answers", 1000, 50_000); i++) {
            if (db.keyMayExist(KEY, i % 100 == 0 ? buffer : KEY) != buffer.length) {
                throw new AssertionError(i);
            }
        }
        assertThat(Arrays.equals(buffer, large)).isTrue();
    }
}
