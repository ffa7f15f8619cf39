package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Batches that are put into a transaction or taken from it, and many keys read for update at once. */
class TransactionBatchTest extends DatabaseTest {
    private static final byte[] OTHER = Bytes.of("other");

    @Test
    void aBatchIsDoneInTheTransaction() {
        TransactionDB db = closeLater(open("db"));
        Transaction transaction = closeLater(db.begin());
        Transaction second = closeLater(begin(db));
        ColumnFamily users = db.createColumnFamily("users", new Options());
        db.put(OTHER, VALUE);
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, VALUE);
        batch.delete(OTHER);
        batch.merge(KEY, Bytes.of("more"));
        batch.in(users).put(segment("name"), segment("Ann"));
        batch.putLogData(segment("note"));

        transaction.write(batch);

        assertThat(transaction.get(KEY)).isEqualTo(Bytes.of("value,more"));
        assertThat(transaction.in(users).get(Bytes.of("name"))).isEqualTo(Bytes.of("Ann"));
        assertThat(db.get(OTHER)).isEqualTo(VALUE);
        for (byte[] key : List.of(KEY, OTHER)) {
            assertThat(catchThrowableOfType(RocksDBException.class, () -> second.put(key, VALUE)).status().code())
                    .isEqualTo(Status.Code.TIMED_OUT);
        }
        transaction.commit();
        assertThat(db.get(OTHER)).isNull();
        assertThat(users.get(Bytes.of("name"))).isEqualTo(Bytes.of("Ann"));
        assertThatIllegalStateException().isThrownBy(() -> transaction.write(new WriteBatch()))
                .withMessageContaining("was committed");
    }

    @Test
    void unsupportedOperationsAreRefusedBeforeAnythingIsDone() {
        List<Consumer<WriteBatch>> impossible = List.of(batch -> batch.singleDelete(KEY),
                batch -> batch.deleteRange(segment("a"), segment("b")),
                batch -> batch.putEntity(segment("key"), List.of()));
        TransactionDB db = closeLater(open("db"));
        Transaction transaction = closeLater(db.begin());
        for (Consumer<WriteBatch> each : impossible) {
            WriteBatch batch = new WriteBatch();
            batch.put(KEY, VALUE);
            each.accept(batch);
            assertThat(catchThrowableOfType(RocksDBException.class, () -> transaction.write(batch)).status()
                    .code()).isEqualTo(Status.Code.NOT_SUPPORTED);
        }
        WriteBatch elsewhere = new WriteBatch();
        try (RocksDB other = RocksDB.open(directory.resolve("other"), create())) {
            elsewhere.in(other.createColumnFamily("users", new Options())).put(segment("a"), segment("b"));
            assertThatIllegalArgumentException().isThrownBy(() -> transaction.write(elsewhere));
        }
        // The bytes alone do not tell of which database they are, but there is no such family.
        WriteBatch copy = WriteBatch.of(elsewhere.data());
        assertThat(catchThrowableOfType(RocksDBException.class, () -> transaction.write(copy)).status().code())
                .isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(transaction.changes().count()).isZero();
    }

    @Test
    void itsChangesCanBeWrittenElsewhere() {
        TransactionDB db = closeLater(open("db"));
        RocksDB copy = closeLater(RocksDB.open(directory.resolve("copy"),
                create().mergeOperator(MergeOperator.STRING_APPEND)));
        Transaction transaction = closeLater(db.begin());
        transaction.put(KEY, VALUE);
        transaction.merge(KEY, Bytes.of("more"));
        transaction.delete(OTHER);
        copy.put(OTHER, VALUE);

        WriteBatch changes = transaction.changes();
        transaction.rollback();

        assertThat(changes.count()).isEqualTo(3);
        copy.write(changes);
        assertThat(copy.get(KEY)).isEqualTo(Bytes.of("value,more"));
        assertThat(copy.get(OTHER)).isNull();
        assertThat(db.get(KEY)).isNull();
        assertThatIllegalStateException().isThrownBy(transaction::changes);
    }

    @Test
    void manyKeysAreReadForUpdate() {
        TransactionDB db = closeLater(open("db"));
        Transaction transaction = closeLater(db.begin());
        Transaction second = closeLater(begin(db));
        db.put(KEY, VALUE);
        transaction.put(Bytes.of("mine"), new byte[0]);

        List<byte @Nullable []> values = transaction.multiGetForUpdate(List.of(OTHER, KEY, Bytes.of("mine")));

        assertThat(values).containsExactly(null, VALUE, new byte[0]);
        assertThat(transaction.multiGetForUpdate(List.of())).isEmpty();
        assertThat(catchThrowableOfType(RocksDBException.class, () -> second.put(OTHER, VALUE)).status().code())
                .isEqualTo(Status.Code.TIMED_OUT);
        assertThat(catchThrowableOfType(RocksDBException.class,
                () -> second.multiGetForUpdate(List.of(Bytes.of("free"), KEY))).status().code())
                .isEqualTo(Status.Code.TIMED_OUT);
        db.createColumnFamily("users", new Options()).put(KEY, Bytes.of("Ann"));
        assertThat(transaction.in(db.columnFamily("users"))
                .multiGetForUpdate(List.of(KEY))).containsExactly(Bytes.of("Ann"));
    }

    @Test
    void manyKeysAreReadForUpdateOptimistically() {
        OptimisticTransactionDB db = closeLater(OptimisticTransactionDB.open(directory.resolve("db"),
                create(), Map.of()));
        Transaction transaction = closeLater(db.begin());
        db.put(KEY, VALUE);
        assertThat(transaction.multiGetForUpdate(List.of(KEY, OTHER))).containsExactly(VALUE, null);
        transaction.put(Bytes.of("result"), VALUE);
        db.put(OTHER, VALUE);
        assertThat(catchThrowableOfType(RocksDBException.class, transaction::commit).status().code())
                .isEqualTo(Status.Code.BUSY);
    }

    @Test
    void databasesWithTransactionsAreMaintainedToo() throws Exception {
        try (TransactionDB db = open("db")) {
            maintain(db, "locking");
        }
        OptimisticTransactionDB db = closeLater(OptimisticTransactionDB.open(directory.resolve("db"),
                new Options().mergeOperator(MergeOperator.STRING_APPEND)));
        maintain(db, "optimistic");
    }

    private void maintain(RocksDB db, String name) {
        ColumnFamily family = db.createColumnFamily(name, new Options());
        family.put(KEY, VALUE);
        family.flush();
        assertThat(family.metadata().fileCount()).isEqualTo(1);
        assertThat(family.metadata().name()).isEqualTo(name);
        family.put(OTHER, VALUE);
        db.put(KEY, VALUE);
        db.flush(List.of(family, db.defaultColumnFamily()), new FlushOptions());
        assertThat(family.metadata().fileCount()).isEqualTo(2);
        db.put(OTHER, VALUE);
        db.flushWal(true);
        db.flushWal(new FlushWalOptions());
        Path copy = directory.resolve("copy of " + name);
        db.checkpoint(copy);
        try (RocksDB other = RocksDB.open(copy, new Options().mergeOperator(MergeOperator.STRING_APPEND))) {
            assertThat(other.columnFamily(name).get(OTHER)).isEqualTo(VALUE);
            assertThat(other.get(OTHER)).isEqualTo(VALUE);
        }
    }

    private TransactionDB open(String name) {
        return TransactionDB.open(directory.resolve(name), create().mergeOperator(MergeOperator.STRING_APPEND));
    }

    private static MemorySegment segment(String text) {
        return MemorySegment.ofArray(Bytes.of(text));
    }

    private static Transaction begin(TransactionDB db) {
        return db.begin(new WriteOptions(), new TransactionOptions().lockTimeout(Duration.ofMillis(1)));
    }
}
