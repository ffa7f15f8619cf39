package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RateLimiter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Status;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Databases as programs for the published jar use them. */
class CoreTest extends DatabaseTest {
    private final Options options = closeLater(new Options());

    /** The published jar reads beyond them. */
    @Test
    void valuesThatWereWrittenWithoutATimeAreRefusedByIteratorsOfATtlDatabase() throws RocksDBException {
        String path = path("ttl");
        try (RocksDB db = RocksDB.open(path)) {
            db.put(new byte[]{1}, new byte[0]);
        }
        TtlDB db = closeLater(TtlDB.open(options, path));
        RocksIterator iterator = closeLater(db.newIterator());
        iterator.seekToFirst();
        assertThat(iterator.key()).containsExactly(1);
        for (ThrowingCallable read : List.<ThrowingCallable>of(iterator::value,
                () -> iterator.value(new byte[8]), () -> iterator.value(ByteBuffer.allocateDirect(8)))) {
            assertThatThrownBy(read).isInstanceOf(IllegalStateException.class).hasMessageContaining("TtlDB");
        }
    }

    @Test
    void writesAreReadAgainAfterReopening() throws RocksDBException {
        try (RocksDB db = RocksDB.open(path())) {
            db.put(b("a"), b("1"));
            db.put(b("xby"), 1, 1, b("22"), 0, 2);
            db.delete(b("a"));
        }
        RocksDB db = closeLater(RocksDB.open(path()));
        assertThat(db.get(b("a"))).isNull();
        assertThat(db.get(b("b"))).isEqualTo(b("22"));
        byte[] small = new byte[1];
        assertThat(db.get(b("b"), small)).isEqualTo(2);
        assertThat(small).isEqualTo(b("2"));
        assertThat(db.get(b("none"), small)).isEqualTo(RocksDB.NOT_FOUND);
    }

    @Test
    void aBatchIsWrittenAsAWhole() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        WriteBatch batch = closeLater(new WriteBatch());
        WriteOptions options = closeLater(new WriteOptions());
        batch.put(b("a"), b("1"));
        batch.setSavePoint();
        batch.put(b("b"), b("2"));
        batch.rollbackToSavePoint();
        batch.put(b("c"), b("3"));
        batch.delete(b("none"));
        assertThat(batch.count()).isEqualTo(3);
        db.write(options, batch);
        assertThat(db.get(b("a"))).isEqualTo(b("1"));
        assertThat(db.get(b("b"))).isNull();
        WriteBatch copy = closeLater(new WriteBatch(batch.data()));
        assertThat(copy.count()).isEqualTo(3);
        assertThat(copy.getDataSize()).isEqualTo(batch.getDataSize());
    }

    @Test
    @SuppressWarnings("resource") // never open
    void aDatabaseIsNotOpenedWithoutRoomForItsHandles() throws RocksDBException {
        List<ColumnFamilyDescriptor> families = List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
        RocksDB.open(path()).close();
        assertThatThrownBy(() -> RocksDB.open(path(), families, List.of()))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> RocksDB.open(path(), families, null)).isInstanceOf(NullPointerException.class);
        // Its lock is free.
        RocksDB.open(path(), families, new ArrayList<>()).close();
    }

    @Test
    void copiesOfOptionsHaveTheirHalvesOnly() {
        RateLimiter limiter = new RateLimiter(1 << 20);
        Cache rows = new LRUCache(1 << 20);
        WriteBufferManager buffers = new WriteBufferManager(1 << 20, rows);
        options.setRateLimiter(limiter).setRowCache(rows).setWriteBufferManager(buffers);
        options.setTableFormatConfig(new PlainTableConfig());
        List.of(limiter, rows, buffers).forEach(RocksObject::close);
        Options whole = closeLater(new Options(options));
        DBOptions database = closeLater(new DBOptions(options));
        ColumnFamilyOptions family = closeLater(new ColumnFamilyOptions(options));
        DBOptions other = closeLater(new DBOptions());
        Options fromBoth = closeLater(new Options(database, family));
        Options fromFamily = closeLater(new Options(other, family));
        for (Options each : List.of(whole, fromBoth)) {
            assertThat(each.rowCache()).isSameAs(rows);
            assertThat(each.writeBufferManager()).isSameAs(buffers);
        }
        assertThat(fromFamily.rowCache()).isNull();
        assertThat(fromFamily.writeBufferManager()).isNull();
        assertThat(fromFamily.tableFormatConfig()).isSameAs(options.tableFormatConfig());
    }

    @Test
    void descriptorsAndStatusesOfNullCanBeShownAndCompared() {
        ColumnFamilyDescriptor nothing = new ColumnFamilyDescriptor(null, null);
        assertThat(nothing).isEqualTo(new ColumnFamilyDescriptor(null, null))
                .hasSameHashCodeAs(new ColumnFamilyDescriptor(null, null))
                .isNotEqualTo(new ColumnFamilyDescriptor(b("users")));
        assertThat(new Status(null, null, null).getCodeString()).isEqualTo("null");
    }

    @Test
    void familiesAreFoundAgain() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true); RocksDB db = RocksDB.open(options, path())) {
            ColumnFamilyHandle users = db.createColumnFamily(new ColumnFamilyDescriptor(b("users")));
            db.put(users, b("a"), b("1"));
            assertThat(users.getName()).isEqualTo(b("users"));
            assertThat(users.getID()).isEqualTo(1);
            assertThat(RocksDB.listColumnFamilies(options, path())).containsExactly(RocksDB.DEFAULT_COLUMN_FAMILY,
                    b("users"));
        }
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        DBOptions options = closeLater(new DBOptions());
        RocksDB db = closeLater(RocksDB.open(options, path(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                        new ColumnFamilyDescriptor(b("users"))),
                handles));
        assertThat(db.get(handles.get(1), b("a"))).isEqualTo(b("1"));
        assertThat(db.get(handles.get(0), b("a"))).isNull();
        assertThat(handles.get(0)).isEqualTo(db.getDefaultColumnFamily());
        handles.get(1).close();
        assertRefused(() -> db.get(handles.get(1), b("a")));
    }

    @Test
    void anIteratorWalksBothWays() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        for (String key : List.of("a", "b", "c")) {
            db.put(b(key), b(key + key));
        }
        RocksIterator iterator = closeLater(db.newIterator());
        assertThatThrownBy(iterator::key).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(iterator::next).isInstanceOf(IllegalStateException.class);
        List<String> seen = new ArrayList<>();
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
            seen.add(new String(iterator.key(), UTF_8) + new String(iterator.value(), UTF_8));
        }
        assertThat(seen).containsExactly("aaa", "bbb", "ccc");
        iterator.status();
        iterator.seekForPrev(b("bz"));
        assertThat(iterator.key()).isEqualTo(b("b"));
        iterator.prev();
        assertThat(iterator.value()).isEqualTo(b("aa"));
    }

    @Test
    void closingWithLeakedIteratorsFreesTheLock() throws RocksDBException {
        RocksDB db = RocksDB.open(path());
        db.put(b("a"), b("1"));
        RocksIterator leaked = db.newIterator();
        leaked.seekToFirst();
        db.close();
        db.close();
        RocksDB.open(path()).close();
        assertRefused(leaked::isValid);
        assertRefused(leaked::next);
        assertRefused(() -> db.get(b("a")));
        leaked.close();
    }

    @Test
    void closedOptionsAreRefused() {
        Options options = new Options();
        options.close();
        options.close();
        assertRefused(options::createIfMissing);
        assertRefused(() -> options.setCreateIfMissing(true));
        assertRefused(() -> RocksDB.open(options, path()));
        assertRefused(() -> new Options(options));
    }

    @Test
    void aFamilyOfAnotherDatabaseIsRefused() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        RocksDB other = closeLater(RocksDB.open(path() + "2"));
        assertThatThrownBy(() -> db.get(other.getDefaultColumnFamily(), b("a")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("another database");
    }

    @Test
    void anErrorHasItsStatus() {
        assertThatThrownBy(() -> RocksDB.open(options, path())).isInstanceOfSatisfying(RocksDBException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.InvalidArgument);
            assertThat(e).hasMessageContaining("does not exist (create_if_missing is false)");
        });
    }

    @Tag("verify")
    @Test
    void closingRacesWithReadsAndIterators() throws Exception {
        for (int round = 0; round < 20; round++) {
            RocksDB db = RocksDB.open(path());
            db.put(b("a"), b("1"));
            AtomicInteger wrong = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                threads.add(Thread.ofPlatform().start(() -> readUntilRefused(db, wrong)));
            }
            db.close();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).hasValue(0);
        }
    }

    private static void readUntilRefused(RocksDB db, AtomicInteger wrong) {
        try {
            while (true) {
                if (db.get(b("a")) == null) {
                    wrong.incrementAndGet();
                }
                try (RocksIterator iterator = db.newIterator()) {
                    iterator.seekToFirst();
                    if (!iterator.isValid()) {
                        wrong.incrementAndGet();
                    }
                }
            }
        } catch (AssertionError | IllegalStateException expected) {
            return;
        } catch (RocksDBException e) {
            wrong.incrementAndGet();
        }
    }

    // As an assertion where those are enabled, as in tests.
    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfAny(AssertionError.class, IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
