package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.NativeMultiGet;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.SlowReads;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes of a column family within a transaction, and of the transaction itself, which then stands for the default column
 * family.
 */
abstract sealed class TransactionOperations extends PinningReader implements KeyValueWriter
        permits Transaction, TransactionFamily {
    final Transaction transaction;
    /** The beginning of the transaction that these reads belong to; 0 for any. */
    private final long ofBeginning;

    TransactionOperations(Transaction transaction, Family family, ReadOptions options, long beginning) {
        super(family, options);
        this.transaction = transaction;
        this.ofBeginning = beginning;
    }

    /** Makes the reads of a transaction itself, which cannot be an argument while it is constructed. */
    TransactionOperations(Family family) {
        super(family, new ReadOptions());
        this.transaction = (Transaction) this;
        this.ofBeginning = Transaction.ANY_BEGINNING;
    }

    /**
     * Returns a view of the same keys that reads with other options.
     *
     * @param options how to read; they can no longer be changed
     * @return a view that ends with the transaction
     */
    public TransactionalReader with(ReadOptions options) {
        return new TransactionFamily(transaction, family, options, Transaction.ANY_BEGINNING);
    }

    /**
     * Returns a view of the same keys as they were when the transaction was begun, beneath the transaction's own writes since then.
     *
     * @return a view that ends with the transaction, or when the transaction is begun again
     * @throws IllegalStateException if the transaction was begun without {@link TransactionOptions#setSnapshot(boolean)}
     */
    public TransactionalReader atSnapshot() {
        return transaction.atSnapshot(family);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        withTwo(NativeTransaction::put, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        family.requireMergeOperator();
        withTwo(NativeTransaction::merge, key, operand);
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        transaction.enter(Transaction.ANY_BEGINNING);
        try (Scratch scratch = family.enterForWrite()) {
            transaction.requireChangeable();
            transaction.writesTo(family);
            NativeTransaction.delete(scratch, transaction.address(), family.handle, key);
            check(scratch, key);
        } finally {
            transaction.exit();
        }
    }

    /**
     * Not supported: the C API of RocksDB has no such operation in transactions.
     *
     * @throws RocksDBException always, with {@link Status.Code#NOT_SUPPORTED}
     */
    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        throw Transaction.notSupported(key, key, "Single deletes are not possible in a transaction; use delete(key)");
    }

    /**
     * Not supported: a transaction cannot lock a range of keys.
     *
     * @throws RocksDBException always, with {@link Status.Code#NOT_SUPPORTED}
     */
    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        throw Transaction.notSupported(begin, end,
                "Ranges cannot be deleted in a transaction; delete the keys one by one");
    }

    private interface WithTwo {
        void call(Scratch scratch, long transaction, long family, MemorySegment key, MemorySegment value);
    }

    private void withTwo(WithTwo function, MemorySegment key, MemorySegment value) {
        // First: a refused write must change nothing.
        ApiCall.requireSize(key.byteSize() + value.byteSize());
        transaction.enter(Transaction.ANY_BEGINNING);
        try (Scratch scratch = family.enterForWrite()) {
            transaction.requireChangeable();
            transaction.writesTo(family);
            function.call(scratch, transaction.address(), family.handle, key, value);
            check(scratch, key);
        } finally {
            transaction.exit();
        }
    }

    private void check(Scratch scratch, MemorySegment key) {
        Status status = ApiCall.status(scratch);
        if (status != null) {
            throw ApiCall.failure(Conflicts.ofKey(status, family, key, transaction.starter.lockTimeout()));
        }
        CallbackFailures.rethrow();
    }

    @Override
    void beginRead() {
        transaction.enter(ofBeginning);
    }

    @Override
    void endRead() {
        transaction.exit();
    }

    @Override
    Iterators.Source iteratorSource() {
        return new IteratorSource();
    }

    /** The transaction over its database. */
    private final class IteratorSource implements Iterators.Source, KeyValueIterator.Owner {
        @Override
        public long create(long nativeOptions) {
            return NativeTransaction.createIterator(transaction.address(), nativeOptions, family.handle);
        }

        @Override
        public KeyValueIterator.Owner owner() {
            return this;
        }

        @Override
        public void enter() {
            beginRead();
        }

        @Override
        public void exit() {
            endRead();
        }

        @Override
        public void opened(KeyValueIterator iterator) {
            transaction.iterators().add(iterator);
        }

        @Override
        public void closed(KeyValueIterator iterator) {
            transaction.iterators().remove(iterator);
        }
    }

    @Override
    long lookUp(FamilyHandle of, MemorySegment key, long keyLength, @Nullable LockMode mode, long error) {
        if (mode == null) {
            return NativeTransaction.pin(transaction.address(), readOptions, of.handle, key, keyLength, error);
        }
        transaction.requireChangeable();
        return NativeTransaction.pinForUpdate(transaction.address(), readOptions, of.handle, key, keyLength,
                mode == LockMode.EXCLUSIVE, error);
    }

    @Override
    RocksDBException failure(Status status, MemorySegment key) {
        return Conflicts.ofKey(status, family, key, transaction.starter.lockTimeout());
    }

    @Override
    public List<byte @Nullable []> multiGetForUpdate(List<byte[]> keys) {
        // The C API copies the values: a caller that reads to update wants to keep them anyway.
        ApiCall.requireElements("keys", keys);
        int count = keys.size();
        SlowReadEvent event = SlowReads.begin();
        beginRead();
        try (Scratch scratch = family.enter();
                Scratch _ = enterSnapshot();
                NativeMultiGet found = new NativeMultiGet(scratch, count)) {
            transaction.requireChangeable();
            for (int i = 0; i < count; i++) {
                found.setKey(i, family.handle, keys.get(i));
            }
            NativeTransaction.multiGetForUpdate(found, transaction.address(), readOptions);
            Status status = ApiCall.status(scratch);
            if (status != null) {
                // RocksDB reports the failure of one key for all keys.
                throw ApiCall.failure(Conflicts.ofKeys(status, family, keys, transaction.starter.lockTimeout()));
            }
            CallbackFailures.rethrow();
            List<byte @Nullable []> values = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long value = found.address(i);
                values.add(value == 0 ? null : FamilyReader.array(NativeCalls.view(value, found.length(i))));
            }
            return values;
        } finally {
            endRead();
            SlowReads.end(event, family, keys);
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Messages for conflicts of transactions. RocksDB's own messages name neither the key nor a remedy, and the C API does not report which
     * transaction holds a lock.
     */
    static final class Conflicts {
        private static final String RETRY = " Roll back and try again, as transact(work) does";
        private static final int KEYS_SHOWN = 5;

        private Conflicts() {
        }

        /**
         * The exception for a key that could not be locked, or must not be written.
         *
         * @param wait the time-out of the lock, see {@link #timeout}
         */
        static RocksDBException ofKey(Status status, Family family, MemorySegment key, String wait) {
            return of(status, "the key " + KeyText.of(key) + " of the " + family, wait);
        }

        /** The exception for one of several keys that are read for update at once. */
        static RocksDBException ofKeys(Status status, Family family, List<byte[]> keys, String wait) {
            return of(status, oneOf(keys.stream().map(KeyText::of).toList()) + " of the " + family, wait);
        }

        /** The exception for one of several keys that are written at once. */
        static RocksDBException ofBatch(Status status, OpenDatabase database, WriteBatch batch, String wait) {
            return status.subCode() == Status.SubCode.NONE
                    ? new RocksDBException(status)
                    : of(status, oneOf(keys(batch)) + " of the " + database, wait);
        }

        /** The exception for an optimistic transaction that cannot be committed. */
        static RocksDBException ofCommit(Status status, OpenDatabase database, Supplier<WriteBatch> changes) {
            return switch (status.code()) {
                case BUSY -> new RocksDBException(status,
                        status(status) + "another transaction or write has changed a key of the "
                                + database + " that this transaction wrote or read for update, since then; it wrote "
                                + shown(keys(changes.get())) + "."
                                + RETRY + ". If that happens often, a TransactionDB, which locks keys, suits better");
                case TRY_AGAIN -> new RocksDBException(status,
                        status(status) + "this transaction wrote " + shown(keys(changes.get()))
                                + ", and the memtables of the " + database + " do not go back to when it did." + RETRY
                                + ", or keep more with new Options().maxWriteBufferSizeToMaintain(bytes)");
                default -> new RocksDBException(status);
            };
        }

        private static RocksDBException of(Status status, String what, String wait) {
            String reason = switch (status.subCode()) {
                case LOCK_TIMEOUT,
                        MUTEX_TIMEOUT ->
                    "another transaction or write held the lock of " + what + " for longer than "
                            + wait + "." + RETRY
                            + ". To make it rare, keep transactions short, lock keys in the same order"
                            + " everywhere, or raise the time-out. If two transactions wait for each other,"
                            + " new TransactionOptions().deadlockDetect(true) says so at once";
                case DEADLOCK ->
                    "waiting for the lock of " + what + " would be a deadlock: the transaction that holds it waits,"
                            + " itself or through others, for a lock of this one." + RETRY
                            + ". To make it rare, lock keys in the same order everywhere";
                case LOCK_LIMIT -> what + " cannot be locked: there are as many locks as"
                        + " new TransactionDBOptions().maxNumLocks(locks) allows." + RETRY + ", or raise it";
                case NONE -> switch (status.code()) {
                    case BUSY ->
                        what + " was written by another transaction or write after this one's snapshot." + RETRY;
                    case TRY_AGAIN -> "whether " + what + " was written after the snapshot cannot be told, because the"
                            + " memtables do not go back so far." + RETRY
                            + ", or keep more with new Options().maxWriteBufferSizeToMaintain(bytes)";
                    case EXPIRED -> "the transaction was too old for " + what
                            + ". Begin another, or set a longer time with new TransactionOptions().expiration(duration)";
                    default -> "";
                };
                default -> "";
            };
            return reason.isEmpty()
                    ? new RocksDBException(status)
                    : new RocksDBException(status, status(status) + reason);
        }

        /** RocksDB's message and a colon. */
        private static String status(Status status) {
            return status.toString().replaceFirst(":? *$", "") + ": ";
        }

        /** The time-out of a lock, for messages. */
        static String timeout(Duration timeout, String option) {
            // Any negative number is RocksDB's form of "no time-out".
            return "the lock time-out of " + timeout.toMillis() + " ms (" + option + ")";
        }

        private static List<String> keys(WriteBatch batch) {
            List<String> keys = new ArrayList<>();
            BatchReader record = new BatchReader(batch.data());
            while (record.next()) {
                switch (record.tag()) {
                    // The text of the other keys is never seen.
                    case BatchFormat.PUT, BatchFormat.DELETE, BatchFormat.SINGLE_DELETE, BatchFormat.DELETE_RANGE,
                            BatchFormat.MERGE, BatchFormat.PUT_ENTITY ->
                        keys.add(keys.size() < KEYS_SHOWN ? KeyText.of(record.key()) : "");
                    default -> {
                    }
                }
            }
            if (record.problem() != null) {
                keys.add("others");
            }
            return keys;
        }

        private static String oneOf(List<String> keys) {
            return (keys.size() == 1 ? "" : "one of ") + shown(keys);
        }

        private static String shown(List<String> keys) {
            String first = keys.stream().limit(KEYS_SHOWN).collect(Collectors.joining(", "));
            int more = keys.size() - KEYS_SHOWN;
            return keys.isEmpty()
                    ? "no key"
                    : (keys.size() == 1 ? "the key " : "the keys ") + first
                            + (more > 0 ? " and " + more + " more" : "");
        }
    }
}
