package dev.outcrop.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Work is repeated in another transaction until it meets no conflict. */
class TransactTest extends DatabaseTest {
    private static final int THREADS = 8;
    private static final int ADDITIONS = 50;
    /** A pause of a random part of this does not end during a test. */
    private static final Duration LONG = Duration.ofDays(36_500);
    private static final RetryOptions OFTEN = RetryOptions.DEFAULT.withAttempts(10_000).withBackOff(
            Duration.ofNanos(1000),
            Duration.ofMillis(5));

    private final Options options = create();

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static long number(byte @Nullable [] value) {
        return value == null ? 0 : ByteBuffer.wrap(value).getLong();
    }

    private static long add(Transaction transaction) {
        long sum = number(transaction.getForUpdate(KEY)) + 1;
        transaction.put(KEY, number(sum));
        return sum;
    }

    /** Many virtual threads, so that they meet. */
    private static void addTogether(Runnable addition) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<?> each : IntStream.range(0, THREADS).mapToObj(_ -> threads.submit(() -> {
                for (int i = 0; i < ADDITIONS; i++) {
                    addition.run();
                }
            })).toList()) {
                each.get(2, TimeUnit.MINUTES);
            }
        }
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // So that they meet.
    void nothingIsLostWhereTransactionsLockNothing() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        OptimisticTransactionDB db = closeLater(OptimisticTransactionDB.open(directory, options));
        addTogether(() -> db.transact(OFTEN, new WriteOptions(), new OptimisticTransactionOptions(), transaction -> {
            calls.incrementAndGet();
            long sum = add(transaction);
            Thread.yield();
            return sum;
        }));
        assertThat(number(db.get(KEY))).isEqualTo(THREADS * ADDITIONS);
        assertThat(calls).hasValueGreaterThanOrEqualTo(THREADS * ADDITIONS);
    }

    @Test
    void nothingIsLostWhereTransactionsLockKeys() throws Exception {
        TransactionDB db = closeLater(TransactionDB.open(directory, options));
        TransactionOptions hasty = new TransactionOptions().lockTimeout(Duration.ZERO);
        addTogether(() -> db.transact(OFTEN, new WriteOptions(), hasty, TransactTest::add));
        assertThat(number(db.get(KEY))).isEqualTo(THREADS * ADDITIONS);
    }

    @Test
    void theResultOfTheLastCallComesBackAndTheOthersAreRolledBack() {
        OptimisticTransactionDB db = closeLater(OptimisticTransactionDB.open(directory, options));
        AtomicInteger calls = new AtomicInteger();
        String result = db.transact(transaction -> {
            int call = calls.incrementAndGet();
            transaction.put(Bytes.of("of call " + call), KEY);
            transaction.getForUpdate(KEY);
            if (call < 3) {
                db.put(KEY, number(call));
            }
            return "call " + call;
        });
        assertThat(result).isEqualTo("call 3");
        assertThat(db.get(Bytes.of("of call 2"))).isNull();
        assertThat(db.get(Bytes.of("of call 3"))).isEqualTo(KEY);
    }

    @Test
    void attemptsAreLimitedAndTheLastFailureIsThrown() {
        TransactionDB db = closeLater(TransactionDB.open(directory, options));
        Transaction holder = closeLater(db.begin());
        holder.put(KEY, KEY);
        AtomicInteger calls = new AtomicInteger();
        RocksDBException failure = catchThrowableOfType(RocksDBException.class,
                () -> db.transact(RetryOptions.DEFAULT.withAttempts(3), new WriteOptions(),
                        new TransactionOptions().lockTimeout(Duration.ofMillis(2)), transaction -> {
                            calls.incrementAndGet();
                            return add(transaction);
                        }));
        assertThat(calls).hasValue(3);
        assertThat(failure).hasMessageContaining("3 attempts").hasMessageContaining("\"key\"")
                .hasMessageContaining("2 ms").hasCauseInstanceOf(RocksDBException.class);
        assertThat(failure.status().subCode()).isEqualTo(Status.SubCode.LOCK_TIMEOUT);
        assertThat(failure.isRetryable()).isTrue();
        holder.rollback();
        assertThat(db.<Long, RuntimeException>transact(TransactTest::add)).isEqualTo(1);
    }

    @Test
    void otherExceptionsRollBackAndPassOn() {
        TransactionDB db = closeLater(TransactionDB.open(directory, options));
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> db.transact(transaction -> {
            calls.incrementAndGet();
            transaction.put(KEY, KEY);
            throw new IOException("of the work");
        })).isInstanceOf(IOException.class).hasMessage("of the work");
        assertThatThrownBy(() -> db.transact(transaction -> {
            calls.incrementAndGet();
            transaction.setName("prepared");
            transaction.put(KEY, KEY);
            transaction.prepare();
            throw new AssertionError("after prepare");
        })).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> db.transact(transaction -> {
            calls.incrementAndGet();
            transaction.singleDelete(KEY);
            return null;
        })).isInstanceOf(RocksDBException.class).hasMessageContaining("Single deletes");
        assertThat(calls).hasValue(3);
        assertThat(db.get(KEY)).isNull();
        // Nothing holds its lock.
        db.put(KEY, KEY);
    }

    @Test
    void theWorkMayEndItsTransaction() {
        try (TransactionDB db = TransactionDB.open(directory, options)) {
            boolean isEnough = db.transact(transaction -> {
                transaction.put(KEY, KEY);
                transaction.rollback();
                return false;
            });
            assertThat(isEnough).isFalse();
            assertThat(db.get(KEY)).isNull();
            db.transact(transaction -> {
                transaction.put(KEY, KEY);
                transaction.commit();
                return null;
            });
            assertThat(db.get(KEY)).isEqualTo(KEY);
            assertThatIllegalStateException().isThrownBy(() -> db.transact(transaction -> {
                transaction.close();
                return null;
            }));
        }
        TransactionDB closed = TransactionDB.open(directory, options);
        closed.close();
        assertThatIllegalStateException().isThrownBy(() -> closed.transact(TransactTest::add));
    }

    @Test
    void anInterruptEndsAPause() throws Exception {
        OptimisticTransactionDB db = closeLater(OptimisticTransactionDB.open(directory, options));
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        Thread[] worker = new Thread[1];
        worker[0] = Thread.ofVirtual().start(() -> {
            try {
                db.transact(
                        RetryOptions.DEFAULT.withAttempts(100).withBackOff(LONG, LONG), new WriteOptions(),
                        new OptimisticTransactionOptions(), transaction -> {
                            calls.incrementAndGet();
                            add(transaction);
                            db.put(KEY, number(1));
                            return null;
                        });
            } catch (RocksDBException e) {
                if (Thread.currentThread().isInterrupted()
                        && Objects.requireNonNull(e.getMessage()).contains("Interrupted after 1 attempt")) {
                    interrupted.incrementAndGet();
                }
            }
        });
        while (worker[0].getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        worker[0].interrupt();
        worker[0].join();
        assertThat(calls).hasValue(1);
        assertThat(interrupted).hasValue(1);
    }

    @Test
    void optionsMustMakeSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> RetryOptions.DEFAULT.withAttempts(0))
                .withMessageContaining("attempts");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryOptions.DEFAULT.withBackOff(Duration.ofMillis(2), Duration.ofMillis(1)))
                .withMessageContaining("longestBackOff");
        RetryOptions longest = RetryOptions.DEFAULT.withBackOff(Duration.ofSeconds(Long.MAX_VALUE / 2),
                Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(longest.pauseAfter(100)).isPositive();
        RetryOptions small = RetryOptions.DEFAULT.withBackOff(Duration.ZERO, Duration.ofMillis(1));
        assertThat(small.pauseAfter(1_000_000)).isZero();
        for (int attempt = 1; attempt < 20; attempt++) {
            assertThat(RetryOptions.DEFAULT.pauseAfter(attempt)).isBetween(Duration.ZERO, Duration.ofMillis(100));
        }
    }
}
