package dev.outcrop.rocksdb;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages about conflicts of transactions name the key, the reason, the time waited and the remedy. */
class ConflictMessagesTest extends DatabaseTest {
    private static final byte[] KEY = Bytes.of("account/1");
    private static final byte[] OTHER = Bytes.of("account/2");

    private final Options options = create().createMissingColumnFamilies(true);
    private final TransactionOptions hasty = new TransactionOptions().lockTimeout(Duration.ofMillis(3));

    private RocksDBException failure(ThrowingCallable call) {
        RocksDBException failure = catchThrowableOfType(RocksDBException.class, call);
        assertThat(failure).isNotNull().hasMessageContaining(directory.toString());
        assertThat(failure.isRetryable()).isTrue();
        return failure;
    }

    @Test
    void timeOutsNameTheKeyAndTheTime() {
        TransactionDB db = closeLater(TransactionDB.open(directory, options,
                new TransactionDBOptions().transactionLockTimeout(Duration.ofMillis(4))
                        .defaultLockTimeout(Duration.ofMillis(5)),
                Map.of("users", new Options())));
        Transaction holder = closeLater(db.begin());
        Transaction other = closeLater(db.begin(new WriteOptions(), hasty));
        Transaction plain = closeLater(db.begin());
        holder.put(KEY, KEY);
        holder.in(db.columnFamily("users")).put(OTHER, OTHER);
        for (ThrowingCallable each : List.<ThrowingCallable>of(() -> other.put(KEY, KEY), () -> other.delete(KEY),
                () -> other.getForUpdate(KEY), () -> other.multiGetForUpdate(List.of(KEY)))) {
            RocksDBException timeout = failure(each);
            assertThat(timeout).hasMessageStartingWith("Operation timed out: Timeout waiting to lock key: ")
                    .hasMessageContaining("the key \"account/1\"").hasMessageContaining("3 ms")
                    .hasMessageContaining("TransactionOptions.lockTimeout").hasMessageContaining("transact(work)")
                    .hasMessageContaining("deadlockDetect");
            assertThat(timeout.status().subCode()).isEqualTo(Status.SubCode.LOCK_TIMEOUT);
        }
        assertThat(failure(() -> other.multiGetForUpdate(List.of(OTHER, KEY))))
                .hasMessageContaining("one of the keys \"account/2\", \"account/1\"");
        assertThat(failure(() -> plain.in(db.columnFamily("users")).put(OTHER, OTHER)))
                .hasMessageContaining("\"account/2\" of the column family users").hasMessageContaining("4 ms")
                .hasMessageContaining("transactionLockTimeout");
        assertThat(failure(() -> db.put(KEY, KEY))).hasMessageContaining("\"account/1\"")
                .hasMessageContaining("5 ms").hasMessageContaining("defaultLockTimeout");
        assertThat(failure(() -> db.delete(KEY))).hasMessageContaining("\"account/1\"");
        WriteBatch single = new WriteBatch();
        single.put(KEY, KEY);
        assertThat(failure(() -> db.write(single))).hasMessageContaining("the lock of the key \"account/1\"");
        WriteBatch batch = new WriteBatch();
        batch.put(OTHER, OTHER);
        batch.put(KEY, KEY);
        assertThat(failure(() -> db.write(batch)))
                .hasMessageContaining("one of the keys \"account/2\", \"account/1\"").hasMessageContaining("5 ms");
    }

    @Test
    void longKeysAreCut() {
        byte[] longKey = new byte[10_000];
        Arrays.fill(longKey, (byte) 'x');
        TransactionDB db = closeLater(TransactionDB.open(directory, options));
        Transaction holder = closeLater(db.begin());
        Transaction other = closeLater(db.begin(new WriteOptions(), hasty));
        holder.put(longKey, KEY);
        assertThat(failure(() -> other.put(longKey, KEY)).getMessage()).contains("xxx\"…", "10000 bytes")
                .hasSizeLessThan(1_000);
    }

    @Test
    void messagesNameWritesAfterTheSnapshotAndDeadlocks() {
        TransactionDB db = closeLater(TransactionDB.open(directory, options));
        Transaction transaction = closeLater(db.begin(new WriteOptions(), new TransactionOptions().setSnapshot(true)));
        db.put(KEY, KEY);
        assertThat(failure(() -> transaction.put(KEY, KEY))).hasMessageStartingWith("Resource busy: ")
                .hasMessageContaining("the key \"account/1\"").hasMessageContaining("after this one's snapshot");
    }

    @Test
    void messagesNameDeadlocks() throws Exception {
        TransactionDB db = closeLater(TransactionDB.open(directory, options));
        TransactionOptions detecting = new TransactionOptions().deadlockDetect(true)
                .lockTimeout(Duration.ofSeconds(60));
        Transaction first = closeLater(db.begin(new WriteOptions(), detecting));
        Transaction second = closeLater(db.begin(new WriteOptions(), detecting));
        first.put(KEY, KEY);
        second.put(OTHER, OTHER);
        FutureTask<@Nullable RocksDBException> waiting = new FutureTask<>(
                () -> TransactionTest.putOrRollBack(first, OTHER));
        Thread.ofPlatform().start(waiting);
        // Whichever of the two comes second closes the circle, and makes way for the other.
        RocksDBException ofSecond = TransactionTest.putOrRollBack(second, KEY);
        RocksDBException ofFirst = waiting.get();
        assertThat(ofFirst == null).isNotEqualTo(ofSecond == null);
        assertThat(failure(() -> {
            throw Objects.requireNonNull(ofFirst == null ? ofSecond : ofFirst);
        })).hasMessageContaining(ofFirst == null ? "\"account/1\"" : "\"account/2\"")
                .hasMessageContaining("deadlock").hasMessageContaining("same order");
    }

    @Test
    void messagesNameTooManyLocks() {
        TransactionDB db = closeLater(TransactionDB.open(directory, options, new TransactionDBOptions().maxNumLocks(1),
                Map.of()));
        Transaction transaction = closeLater(db.begin());
        transaction.put(KEY, KEY);
        assertThat(failure(() -> transaction.put(OTHER, OTHER))).hasMessageContaining("\"account/2\"")
                .hasMessageContaining("maxNumLocks");
    }

    @Test
    void refusedCommitsNameTheKeysOfTheTransaction() {
        OptimisticTransactionDB db = closeLater(OptimisticTransactionDB.open(directory, options));
        Transaction transaction = closeLater(db.begin());
        transaction.put(KEY, KEY);
        for (int i = 0; i < 9; i++) {
            transaction.put(Bytes.of("key " + i), KEY);
        }
        db.put(KEY, OTHER);
        assertThat(failure(transaction::commit)).hasMessageStartingWith("Resource busy: another transaction")
                .hasMessageContaining("the keys \"account/1\", \"key 0\", \"key 1\", \"key 2\", \"key 3\" and 5 more")
                .hasMessageContaining("transact(work)");
        transaction.rollback();
        transaction.beginAgain().getForUpdate(KEY);
        db.put(KEY, KEY);
        assertThat(failure(transaction::commit)).hasMessageContaining("it wrote no key");
    }

    @Test
    void otherFailuresAreNotRetryable() {
        RocksDBException missing = catchThrowableOfType(RocksDBException.class,
                () -> RocksDB.open(directory.resolve("none")));
        assertThat(missing.isRetryable()).isFalse();
    }
}
