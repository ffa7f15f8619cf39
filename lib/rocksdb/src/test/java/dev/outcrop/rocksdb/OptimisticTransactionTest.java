package dev.outcrop.rocksdb;

import org.junit.jupiter.api.Test;

/** Optimistic transactions. */
class OptimisticTransactionTest extends DatabaseTest {
    @Test
    void commitsIfItsKeysWereNotChangedByOthers() {
        OptimisticTransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin());
        db.put(KEY, Bytes.of("1"));
        assertThat(transaction.getForUpdate(KEY)).isEqualTo(Bytes.of("1"));
        transaction.put(KEY, Bytes.of("2"));
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("1"));
        transaction.commit();
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("2"));
    }

    @Test
    void findsAConflictWithAWriteAndWithATransaction() {
        OptimisticTransactionDB db = closeLater(open());
        Transaction first = closeLater(db.begin());
        Transaction second = closeLater(db.begin());
        first.put(KEY, Bytes.of("first"));
        second.put(KEY, Bytes.of("second"));
        first.commit();
        RocksDBException conflict = catchThrowableOfType(RocksDBException.class, second::commit);
        assertThat(conflict.status().code()).isEqualTo(Status.Code.BUSY);
        // It is still there, and can be tried again from the start.
        second.rollback();
        second.beginAgain();
        assertThat(second.getForUpdate(KEY, LockMode.SHARED)).isEqualTo(Bytes.of("first"));
        db.put(KEY, Bytes.of("without a transaction"));
        assertThat(catchThrowableOfType(RocksDBException.class, second::commit).status().code())
                .isEqualTo(Status.Code.BUSY);
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("without a transaction"));
    }

    @Test
    void seesItsSnapshot() {
        OptimisticTransactionOptions options = new OptimisticTransactionOptions().setSnapshot(true);
        OptimisticTransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin(new WriteOptions(), options));
        db.put(KEY, Bytes.of("later"));
        assertThat(transaction.atSnapshot().get(KEY)).isNull();
        assertThat(transaction.get(KEY)).isEqualTo(Bytes.of("later"));
    }

    @Test
    void hasNoSecondPhase() {
        OptimisticTransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin());
        assertThat(catchThrowableOfType(RocksDBException.class, transaction::prepare)).isNotNull();
    }

    @Test
    void writesRangesAndFamiliesWithoutTransactions() {
        OptimisticTransactionDB db = open();
        ColumnFamily users = db.createColumnFamily("users", new Options());
        users.put(KEY, KEY);
        users.deleteRange(Bytes.of("a"), Bytes.of("z"));
        assertThat(users.get(KEY)).isNull();
        Transaction transaction = closeLater(db.begin());
        transaction.in(users).put(KEY, Bytes.of("value"));
        db.dropColumnFamily(users);
        assertThatIllegalStateException().isThrownBy(() -> transaction.in(users).get(KEY))
                .withMessageContaining("was dropped");
        assertThatIllegalStateException().isThrownBy(transaction::commit).withMessageContaining("was dropped");
        transaction.rollback();
        db.put(KEY, Bytes.of("still works"));
    }

    @Override
    OptimisticTransactionDB open() {
        return OptimisticTransactionDB.open(directory, create());
    }
}
