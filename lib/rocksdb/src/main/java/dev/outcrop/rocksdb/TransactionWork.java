package dev.outcrop.rocksdb;

import org.jspecify.annotations.Nullable;

/**
 * Work to run in a transaction, see {@link TransactionDB#transact(TransactionWork)}. It may be called several times, always on the thread
 * that asked for it, so it should change nothing but the transaction.
 *
 * @param <T> the type of the result
 * @param <X> the type of the exceptions of the work; {@link RuntimeException} for a lambda that throws no checked exception
 */
@FunctionalInterface
public interface TransactionWork<T extends @Nullable Object, X extends Exception> {
    /**
     * Runs the work.
     *
     * @param transaction a new transaction; it is committed after this method, unless this method has committed it or rolled it back
     * @return any object, or null
     * @throws X if it cannot be done; the transaction is rolled back then
     */
    T run(Transaction transaction) throws X;
}
