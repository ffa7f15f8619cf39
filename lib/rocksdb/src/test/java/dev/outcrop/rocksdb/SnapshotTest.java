package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SnapshotTest extends DatabaseTest {
    @Test
    void showsTheDatabaseAsItWas() {
        RocksDB db = open();
        ColumnFamily users = db.createColumnFamily("users", new Options());
        db.put(Bytes.of("key"), Bytes.of("before"));
        users.put(Bytes.of("key"), Bytes.of("before, in users"));
        Snapshot snapshot = closeLater(db.snapshot());
        KeyValueReader then = db.with(new ReadOptions().snapshot(snapshot));
        KeyValueReader thenInUsers = users.with(new ReadOptions().snapshot(snapshot));
        db.put(Bytes.of("key"), Bytes.of("after"));
        users.delete(Bytes.of("key"));
        db.put(Bytes.of("new"), Bytes.of(""));
        db.compact();

        assertThat(then.get(Bytes.of("key"))).isEqualTo(Bytes.of("before"));
        assertThat(thenInUsers.get(Bytes.of("key"))).isEqualTo(Bytes.of("before, in users"));
        assertThat(then.get(Bytes.of("new"))).isNull();
        assertThat(db.get(Bytes.of("key"))).isEqualTo(Bytes.of("after"));
        int[] count = {0};
        then.scan((key, value) -> ++count[0] > 0);
        assertThat(count[0]).isEqualTo(1);
        assertThat(snapshot.sequenceNumber()).isEqualTo(2);
    }

    @Test
    void cannotBeReadOnceClosed() {
        RocksDB db = open();
        db.put(Bytes.of("key"), Bytes.of("value"));
        Snapshot snapshot = db.snapshot();
        ReadOptions options = new ReadOptions().snapshot(snapshot);
        KeyValueReader then = db.with(options);
        PinnedSlice slice = Objects.requireNonNull(then.getPinned(MemorySegment.ofArray(Bytes.of("key"))));
        snapshot.close();
        snapshot.close();

        assertThatIllegalStateException().isThrownBy(() -> then.get(Bytes.of("key")))
                .withMessageContaining("snapshot of database").withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(() -> then.scan((key, value) -> true));
        assertThatIllegalStateException().isThrownBy(() -> new ReadOptions().snapshot(snapshot));
        assertThat(slice.segment().byteSize()).isEqualTo(5);
        slice.close();
        assertThat(db.get(Bytes.of("key"))).isEqualTo(Bytes.of("value"));
    }

    @Test
    void belongsToItsDatabase() {
        RocksDB db = open();
        RocksDB other = closeLater(RocksDB.open(directory.resolve("other"), create()));
        Snapshot snapshot = closeLater(other.snapshot());
        assertThatIllegalArgumentException().isThrownBy(() -> db.with(new ReadOptions().snapshot(snapshot)))
                .withMessageContaining("other");
    }

    @Test
    void keepsTheNativeDatabaseUntilItIsClosed() {
        RocksDB db = open();
        Snapshot snapshot = db.snapshot();
        KeyValueReader then = db.with(new ReadOptions().snapshot(snapshot));
        db.close();
        assertThatIllegalStateException().isThrownBy(() -> then.get(Bytes.of("key"))).withMessageContaining("database");
        assertThatIllegalStateException().isThrownBy(db::snapshot);
        snapshot.close();
        open().close();
    }
}
