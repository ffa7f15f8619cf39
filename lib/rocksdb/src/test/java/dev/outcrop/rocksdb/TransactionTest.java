package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Transactions that lock their keys. */
class TransactionTest extends DatabaseTest {
    private static final byte[] OTHER = Bytes.of("other");

    @Test
    void changesBecomeVisibleWithTheCommit() {
        try (TransactionDB db = open(); Transaction transaction = db.begin()) {
            db.put(OTHER, Bytes.of("old"));
            transaction.put(KEY, Bytes.of("new"));
            transaction.delete(OTHER);

            assertThat(transaction.get(KEY)).isEqualTo(Bytes.of("new"));
            assertThat(transaction.get(OTHER)).isNull();
            assertThat(db.get(KEY)).isNull();
            assertThat(db.get(OTHER)).isEqualTo(Bytes.of("old"));

            transaction.commit();

            assertThat(db.get(KEY)).isEqualTo(Bytes.of("new"));
            assertThat(db.get(OTHER)).isNull();
            assertThatIllegalStateException().isThrownBy(() -> transaction.get(KEY))
                    .withMessageContaining("transaction of database").withMessageContaining("was committed");
            assertThatIllegalStateException().isThrownBy(transaction::commit);
        }
        RocksDB db = closeLater(RocksDB.open(directory));
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("new"));
    }

    /** Not what {@link RocksDB#open(Path, Options, Map)} opens. */
    @Test
    void aDatabaseWithOptionsForItsFamiliesHasTransactionsToo() {
        TransactionDB db = closeLater(TransactionDB.open(directory,
                create().createMissingColumnFamilies(true), Map.of("users", new Options())));
        Transaction transaction = closeLater(db.begin());
        transaction.in(db.columnFamily("users")).put(KEY, Bytes.of("new"));
        transaction.commit();
        assertThat(db.columnFamily("users").get(KEY)).isEqualTo(Bytes.of("new"));
    }

    @Test
    void rollbackAndCloseForgetThem() {
        TransactionDB db = open();
        try (Transaction transaction = db.begin()) {
            transaction.put(KEY, Bytes.of("rolled back"));
            transaction.rollback();
            assertThatIllegalStateException().isThrownBy(() -> transaction.put(KEY, KEY))
                    .withMessageContaining("was rolled back");
            transaction.beginAgain().put(KEY, Bytes.of("closed"));
            assertThatIllegalStateException().isThrownBy(transaction::beginAgain)
                    .withMessageContaining("still running");
        }
        assertThat(db.get(KEY)).isNull();
    }

    @Test
    void canBeReadInEveryForm() {
        TransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin());
        Arena arena = closeLater(Arena.ofConfined());
        MemorySegment key = arena.allocateFrom(ValueLayout.JAVA_BYTE, KEY);
        MemorySegment buffer = arena.allocate(100);
        assertThat(transaction.get(key, buffer)).isEqualTo(KeyValueReader.NOT_FOUND);
        assertThat(transaction.getPinned(key)).isNull();
        assertThat(transaction.getHybrid(key, buffer)).isNull();
        transaction.put(KEY, Bytes.of("value"));
        assertThat(transaction.get(key, buffer)).isEqualTo(5);
        assertThat(buffer.asSlice(0, 5).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Bytes.of("value"));
        assertThat(transaction.get(key, arena.allocate(4))).isEqualTo(5);
        assertThat(transaction.get(key, MemorySegment.ofArray(new byte[5]))).isEqualTo(5);
        assertThat(transaction.get(key)).isEqualTo(Bytes.of("value"));
        try (PinnedSlice pinned = Objects.requireNonNull(transaction.getPinned(key));
                PinnedSlice hybrid = Objects.requireNonNull(transaction.getHybrid(key, buffer))) {
            assertThat(pinned.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Bytes.of("value"));
            assertThat(hybrid.isPinned()).isFalse();
            transaction.commit();
            // The value outlives the transaction.
            assertThat(pinned.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(Bytes.of("value"));
        }
        assertThat(db.pinnedBytes()).isZero();
    }

    @Test
    void writtenKeysAreLocked() {
        TransactionDB db = closeLater(open());
        Transaction first = closeLater(db.begin());
        Transaction second = closeLater(db.begin(new WriteOptions(),
                new TransactionOptions().lockTimeout(Duration.ofMillis(1))));
        first.put(KEY, Bytes.of("first"));
        RocksDBException timeout = catchThrowableOfType(RocksDBException.class,
                () -> second.put(KEY, Bytes.of("second")));
        assertThat(timeout.status().code()).isEqualTo(Status.Code.TIMED_OUT);
        assertThat(timeout.status().subCode()).isEqualTo(Status.SubCode.LOCK_TIMEOUT);
        second.put(OTHER, Bytes.of("second"));
        first.commit();
        second.put(KEY, Bytes.of("second, later"));
        second.commit();
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("second, later"));
    }

    @Test
    void writesWithoutATransactionAreLockedOutToo() {
        TransactionDBOptions options = new TransactionDBOptions().defaultLockTimeout(Duration.ofMillis(1));
        TransactionDB db = closeLater(TransactionDB.open(directory, create(), options, Map.of()));
        Transaction transaction = closeLater(db.begin());
        transaction.put(KEY, Bytes.of("value"));
        assertThat(catchThrowableOfType(RocksDBException.class, () -> db.put(KEY, KEY)).status().code())
                .isEqualTo(Status.Code.TIMED_OUT);
        assertThat(catchThrowableOfType(RocksDBException.class, () -> db.delete(KEY)).status().code())
                .isEqualTo(Status.Code.TIMED_OUT);
    }

    @Test
    void readsForUpdateLock() {
        TransactionDB db = closeLater(open());
        Transaction first = closeLater(db.begin());
        Transaction second = closeLater(db.begin(new WriteOptions(),
                new TransactionOptions().lockTimeout(Duration.ofMillis(1))));
        db.put(KEY, Bytes.of("value"));
        assertThat(first.getForUpdate(KEY, LockMode.SHARED)).isEqualTo(Bytes.of("value"));
        assertThat(second.getForUpdate(KEY, LockMode.SHARED)).isEqualTo(Bytes.of("value"));
        assertThat(catchThrowableOfType(RocksDBException.class, () -> second.put(KEY, KEY))).isNotNull();
        first.rollback();
        second.put(KEY, Bytes.of("second"));
        first.beginAgain();
        assertThat(first.getForUpdate(OTHER)).isNull();
        assertThat(catchThrowableOfType(RocksDBException.class, () -> second.getForUpdate(OTHER))).isNotNull();
    }

    @Test
    void aDeadlockIsFound() throws Exception {
        TransactionOptions options = new TransactionOptions().deadlockDetect(true).lockTimeout(Duration.ofMinutes(10));
        TransactionDB db = closeLater(open());
        Transaction first = closeLater(db.begin(new WriteOptions(), options));
        Transaction second = closeLater(db.begin(new WriteOptions(), options));
        ExecutorService other = closeLater(Executors.newSingleThreadExecutor());
        first.put(KEY, KEY);
        second.put(OTHER, OTHER);
        CountDownLatch isAboutToWait = new CountDownLatch(1);
        Future<@Nullable RocksDBException> waiting = other.submit(() -> {
            isAboutToWait.countDown();
            return putOrRollBack(first, OTHER);
        });
        isAboutToWait.await();
        // Whichever of the two comes second closes the circle, and makes way for the other by rolling back.
        RocksDBException ofSecond = putOrRollBack(second, KEY);
        RocksDBException ofFirst = waiting.get(5, TimeUnit.MINUTES);
        assertThat(ofFirst == null).isNotEqualTo(ofSecond == null);
        Status status = Objects.requireNonNull(ofFirst == null ? ofSecond : ofFirst).status();
        assertThat(status.code()).isEqualTo(Status.Code.BUSY);
        assertThat(status.subCode()).isEqualTo(Status.SubCode.DEADLOCK);
    }

    static @Nullable RocksDBException putOrRollBack(Transaction transaction, byte[] key) {
        try {
            transaction.put(key, key);
            return null;
        } catch (RocksDBException e) {
            transaction.rollback();
            return e;
        }
    }

    @Test
    void hasSavePoints() {
        TransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin());
        transaction.put(KEY, Bytes.of("1"));
        transaction.setSavePoint();
        transaction.put(KEY, Bytes.of("2"));
        transaction.setSavePoint();
        transaction.delete(KEY);
        transaction.rollbackToSavePoint();
        assertThat(transaction.get(KEY)).isEqualTo(Bytes.of("2"));
        transaction.rollbackToSavePoint();
        assertThat(transaction.get(KEY)).isEqualTo(Bytes.of("1"));
        RocksDBException none = catchThrowableOfType(RocksDBException.class, transaction::rollbackToSavePoint);
        assertThat(none.status().code()).isEqualTo(Status.Code.NOT_FOUND);
        transaction.commit();
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("1"));
    }

    @Test
    void readsAsOfItsSnapshot() {
        TransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin(new WriteOptions(), new TransactionOptions().setSnapshot(true)));
        Transaction without = closeLater(db.begin());
        db.put(KEY, Bytes.of("later"));
        TransactionalReader then = transaction.atSnapshot();
        assertThat(then.get(KEY)).isNull();
        assertThat(transaction.get(KEY)).isEqualTo(Bytes.of("later"));
        RocksDBException conflict = catchThrowableOfType(RocksDBException.class,
                () -> transaction.put(KEY, Bytes.of("too late")));
        assertThat(conflict.status().code()).isEqualTo(Status.Code.BUSY);
        transaction.put(OTHER, Bytes.of("own"));
        assertThat(then.get(OTHER)).isEqualTo(Bytes.of("own"));
        assertThatIllegalStateException().isThrownBy(without::atSnapshot).withMessageContaining("setSnapshot(true)");

        transaction.rollback();
        transaction.beginAgain();
        assertThatIllegalStateException().isThrownBy(() -> then.get(KEY)).withMessageContaining("begun again");
        assertThat(transaction.atSnapshot().get(KEY)).isEqualTo(Bytes.of("later"));
    }

    @Test
    void spansColumnFamilies() {
        Map<String, Options> families = Map.of("users", new Options().mergeOperator(MergeOperator.STRING_APPEND));
        TransactionDB db = closeLater(TransactionDB.open(directory, create().createMissingColumnFamilies(true),
                new TransactionDBOptions(), families));
        Transaction transaction = closeLater(db.begin());
        ColumnFamily users = db.columnFamily("users");
        ColumnFamily added = db.createColumnFamily("added", new Options());
        TransactionFamily inUsers = transaction.in(users);
        inUsers.put(KEY, Bytes.of("a"));
        inUsers.merge(KEY, Bytes.of("b"));
        transaction.in(added).put(KEY, Bytes.of("c"));
        assertThat(inUsers.get(KEY)).isEqualTo(Bytes.of("a,b"));
        assertThat(inUsers.getForUpdate(KEY)).isEqualTo(Bytes.of("a,b"));
        assertThat(inUsers.with(new ReadOptions().fillCache(false)).get(KEY)).isEqualTo(Bytes.of("a,b"));
        assertThat(transaction.get(KEY)).isNull();
        assertThat(users.get(KEY)).isNull();
        transaction.commit();
        assertThat(users.get(KEY)).isEqualTo(Bytes.of("a,b"));
        assertThat(added.get(KEY)).isEqualTo(Bytes.of("c"));
        users.merge(KEY, Bytes.of("d"));
        assertThat(users.get(KEY)).isEqualTo(Bytes.of("a,b,d"));
    }

    @Test
    void unsupportedWritesAndForeignFamiliesAreRefused() {
        TransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin());
        for (KeyValueWriter writer : List.of(db, transaction)) {
            assertNotSupported(() -> writer.merge(KEY, KEY));
            assertNotSupported(() -> writer.singleDelete(KEY));
            assertNotSupported(() -> writer.deleteRange(KEY, OTHER));
        }
        TransactionDB foreign = closeLater(TransactionDB.open(directory.resolve("foreign"), create()));
        assertThatIllegalArgumentException().isThrownBy(() -> transaction.in(foreign.defaultColumnFamily()));
    }

    private static void assertNotSupported(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThat(catchThrowableOfType(RocksDBException.class, call).status().code())
                .isEqualTo(Status.Code.NOT_SUPPORTED);
    }

    @Test
    void committedInTwoPhasesItSurvivesACloseInBetween() {
        try (TransactionDB db = open(); Transaction transaction = db.begin(); Transaction second = db.begin()) {
            assertThat(transaction.name()).isEmpty();
            assertThat(catchThrowableOfType(RocksDBException.class, transaction::prepare)).isNotNull();
            transaction.setName("größe");
            assertThat(transaction.name()).isEqualTo("größe");
            assertThat(catchThrowableOfType(RocksDBException.class, () -> second.setName("größe"))).isNotNull();
            second.setName("second");
            transaction.put(KEY, Bytes.of("value"));
            second.put(OTHER, Bytes.of("value"));
            transaction.prepare();
            second.prepare();
            assertThatIllegalStateException().isThrownBy(() -> transaction.put(KEY, KEY))
                    .withMessageContaining("prepared");
            assertThatIllegalStateException().isThrownBy(() -> transaction.getForUpdate(KEY));
            assertThatIllegalStateException().isThrownBy(transaction::setSavePoint);
            assertThat(db.get(KEY)).isNull();
            assertThat(db.preparedTransactions()).isEmpty();
        }
        try (TransactionDB db = open()) {
            List<Transaction> prepared = db.preparedTransactions();
            assertThat(prepared).extracting(Transaction::name).containsExactlyInAnyOrder("größe", "second");
            assertThat(db.preparedTransactions()).isEmpty();
            for (Transaction transaction : prepared) {
                if (transaction.name().equals("second")) {
                    transaction.rollback();
                } else {
                    transaction.commit();
                }
                transaction.close();
            }
            assertThat(db.get(KEY)).isEqualTo(Bytes.of("value"));
            assertThat(db.get(OTHER)).isNull();
        }
        TransactionDB db = open();
        assertThat(db.preparedTransactions()).isEmpty();
    }

    @Test
    void aNamedTransactionCanBeClosedAfterItsCommitFailed() {
        WriteOptions refused = new WriteOptions().sync(true).disableWAL(true);
        TransactionDB db = open();
        try (Transaction transaction = db.begin(refused, new TransactionOptions())) {
            transaction.setName("name");
            transaction.put(KEY, Bytes.of("value"));
            assertThat(catchThrowableOfType(RocksDBException.class, transaction::commit)).isNotNull();
        }
        try (Transaction transaction = db.begin()) {
            transaction.setName("name");
            transaction.put(KEY, Bytes.of("other"));
            transaction.commit();
        }
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("other"));
    }

    @Test
    void aCommitThatNeedsATimestampIsRefusedWithoutHarm() {
        Options timed = new Options().set("comparator=leveldb.BytewiseComparator.u64ts");
        TransactionDB db = closeLater(TransactionDB.open(directory, create().createMissingColumnFamilies(true),
                new TransactionDBOptions(), Map.of("timed", timed)));
        Transaction transaction = closeLater(db.begin());
        ColumnFamily family = db.columnFamily("timed");
        transaction.setName("name");
        transaction.in(family).put(KEY, Bytes.of("value"));
        RocksDBException refused = catchThrowableOfType(RocksDBException.class, transaction::commit);
        assertThat(refused.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(refused).hasMessageContaining("setCommitTimestamp");

        transaction.setCommitTimestamp(5);
        transaction.commit();
        assertThat(family.with(new ReadOptions().timestamp(5)).get(KEY)).isEqualTo(Bytes.of("value"));
    }

    /** RocksDB asks for the timestamp even then, and drops the other changes without it. */
    @Test
    void keysThatWereTakenBackNeedACommitTimestampToo() {
        TransactionDB db = openTimed();
        Transaction transaction = closeLater(db.begin());
        transaction.setSavePoint();
        transaction.in(db.columnFamily("timed")).put(KEY, VALUE);
        transaction.rollbackToSavePoint();
        transaction.put(KEY, VALUE);
        refused(transaction::commit, "rolled back to a save point", "setCommitTimestamp");
        transaction.setCommitTimestamp(5);
        transaction.commit();
        assertThat(db.get(KEY)).isEqualTo(VALUE);
    }

    private TransactionDB openTimed() {
        return closeLater(TransactionDB.open(directory, create().createMissingColumnFamilies(true),
                new TransactionDBOptions(), Map.of("timed",
                        new Options().set("comparator=leveldb.BytewiseComparator.u64ts"))));
    }

    private static void refused(ThrowingCallable call, String... words) {
        RocksDBException refused = catchThrowableOfType(RocksDBException.class, call);
        assertThat(refused).isNotNull().hasMessageContainingAll(words);
        assertThat(refused.status().code()).isIn(Status.Code.INVALID_ARGUMENT, Status.Code.NOT_SUPPORTED);
    }

    @Test
    void timestampsThatRocksDbWouldIgnoreAreRefusedWithoutHarm() {
        TransactionDB db = openTimed();
        ColumnFamily family = db.columnFamily("timed");
        Transaction transaction = closeLater(db.begin());
        transaction.setReadTimestampForValidation(30);
        transaction.in(family).getForUpdate(KEY);
        transaction.in(family).put(KEY, Bytes.of("value"));
        refused(() -> transaction.setCommitTimestamp(20), "20", "30");
        refused(() -> transaction.setCommitTimestamp(30), "30");
        refused(() -> transaction.setCommitTimestamp(-1), "18446744073709551615");
        refused(() -> transaction.setReadTimestampForValidation(29), "29", "30");
        refused(transaction::commit, "setCommitTimestamp");
        transaction.setCommitTimestamp(31);
        refused(() -> transaction.setReadTimestampForValidation(31), "31");
        transaction.commit();
        assertThat(family.with(new ReadOptions().timestamp(31)).get(KEY)).isEqualTo(Bytes.of("value"));
        assertThat(family.with(new ReadOptions().timestamp(30)).get(KEY)).isNull();

        transaction.beginAgain();
        transaction.setCommitTimestamp(-2);
        refused(() -> transaction.setReadTimestampForValidation(-2), "18446744073709551614");
        transaction.setReadTimestampForValidation(-1);
        transaction.in(family).put(KEY, Bytes.of("last"));
        transaction.commit();
        assertThat(family.with(new ReadOptions().timestamp(-2)).get(KEY)).isEqualTo(Bytes.of("last"));
    }

    @Test
    void aRecoveredTransactionNeedsATimestampToo() {
        try (TransactionDB db = openTimed(); Transaction transaction = db.begin()) {
            transaction.setName("name");
            transaction.in(db.columnFamily("timed")).put(KEY, Bytes.of("value"));
            transaction.prepare();
        }
        TransactionDB db = openTimed();
        Transaction transaction = closeLater(db.preparedTransactions().getFirst());
        refused(transaction::commit, "setCommitTimestamp");
        transaction.setCommitTimestamp(5);
        transaction.commit();
        assertThat(db.columnFamily("timed").with(new ReadOptions().timestamp(5)).get(KEY))
                .isEqualTo(Bytes.of("value"));
    }

    @Test
    void otherKindsOfTransactionsRefuseTimestamps() {
        try (OptimisticTransactionDB db = OptimisticTransactionDB.open(directory.resolve("optimistic"), create());
                Transaction transaction = db.begin()) {
            refused(() -> transaction.setCommitTimestamp(5), "TransactionDB");
            refused(() -> transaction.setReadTimestampForValidation(5), "TransactionDB");
        }
        try (TransactionDB db = TransactionDB.open(directory.resolve("early"), create(),
                new TransactionDBOptions().writePolicy(TransactionWritePolicy.PREPARED), Map.of());
                Transaction transaction = db.begin()) {
            refused(() -> transaction.setCommitTimestamp(5), "COMMITTED");
        }
    }

    @Test
    void preparedTransactionsThatAreNotTakenAreThereTheNextTime() {
        try (TransactionDB db = open(); Transaction transaction = db.begin()) {
            transaction.setName("waits");
            transaction.put(KEY, Bytes.of("value"));
            transaction.prepare();
        }
        open().close();
        TransactionDB db = open();
        List<Transaction> prepared = db.preparedTransactions();
        assertThat(prepared).hasSize(1);
        prepared.getFirst().commit();
        prepared.getFirst().close();
        assertThat(db.get(KEY)).isEqualTo(Bytes.of("value"));
    }

    @Test
    void earlyWritesAreNotReadBeforeTheCommit() {
        for (TransactionWritePolicy policy : List.of(TransactionWritePolicy.PREPARED,
                TransactionWritePolicy.UNPREPARED)) {
            Path path = directory.resolve(policy.name());
            TransactionDBOptions options = new TransactionDBOptions().writePolicy(policy);
            try (TransactionDB db = TransactionDB.open(path, create(), options, Map.of());
                    Transaction transaction = db.begin();
                    Snapshot before = db.snapshot()) {
                transaction.setName("early");
                transaction.put(KEY, Bytes.of("value"));
                transaction.prepare();
                assertThat(db.get(KEY)).isNull();
                assertThat(db.getPinned(MemorySegment.ofArray(KEY))).isNull();
                transaction.commit();
                assertThat(db.get(KEY)).isEqualTo(Bytes.of("value"));
                assertThat(db.with(new ReadOptions().snapshot(before)).get(KEY)).isNull();
            }
        }
    }

    @Test
    void isInOneHandAtATime() throws Exception {
        TransactionDB db = closeLater(open());
        Transaction holder = closeLater(db.begin());
        Transaction transaction = closeLater(db.begin(new WriteOptions(),
                new TransactionOptions().lockTimeout(Duration.ofMinutes(10))));
        ExecutorService other = closeLater(Executors.newSingleThreadExecutor());
        holder.put(KEY, KEY);
        CountDownLatch isAboutToWait = new CountDownLatch(1);
        Future<?> waiting = other.submit(() -> {
            isAboutToWait.countDown();
            // It is refused itself if it comes while the test's thread is in.
            while (catchThrowableOfType(IllegalStateException.class,
                    () -> transaction.put(KEY, Bytes.of("other thread"))) != null) {
                Thread.onSpinWait();
            }
        });
        isAboutToWait.await();
        IllegalStateException refused = null;
        while (refused == null && !waiting.isDone()) {
            refused = catchThrowableOfType(IllegalStateException.class, () -> transaction.get(OTHER));
        }
        assertThat(refused).isNotNull().hasMessageContaining("another thread");
        holder.rollback();
        waiting.get(5, TimeUnit.MINUTES);
        // Threads may take turns.
        assertThat(transaction.get(KEY)).isEqualTo(Bytes.of("other thread"));
    }

    @Test
    void outlivesItsDatabaseOnlyToBeClosed() {
        TransactionDB db = open();
        Transaction transaction = db.begin();
        transaction.put(KEY, KEY);
        db.close();
        assertThatIllegalStateException().isThrownBy(() -> transaction.get(KEY)).withMessageContaining("database");
        assertThatIllegalStateException().isThrownBy(transaction::commit).withMessageContaining("database");
        assertThatIllegalStateException().isThrownBy(db::begin);
        assertThatIllegalStateException().isThrownBy(db::preparedTransactions);
        transaction.close();
        transaction.close();
        assertThatIllegalStateException().isThrownBy(() -> transaction.get(KEY)).withMessageContaining("is closed");
        TransactionDB again = open();
        assertThat(again.get(KEY)).isNull();
    }

    @Override
    TransactionDB open() {
        return TransactionDB.open(directory, create());
    }

    @Test
    void aRequestForManyKeysOutlivesAnEndOfItsTransaction() {
        TransactionDB db = closeLater(open());
        Transaction transaction = closeLater(db.begin());
        MultiGet request = closeLater(transaction.multiGet());
        transaction.put(KEY, Bytes.of("1"));
        request.add(KEY).execute().close();
        transaction.commit();
        assertThatIllegalStateException().isThrownBy(request::execute).withMessageContaining("was committed");
        transaction.beginAgain();
        MultiGetValues values = closeLater(request.execute());
        assertThat(values.array(0)).isEqualTo(Bytes.of("1"));
    }
}
