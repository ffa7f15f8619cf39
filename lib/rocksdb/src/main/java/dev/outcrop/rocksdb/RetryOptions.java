package dev.outcrop.rocksdb;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The number of attempts of work in a transaction after conflicts, and the pauses between them, see {@link
 * TransactionDB#transact(RetryOptions, WriteOptions, TransactionOptions, TransactionWork)}. The pauses are random, from zero to a limit
 * that doubles with each attempt, so that threads that met in a conflict do not meet again. Immutable and thread-safe.
 *
 * @param attempts         how often to run the work at most, from 1 on
 * @param firstBackOff     the longest pause after the first attempt, not negative
 * @param longestBackOff   the longest pause of all, at least the first one
 */
public record RetryOptions(int attempts, Duration firstBackOff, Duration longestBackOff) {
    /** 10 attempts, with pauses of up to 1 ms after the first, and of up to 100 ms in the end. */
    public static final RetryOptions DEFAULT = new RetryOptions(10, Duration.ofMillis(1), Duration.ofMillis(100));

    private static final Duration MOST = Duration.ofNanos(Long.MAX_VALUE - 1);

    /** Refuses numbers that make no sense, with {@link IllegalArgumentException}. */
    public RetryOptions {
        Objects.requireNonNull(firstBackOff, "firstBackOff");
        Objects.requireNonNull(longestBackOff, "longestBackOff");
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, but is " + attempts);
        }
        if (firstBackOff.isNegative() || longestBackOff.compareTo(firstBackOff) < 0) {
            throw new IllegalArgumentException(
                    "firstBackOff must not be negative, and longestBackOff not be below it, but they are "
                            + firstBackOff + " and " + longestBackOff);
        }
    }

    /**
     * Returns the same options with another number of attempts.
     *
     * @param newAttempts from 1 on
     * @return other options
     */
    public RetryOptions withAttempts(int newAttempts) {
        return new RetryOptions(newAttempts, firstBackOff, longestBackOff);
    }

    /**
     * Returns the same options with other pauses.
     *
     * @param first   the longest pause after the first attempt, not negative
     * @param longest the longest pause of all, at least the first one
     * @return other options
     */
    public RetryOptions withBackOff(Duration first, Duration longest) {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(longest, "longest");
        return new RetryOptions(attempts, first, longest);
    }

    /** Returns a random pause after an attempt; attempts count from 1. */
    Duration pauseAfter(int attempt) {
        long longest = nanos(longestBackOff);
        long limit = nanos(firstBackOff);
        for (int i = 1; i < attempt && limit > 0 && limit < longest; i++) {
            limit = limit > longest / 2 ? longest : 2 * limit;
        }
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(limit + 1));
    }

    private static long nanos(Duration duration) {
        // More than 292 years do not fit.
        return duration.compareTo(MOST) < 0 ? duration.toNanos() : MOST.toNanos();
    }

    /** Does work in transactions until one is committed, or all attempts have failed. */
    <T extends @Nullable Object, X extends Exception> T transact(Supplier<Transaction> begin,
            TransactionWork<T, X> work)
            throws X {
        Objects.requireNonNull(work, "work");
        for (int attempt = 1;; attempt++) {
            try {
                return once(begin, work);
            } catch (RocksDBException e) {
                if (!e.isRetryable()) {
                    throw e;
                }
                pause(e, attempt);
            }
        }
    }

    private static <T extends @Nullable Object, X extends Exception> T once(Supplier<Transaction> begin,
            TransactionWork<T, X> work) throws X {
        try (Transaction transaction = begin.get()) {
            try {
                T result = work.run(transaction);
                if (transaction.isRunning()) {
                    transaction.commit();
                }
                return result;
            } catch (Throwable e) {
                rollBack(transaction, e);
                throw e;
            }
        }
    }

    /** Rolls back, because closing alone would leave a prepared transaction. */
    private static void rollBack(Transaction transaction, Throwable reason) {
        try {
            if (transaction.isRunning()) {
                transaction.rollback();
            }
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    private void pause(RocksDBException failure, int attempt) {
        if (attempt >= attempts) {
            throw attempt == 1 ? failure : failure.within("Gave up after " + attempt + " attempts");
        }
        try {
            Thread.sleep(pauseAfter(attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure.within("Interrupted after " + attempt + (attempt == 1 ? " attempt" : " attempts"));
        }
    }
}
