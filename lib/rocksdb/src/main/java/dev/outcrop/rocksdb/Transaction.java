package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.TransactionOperations.Conflicts;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes that become visible all at once, or not at all. A transaction reads its own writes, and beneath them the database. Its own
 * methods read and write the default column family; {@link #in(ColumnFamily)} is for the others.
 *
 * <pre>{@code
 * try (Transaction transaction = db.begin()) {
 *     byte[] balance = transaction.getForUpdate(account);
 *     transaction.put(account, less(balance));
 *     transaction.commit();
 * }
 * }</pre>
 *
 * <p>Closing a transaction that was neither committed nor prepared rolls it back. A prepared transaction stays, and {@link
 * TransactionDB#preparedTransactions()} returns it when the database is opened the next time. After {@link #commit()} or {@link
 * #rollback()}, a transaction can only be closed or {@linkplain #beginAgain() begun again}.
 *
 * <p>Only one thread at a time may use a transaction, but threads may take turns. A second thread at the same moment gets an {@link
 * IllegalStateException}. Every use after {@link #close()}, or after the database was closed, throws it too.
 */
public final class Transaction extends TransactionOperations implements AutoCloseable {
    static final long ANY_BEGINNING = 0;
    /** RocksDB's value for "no timestamp". */
    private static final long NO_TIMESTAMP = -1;

    /** Begins native transactions of one database with one set of options. */
    @FunctionalInterface
    interface Starter {
        /**
         * Begins a transaction; called while the database is entered.
         *
         * @param ended a {@code rocksdb_transaction_t *} to use again, or 0 for a new one
         * @return the {@code rocksdb_transaction_t *}
         */
        long begin(long ended);

        /** How long its transactions wait for a lock, for messages. */
        default String lockTimeout() {
            return "its lock time-out";
        }
    }

    private final OpenDatabase database;
    final Starter starter;
    private final ExclusiveLifetime lifetime;
    /** The {@code rocksdb_transaction_t *}. */
    private long address;
    /** Counts how often it was begun, from 1 on. */
    private long beginning = 1;
    /** How it ended, as text; null while it is running. */
    private @Nullable String fate;
    private boolean isPrepared;
    private boolean isNamed;
    private long commitTimestamp = NO_TIMESTAMP;
    private long readTimestamp = NO_TIMESTAMP;
    /** Whether RocksDB has forgotten its name; forgetting it again would end the process. */
    private boolean isForgotten;
    /** The families it has written to. */
    private final Set<Family> written = new HashSet<>(4);
    private final OwnedIterators iterators = new OwnedIterators();

    /** Begins a native transaction, and leases the database for it. */
    Transaction(OpenDatabase database, Starter starter) {
        this(database, starter, 0, false);
    }

    /** Takes over an existing native transaction. */
    Transaction(OpenDatabase database, Starter starter, long existing, boolean isPrepared) {
        super(database.defaultFamily().family());
        this.database = database;
        this.starter = starter;
        this.isPrepared = isPrepared;
        try (Scratch scratch = database.enter()) {
            database.lifetime.lease(scratch, DatabaseChild.TRANSACTION);
            try {
                this.address = existing != 0 ? existing : starter.begin(0);
                this.lifetime = new ExclusiveLifetime(this, "transaction of " + database.name, this::free);
            } catch (Throwable e) {
                free();
                throw e;
            }
        }
    }

    /**
     * Returns a column family as this transaction sees and changes it.
     *
     * @param columnFamily a column family of the same database
     * @return a view that ends with the transaction
     * @throws IllegalArgumentException if it belongs to another database
     */
    public TransactionFamily in(ColumnFamily columnFamily) {
        return new TransactionFamily(this, database.own(columnFamily));
    }

    /** Notes the families that a recovered transaction has written to. */
    Transaction withRecovered() {
        BatchReader record = new BatchReader(changes().data());
        while (ApiCall.next(record)) {
            Family of = find(record.family());
            // The marks of transactions have no key, and name no family.
            if (of != null && record.keyLength() > 0) {
                written.add(of);
            }
        }
        return this;
    }

    TransactionalReader atSnapshot(Family of) {
        enter(ANY_BEGINNING);
        try {
            if (NativeTransaction.snapshot(address) == 0) {
                throw new IllegalStateException("The " + lifetime + " was begun without a snapshot; begin it with"
                        + " new TransactionOptions().setSnapshot(true)");
            }
            long snapshot = NativeTransaction.snapshotHolder(address);
            try {
                return new TransactionFamily(this, of, new ReadOptions().snapshotOfTransaction(snapshot), beginning);
            } finally {
                NativeHeap.free(snapshot);
            }
        } finally {
            exit();
        }
    }

    /**
     * Commits the transaction: makes all changes visible, and as durable as its {@link WriteOptions} request.
     *
     * @throws RocksDBException with {@link Status.Code#BUSY} if an optimistic transaction meets a conflict, with {@link
     *                          Status.Code#TRY_AGAIN} if RocksDB can no longer tell whether there is one, with {@link Status.Code#EXPIRED}
     *                          if the transaction is too old, with {@link Status.Code#INVALID_ARGUMENT} if it has written keys with
     *                          timestamps and has no {@linkplain #setCommitTimestamp(long) commit timestamp}; nothing was changed then, and
     *                          the transaction can be rolled back
     */
    public void commit() {
        enter(ANY_BEGINNING);
        try (Scratch scratch = database.enterForWrite()) {
            requireCommitTimestamp();
            iterators.beforeChange();
            withWritten(() -> NativeTransaction.commit(scratch, address));
            Status failure = ApiCall.status(scratch);
            if (failure != null) {
                isForgotten |= isNamed && !isPrepared && wasBegun(failure);
                throw ApiCall.failure(Conflicts.ofCommit(failure, database, () -> changes(scratch)));
            }
            CallbackFailures.rethrow();
            ended("was committed");
        } finally {
            exit();
        }
    }

    /** Without a timestamp, RocksDB would drop all changes, even if the keys with timestamps were taken back to a save point. */
    private void requireCommitTimestamp() {
        if (commitTimestamp == NO_TIMESTAMP && written.stream().anyMatch(family -> family.timestampSize > 0)) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The " + lifetime
                    + " has written keys with timestamps, which counts even if it was rolled back to a save point before;"
                    + " call setCommitTimestamp(timestamp) before it is committed");
        }
    }

    /** Returns whether a commit without a first phase got so far that RocksDB has dropped the changes and the name. */
    private static boolean wasBegun(Status status) {
        return status.code() != Status.Code.EXPIRED && status.subCode() != Status.SubCode.TXN_NOT_PREPARED;
    }

    /**
     * Forgets all changes and releases all locks.
     *
     * @throws RocksDBException if RocksDB fails
     */
    public void rollback() {
        enter(ANY_BEGINNING);
        try (Scratch scratch = database.enter()) {
            iterators.end();
            NativeTransaction.rollback(scratch, address);
            ApiCall.check(scratch);
            ended("was rolled back");
        } finally {
            exit();
        }
    }

    /**
     * Gives the transaction a name. The name identifies it if it is prepared and its database is closed.
     *
     * @param name from 1 to 512 bytes in UTF-8, which no other unfinished transaction has
     * @throws RocksDBException if the name is not allowed, or the transaction has a name already
     */
    public void setName(String name) {
        Objects.requireNonNull(name, "name");
        enter(ANY_BEGINNING);
        try (Scratch scratch = database.enter()) {
            MemorySegment text = OptionValues.text("A transaction's name", name, scratch);
            NativeTransaction.setName(scratch, address, text, text.byteSize() - 1);
            ApiCall.check(scratch);
            isNamed = true;
        } finally {
            exit();
        }
    }

    /**
     * Returns its name.
     *
     * @return empty if it has none
     */
    public String name() {
        enter(ANY_BEGINNING);
        try (Scratch scratch = ApiCall.scratchForCall()) {
            return NativeText.string(NativeTransaction.name(scratch, address));
        } finally {
            exit();
        }
    }

    /**
     * Runs the first phase of a two-phase commit: makes all changes durable, but not visible. Afterwards the transaction can only be
     * committed or rolled back, even after a crash, see {@link TransactionDB#preparedTransactions()}.
     *
     * @throws RocksDBException if it has no name, or belongs to an {@link OptimisticTransactionDB}, or RocksDB fails
     */
    public void prepare() {
        enter(ANY_BEGINNING);
        try (Scratch scratch = database.enterForWrite()) {
            requireChangeable();
            iterators.beforeChange();
            withWritten(() -> {
                NativeTransaction.prepare(scratch, address);
                ApiCall.check(scratch);
            });
            isPrepared = true;
        } finally {
            exit();
        }
    }

    /** Remembers the changes so far, for {@link #rollbackToSavePoint()}. Save points nest. */
    public void setSavePoint() {
        enter(ANY_BEGINNING);
        try (Scratch _ = database.enter()) {
            requireChangeable();
            NativeTransaction.setSavePoint(address);
        } finally {
            exit();
        }
    }

    /**
     * Forgets the changes since the last save point, and the save point. Closes the transaction's iterators.
     *
     * @throws RocksDBException with {@link Status.Code#NOT_FOUND} if there is none
     */
    public void rollbackToSavePoint() {
        enter(ANY_BEGINNING);
        try (Scratch scratch = database.enter()) {
            requireChangeable();
            iterators.end();
            NativeTransaction.rollbackToSavePoint(scratch, address);
            ApiCall.check(scratch, "Cannot roll back to a save point");
        } finally {
            exit();
        }
    }

    /**
     * Adds bytes to the log that belong to no key; readers of the log find them.
     *
     * @param data the bytes
     */
    public void putLogData(MemorySegment data) {
        ApiCall.requireSize(data.byteSize());
        enter(ANY_BEGINNING);
        try (Scratch scratch = database.enter()) {
            requireChangeable();
            iterators.beforeChange();
            MemorySegment bytes = ApiCall.in(scratch, data);
            NativeTransaction.putLogData(address, bytes, data.byteSize());
        } finally {
            exit();
        }
    }

    /**
     * Applies a batch in this transaction. If that fails in the middle, the earlier records stay in the transaction; roll back to a
     * {@linkplain #setSavePoint() save point} made before to remove them.
     *
     * @param batch puts, deletes and merges of column families of the same database, and log data; timestamps do not count
     * @throws IllegalArgumentException if the batch has column families of another database
     * @throws RocksDBException         with {@link Status.Code#NOT_SUPPORTED} if the batch has other records, with {@link
     *                                  Status.Code#INVALID_ARGUMENT} if a column family is missing, in both cases before anything was done;
     *                                  see {@link TransactionalReader} for the exceptions of locking
     */
    public void write(WriteBatch batch) {
        batch.requireFor(database);
        enter(ANY_BEGINNING);
        try {
            requireChangeable();
        } finally {
            exit();
        }
        apply(batch, true);
        apply(batch, false);
    }

    /**
     * Applies the records of a batch one by one, or checks whether that is possible. RocksDB has a call for a whole batch, but that call
     * looks up column families without the lock that the look-up needs.
     */
    private void apply(WriteBatch batch, boolean onlyChecks) {
        TransactionFamily in = null;
        int id = 0;
        BatchReader record = new BatchReader(batch.data());
        while (ApiCall.next(record)) {
            switch (record.tag()) {
                case BatchFormat.PUT, BatchFormat.DELETE, BatchFormat.MERGE -> {
                    if (in == null || id != record.family()) {
                        id = record.family();
                        in = new TransactionFamily(this, family(id));
                    }
                    apply(record, in, onlyChecks);
                }
                case BatchFormat.LOG_DATA -> {
                    if (!onlyChecks) {
                        putLogData(record.value());
                    }
                }
                case BatchFormat.NOOP -> {
                }
                case BatchFormat.SINGLE_DELETE -> throw notPossible("single deletes");
                case BatchFormat.DELETE_RANGE -> throw notPossible("deletions of ranges");
                case BatchFormat.PUT_ENTITY -> throw notPossible("entities");
                case BatchFormat.BLOB_INDEX, BatchFormat.TIMED_PUT -> throw WriteBatch.notSupported(record.tag());
                default -> throw notPossible("marks of prepared transactions");
            }
        }
    }

    private static RocksDBException notPossible(String what) {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED,
                "The batch has " + what + ", which are not possible in a transaction");
    }

    private Family family(int id) {
        Family found = find(id);
        if (found == null) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                    "The " + database + " has no column family with the id " + Integer.toUnsignedString(id));
        }
        return found;
    }

    private @Nullable Family find(int id) {
        return id == 0 ? database.defaultFamily().family() : database.family(id);
    }

    private static void apply(BatchReader record, TransactionFamily in, boolean onlyChecks) {
        if (record.tag() == BatchFormat.MERGE) {
            in.family.requireMergeOperator();
        }
        if (onlyChecks) {
            return;
        }
        int timestampSize = in.family.timestampSize;
        if (record.keyLength() < timestampSize) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The batch has a key of "
                    + record.keyLength() + " bytes, shorter than its timestamp of " + timestampSize);
        }
        MemorySegment key = record.key().asSlice(0, record.keyLength() - timestampSize);
        switch (record.tag()) {
            case BatchFormat.PUT -> in.put(key, record.value());
            case BatchFormat.DELETE -> in.delete(key);
            default -> in.merge(key, record.value());
        }
    }

    /**
     * Returns the changes that this transaction has written so far.
     *
     * @return a copy, in the order of the writes; keys of column families with timestamps have zeros for them
     */
    public WriteBatch changes() {
        enter(ANY_BEGINNING);
        try (Scratch scratch = database.enter()) {
            return changes(scratch);
        } finally {
            exit();
        }
    }

    private WriteBatch changes(Scratch scratch) {
        long holder = NativeTransaction.batchHolder(address);
        try {
            return WriteBatch.of(NativeWriteBatchWithIndex.data(scratch, holder));
        } finally {
            NativeHeap.free(holder);
        }
    }

    /** Returns whether it was neither committed nor rolled back; called by the thread that uses it. */
    boolean isRunning() {
        return fate == null;
    }

    /**
     * Sets the timestamp that all keys get when the transaction is committed, for column families with timestamps.
     *
     * @param timestamp an unsigned number below the greatest one
     * @throws RocksDBException if it is not greater than the timestamp of {@link #setReadTimestampForValidation}; with {@link
     *                          Status.Code#NOT_SUPPORTED} if the transaction belongs to an {@link OptimisticTransactionDB}, or writes
     *                          {@linkplain TransactionDBOptions#writePolicy(TransactionWritePolicy) before it is committed}
     */
    public void setCommitTimestamp(long timestamp) {
        enter(ANY_BEGINNING);
        try (Scratch _ = database.enter()) {
            requireTimestamps();
            if (timestamp == NO_TIMESTAMP) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The commit timestamp "
                        + Long.toUnsignedString(timestamp) + " stands for no timestamp; give a smaller one");
            }
            requireOrder(readTimestamp, timestamp);
            CApi.rocksdb_transaction_set_commit_timestamp(address, timestamp);
            commitTimestamp = timestamp;
        } finally {
            exit();
        }
    }

    /**
     * Sets the timestamp that reads for update check against, for column families with timestamps: a key that was written later is a
     * conflict.
     *
     * @param timestamp an unsigned number; the greatest one means that nothing is checked
     * @throws RocksDBException if it is smaller than the timestamp that this method has set before, or not smaller than that of {@link
     *                          #setCommitTimestamp}; with {@link Status.Code#NOT_SUPPORTED} as there
     */
    public void setReadTimestampForValidation(long timestamp) {
        enter(ANY_BEGINNING);
        try (Scratch _ = database.enter()) {
            requireChangeable();
            requireTimestamps();
            if (readTimestamp != NO_TIMESTAMP && Long.compareUnsigned(timestamp, readTimestamp) < 0) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The " + lifetime
                        + " checks its reads against the timestamp " + Long.toUnsignedString(readTimestamp)
                        + ", so it cannot check them against the smaller one " + Long.toUnsignedString(timestamp)
                        + "; begin another transaction for that");
            }
            requireOrder(timestamp, commitTimestamp);
            CApi.rocksdb_transaction_set_read_timestamp_for_validation(address, timestamp);
            readTimestamp = timestamp;
        } finally {
            exit();
        }
    }

    /** RocksDB refuses the timestamps of other kinds of transactions, but its C API does not say so. */
    private void requireTimestamps() {
        if (!database.kind().hasCommitTimestamps()) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The " + lifetime
                    + " cannot have timestamps; only those of a TransactionDB with TransactionWritePolicy.COMMITTED can");
        }
    }

    /** RocksDB refuses such timestamps too, but its C API does not say so; the commit would then drop the changes. */
    private void requireOrder(long read, long commit) {
        if (read != NO_TIMESTAMP && commit != NO_TIMESTAMP && Long.compareUnsigned(commit, read) <= 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The commit timestamp "
                    + Long.toUnsignedString(commit) + " of the " + lifetime + " must be greater than the timestamp "
                    + Long.toUnsignedString(read) + " against which it checks its reads");
        }
    }

    /**
     * Begins the transaction again with the same options, after it was committed or rolled back. This is cheaper than a new transaction.
     *
     * @return this
     * @throws IllegalStateException if it is still running
     */
    public Transaction beginAgain() {
        StackCheck.require(CallbackGuard.MAKING);
        lifetime.enter();
        try (Scratch _ = database.enter()) {
            if (fate == null) {
                throw new IllegalStateException(
                        "The " + lifetime + " is still running; commit it or roll it back first");
            }
            address = starter.begin(address);
            beginning++;
            fate = null;
            isPrepared = false;
            isNamed = false;
            commitTimestamp = NO_TIMESTAMP;
            readTimestamp = NO_TIMESTAMP;
        } finally {
            lifetime.exit();
        }
        return this;
    }

    /**
     * Ends the transaction and closes its iterators; changes that were neither committed nor prepared are rolled back. Does nothing if it
     * was closed before.
     *
     * @throws IllegalStateException if another thread has segments of one of its iterators, see {@link KeyValueIterator#detach()}
     */
    @Override
    public void close() {
        database.requireMayClose();
        lifetime.close(iterators::end);
    }

    long address() {
        return address;
    }

    /** Starts a use. The transaction must be running and, unless {@code of} is {@link #ANY_BEGINNING}, still in that beginning. */
    void enter(long of) {
        // A call changes state here after RocksDB has returned.
        StackCheck.require(CallbackGuard.MAKING);
        lifetime.enter();
        if (fate != null || (of != ANY_BEGINNING && of != beginning)) {
            String why = fate == null ? "was begun again; its snapshot has gone" : fate;
            lifetime.exit();
            throw new IllegalStateException("The " + lifetime + " " + why);
        }
    }

    void exit() {
        lifetime.exit();
    }

    /** RocksDB would accept writes after the first phase and commit them, but they would be missing in its log. */
    void requireChangeable() {
        if (isPrepared) {
            throw new IllegalStateException("The " + lifetime
                    + " was prepared; it can only be committed or rolled back now");
        }
    }

    static RocksDBException notSupported(MemorySegment first, MemorySegment second, String message) {
        Objects.requireNonNull(first);
        Objects.requireNonNull(second);
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, message);
    }

    private void ended(String newFate) {
        fate = newFate;
        iterators.end();
        written.clear();
    }

    /** Notes a family that is about to be written to. */
    void writesTo(Family family) {
        iterators.beforeChange();
        written.add(family);
    }

    OwnedIterators iterators() {
        return iterators;
    }

    /**
     * Runs a commit, or its first phase, while none of the families can be dropped. Otherwise RocksDB would log the commit, fail, and then
     * refuse all writes until the database is opened again.
     */
    private void withWritten(Runnable call) {
        List<Scratch> entered = new ArrayList<>(written.size());
        try {
            for (Family each : written) {
                entered.add(each.enter());
            }
            call.run();
        } finally {
            entered.reversed().forEach(Scratch::close);
        }
    }

    private void free() {
        // A transaction with a forgotten name has released its locks and changes; only its memory is left.
        if (address != 0 && !isForgotten) {
            NativeTransaction.destroy(address);
        }
        database.lifetime.release(DatabaseChild.TRANSACTION);
    }

    /** The transaction's database, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
