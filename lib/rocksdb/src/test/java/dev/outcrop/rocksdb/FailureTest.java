package dev.outcrop.rocksdb;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A call that RocksDB refuses throws an exception with its status, and the database works on. */
class FailureTest extends DatabaseTest {
    private static Status statusOf(ThrowingCallable call) {
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, call);
        assertThat(thrown).isNotNull().hasMessageContaining(thrown.status().message());
        return thrown.status();
    }

    @Test
    void mergingWithoutAnOperatorIsNotSupported() {
        RocksDB db = open();
        Status status = statusOf(() -> db.merge(KEY, VALUE));

        assertThat(status.code()).isEqualTo(Status.Code.NOT_SUPPORTED);
        assertThat(status.message()).contains("merge operator", directory.toString());
        assertThat(db.get(KEY)).isNull();
        db.put(KEY, VALUE);
        assertThat(db.get(KEY)).isEqualTo(VALUE);
    }

    @Test
    void aRangeThatEndsBeforeItBeginsIsRefusedAndWritingGoesOn() {
        RocksDB db = open();
        db.put(KEY, VALUE);
        for (String[] range : new String[][]{{"z", "a"}, {"a", ""}, {"ab", "a"}, {"\u00ff", "a"}}) {
            Status status = statusOf(() -> db.deleteRange(Bytes.of(range[0]), Bytes.of(range[1])));
            assertThat(status.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
        db.deleteRange(KEY, KEY);
        assertThat(db.get(KEY)).isEqualTo(VALUE);

        db.put(Bytes.of("later"), VALUE);
        db.deleteRange(Bytes.of(""), Bytes.of("l"));
        db.flush();
        assertThat(db.get(KEY)).isNull();
        assertThat(db.get(Bytes.of("later"))).isEqualTo(VALUE);
    }

    @Test
    void inReverseOrderARangeBeginsWithItsGreatestKey() {
        RocksDB db = closeLater(RocksDB.open(directory, create().set("comparator=rocksdb.ReverseBytewiseComparator")));
        db.put(KEY, VALUE);
        assertThat(statusOf(() -> db.deleteRange(Bytes.of("a"), Bytes.of("z"))).code())
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(db.get(KEY)).isEqualTo(VALUE);
        db.deleteRange(Bytes.of("z"), Bytes.of("a"));
        assertThat(db.get(KEY)).isNull();
    }

    @Test
    void tablesThatCannotHoldARangeDeletionRefuseItAndWritingGoesOn() {
        Options plain = create().plainTableFactory(new PlainTableOptions());
        Options cuckoo = create().cuckooTableFactory(new CuckooTableOptions());
        for (Options options : List.of(plain, cuckoo)) {
            Path path = directory.resolve(options == plain ? "plain" : "cuckoo");
            try (RocksDB db = RocksDB.open(path, options)) {
                db.put(KEY, VALUE);

                Status status = statusOf(() -> db.deleteRange(Bytes.of("a"), Bytes.of("z")));

                assertThat(status.code()).isEqualTo(Status.Code.NOT_SUPPORTED);
                assertThat(status.message()).contains("table format");
                WriteBatch batch = new WriteBatch();
                batch.put(Bytes.of("first"), VALUE);
                batch.deleteRange(Bytes.of("a"), Bytes.of("z"));
                assertThat(statusOf(() -> db.write(batch)).code()).isEqualTo(Status.Code.NOT_SUPPORTED);
                assertThat(db.get(Bytes.of("first"))).isNull();
                assertThat(db.get(KEY)).isEqualTo(VALUE);
                db.put(Bytes.of("later"), VALUE);
                assertThat(db.get(Bytes.of("later"))).isEqualTo(VALUE);
            }
        }
    }

    @Test
    void aReadThatMayNotTouchTheDiskIsIncomplete() {
        try (RocksDB db = open()) {
            db.put(KEY, VALUE);
        }
        RocksDB db = closeLater(RocksDB.open(directory));
        KeyValueReader cacheOnly = db.with(new ReadOptions().readTier(ReadTier.BLOCK_CACHE));
        for (ReadForm form : ReadForm.values()) {
            assertThat(statusOf(() -> form.read(cacheOnly, KEY)).code()).as(form.name())
                    .isEqualTo(Status.Code.INCOMPLETE);
        }
        assertThat(db.get(KEY)).isEqualTo(VALUE);
        assertThat(cacheOnly.get(KEY)).isEqualTo(VALUE);
    }

    @Test
    void optionsForAnotherIoActivityAreRefused() {
        RocksDB db = open();
        db.put(KEY, VALUE);
        assertThat(db.with(new ReadOptions().ioActivity(IoActivity.GET)).get(KEY)).isEqualTo(VALUE);
        KeyValueReader iterating = db.with(new ReadOptions().ioActivity(IoActivity.DB_ITERATOR));
        assertThat(statusOf(() -> iterating.get(KEY)).code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        KeyValueIterator entries = closeLater(iterating.iterator());
        assertThat(entries.seekToFirst()).isTrue();
    }

    @Test
    void writingWithoutALogCannotBeSynced() {
        RocksDB db = open();
        KeyValueWriter contradiction = db.with(new WriteOptions().sync(true).disableWAL(true));

        assertThat(statusOf(() -> contradiction.put(KEY, VALUE)).code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(db.get(KEY)).isNull();
    }

    @Test
    void theExceptionAndItsStatusAreSerializable() throws Exception {
        RocksDBException thrown = Objects.requireNonNull(
                catchThrowableOfType(RocksDBException.class, () -> RocksDB.open(directory.resolve("missing"))));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(thrown);
        }
        ObjectInputStream in = closeLater(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        RocksDBException copy = (RocksDBException) in.readObject();
        assertThat(copy).hasMessage(thrown.getMessage());
        assertThat(copy.status()).isEqualTo(thrown.status());
    }
}
