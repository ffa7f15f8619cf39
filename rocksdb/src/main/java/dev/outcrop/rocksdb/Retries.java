package dev.outcrop.rocksdb;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does work in transactions until it has met no other. */
final class Retries {
    private Retries() {
    }

    static <T extends @Nullable Object, X extends Exception> T transact(Supplier<Transaction> begin,
            RetryOptions options,
            TransactionWork<T, X> work) throws X {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(work, "work");
        for (int attempt = 1;; attempt++) {
            try {
                return once(begin, work);
            } catch (RocksDBException e) {
                if (!e.isRetryable()) {
                    throw e;
                }
                pause(e, attempt, options);
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

    /** Not left to closing, because one that was prepared would stay. */
    private static void rollBack(Transaction transaction, Throwable reason) {
        try {
            if (transaction.isRunning()) {
                transaction.rollback();
            }
        } catch (RuntimeException e) {
            reason.addSuppressed(e);
        }
    }

    private static void pause(RocksDBException failure, int attempt, RetryOptions options) {
        if (attempt >= options.attempts()) {
            throw attempt == 1 ? failure : failure.within("Gave up after " + attempt + " attempts");
        }
        try {
            Thread.sleep(options.pauseAfter(attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure.within("Interrupted after " + attempt + (attempt == 1 ? " attempt" : " attempts"));
        }
    }
}
