package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.CompactionVeto;
import dev.outcrop.rocksdb.engine.DatabaseRegistry;
import dev.outcrop.rocksdb.engine.DirectoryUse;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.LiveLogs;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.ValueSizePredictor;
import dev.outcrop.rocksdb.engine.WriteStalls;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;
import dev.outcrop.rocksdb.engine.callbacks.OpenDatabases;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** The state of an open database in Java: default options, families, iterators, transactions. */
final class DatabaseState implements DatabaseRegistry.Database {

    final RocksDB database;
    private final OpenIterators iterators = new OpenIterators();
    private final IdleIterators idle;
    private volatile boolean usesIteratorsAgain;
    private final Set<TransactionLogIterator> logs = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<ColumnFamilyHandle> families = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Transaction> transactions = Collections.newSetFromMap(new IdentityHashMap<>());
    /** The number of transactions that are being closed. */
    private int endingTransactions;
    private Set<Object> kept = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Null while native code calls nothing. */
    private Calling calling;
    private BaseDB base;
    /** Default options, freed with the database. */
    final long readOptions = NativeReadOptions.create();
    final long writeOptions = NativeReadOptions.newWriteOptions();
    String path = "";
    /** The directory of the database's logs. */
    String logDirectory = "";
    /** The logs that a secondary instance follows. */
    private LiveLogs followedLogs;
    /** Predicts whether values are small enough to be copied by the look-up. */
    final ValueSizePredictor sizes = new ValueSizePredictor();
    /** Whether look-ups are counted, so that each read may make only one. */
    boolean countsReads;
    private final Set<Snapshot> snapshots = Collections.newSetFromMap(new IdentityHashMap<>());
    private volatile ColumnFamilyHandle defaultFamily;
    boolean isReadOnly;
    private final BackgroundPauses waits = new BackgroundPauses();
    private final WriteStalls stalls = new WriteStalls();
    /** Keeps the directory of the info log; null if there is none. */
    private DirectoryUse use;
    private CompactionVeto veto;
    /** Whether iterators ignore later writes, even with a tailing option: transactions of this database may write before they commit. */
    boolean neverTails;
    /** Whether it has listeners or a logger in Java, or has been traced. */
    boolean hasListeners;
    private volatile boolean purges;
    /** Whether ranges were deleted. */
    volatile boolean deletesRanges;
    /** Whether a trace was ever started. Volatile: the thread of a trace writer must see it, otherwise it would wait for itself. */
    volatile boolean isTraced;
    /** Held while options of families are checked and changed. */
    final Object changing = new Object();
    private Env env;
    private DatabaseState whole = this;
    /** The greatest path id that all families have. */
    private volatile int mostPathId;
    /** Null while no comparator in Java orders the keys. */
    private volatile ComparatorMonitor order;

    DatabaseState(RocksDB database) {
        this.database = database;
        idle = new IdleIterators(database::useIfOpen);
    }

    /** Checks a read of keys before it begins, because a trace may record it. */
    void look() {
        if (isTraced) {
            // Iterators that are older than the trace do not check the stack themselves.
            StackCheck.require(CallbackGuard.READING);
            CallbackRestrictions.requireOutsideTrace();
        }
    }

    /** Makes each read do only one look-up, for statistics and traces. */
    void countReads() {
        countsReads = true;
    }

    /** Returns whether two objects are the same open database. A spy of a mocking library has the state of the object that it watches. */
    @SuppressWarnings("ReferenceEquality") // a database is itself only
    static boolean isSame(RocksDB one, RocksDB other) {
        return one == other || (one != null && other != null && one.state_ != null && one.state_ == other.state_);
    }

    @Override
    public String directory() {
        return path;
    }

    @Override
    public Scratch enterIfOpen() {
        return database.useIfOpen();
    }

    @Override
    public long handle() {
        return database.nativeHandle_;
    }

    /** Returns whether to pin the next value instead of copying it in the look-up. */
    boolean readsByPin(Scratch scratch) {
        return countsReads || sizes.nextIsLarge(scratch);
    }

    /** Sets the env of the options that the database was opened with; {@link #keep} keeps it alive. */
    void setEnv(Env used) {
        env = used;
    }

    /** Shares the env and the callbacks of a database that outlives this one. */
    void shareWith(DatabaseState whole) {
        this.whole = whole;
        database.callsJavaLike(whole.database);
        env = whole.env;
    }

    /** Notes that full memtables of a family may be purged in memory. */
    void purgeIf(boolean mayPurge) {
        if (mayPurge) {
            whole.purges = true;
        }
    }

    /** Returns whether full memtables of a family may be purged in memory. */
    boolean purges() {
        return whole.purges;
    }

    /** Returns the state of the transaction database if this is its base database; otherwise this state. */
    DatabaseState whole() {
        return whole;
    }

    Env env() {
        return env == null ? Envs.system() : env;
    }

    synchronized ColumnFamilyHandle family(long handle) {
        ColumnFamilyHandle family = new ColumnFamilyHandle(database, handle);
        families.add(family);
        return family;
    }

    ColumnFamilyHandle defaultFamily() {
        ColumnFamilyHandle made = defaultFamily;
        return made == null ? makeDefaultFamily() : made;
    }

    private ColumnFamilyHandle makeDefaultFamily() {
        try (Scratch _ = database.use()) {
            return makeDefaultFamilyOnce();
        }
    }

    private synchronized ColumnFamilyHandle makeDefaultFamilyOnce() {
        if (defaultFamily == null) {
            ColumnFamilyHandle family = family(
                    CApi.rocksdb_get_default_column_family_handle(database.nativeHandle_));
            // The handle is shared: closing it does nothing.
            family.disOwnNativeHandle();
            defaultFamily = family;
        }
        return defaultFamily;
    }

    /** Returns an open family by its id, or null. */
    synchronized ColumnFamilyHandle openFamily(int id) {
        if (id == 0) {
            return defaultFamily();
        }
        for (ColumnFamilyHandle family : families) {
            if (family.isUsable() && family.id() == id) {
                return family;
            }
        }
        return null;
    }

    /** Returns a handle of each dropped family with no open handles. */
    synchronized Collection<ColumnFamilyHandle> goneFamilies() {
        Map<Integer, ColumnFamilyHandle> gone = new HashMap<>();
        families.stream().filter(ColumnFamilyHandle::isDropped).forEach(family -> gone.put(nativeId(family), family));
        families.stream().filter(family -> !family.isClosed()).forEach(family -> gone.remove(nativeId(family)));
        return gone.values();
    }

    private static int nativeId(ColumnFamilyHandle family) {
        return NativeFamilies.id(family.nativeHandle_);
    }

    /** Checks the part of the primary's logs that a secondary instance has not read yet. Returns the problem, or null. */
    String checkFollowedLogs(Path directory) {
        LiveLogs logs = followedLogs(directory);
        // Do not use the lock of this state, because reading files takes time.
        synchronized (logs) {
            return logs.check();
        }
    }

    private synchronized LiveLogs followedLogs(Path directory) {
        if (followedLogs == null) {
            // The check does not use the database's own directory, which Java may not accept as a path.
            followedLogs = new LiveLogs(directory, directory, true);
        }
        return followedLogs;
    }

    /**
     * Allows the reuse of closed iterators. Called before the database is published. RocksDB can refresh iterators if the database is open
     * for writing, has no transactions, and has memtables that show later writes to its iterators.
     */
    void useIteratorsAgain() {
        usesIteratorsAgain = true;
    }

    /** Adapts the reuse of iterators to a family. Called before the family is created. */
    void limitIterators(CheckedOptions family) {
        if (!family.haveSkipLists()) {
            usesIteratorsAgain = false;
        }
    }

    /** Returns the pool for closed iterators of a family; null if closed iterators are freed. */
    IdleIterators.OfFamily idleIterators(ColumnFamilyHandle family) {
        // Statistics count iterators, and a failed comparator may have left an iterator in any state.
        if (!usesIteratorsAgain || countsReads || order() != null) {
            return null;
        }
        IdleIterators.OfFamily found = family.idleIterators;
        return found == null ? makeIdleIterators(family) : found;
    }

    /** Ends the idle iterators of a family. Called when the family is closed. */
    void endIdleIterators(ColumnFamilyHandle family) {
        IdleIterators.OfFamily made = family.idleIterators;
        if (made != null) {
            idle.end(made);
        }
    }

    private synchronized IdleIterators.OfFamily makeIdleIterators(ColumnFamilyHandle family) {
        if (family.idleIterators == null) {
            family.idleIterators = idle.ofFamily();
        }
        return family.idleIterators;
    }

    /** Frees idle iterators. Called before calls that report or free memory and files of the database. */
    void freeIdleIterators() {
        idle.free();
    }

    synchronized void add(AbstractRocksIterator<?> iterator) {
        iterators.add(iterator);
    }

    synchronized void remove(AbstractRocksIterator<?> iterator) {
        iterators.remove(iterator);
    }

    synchronized void add(Snapshot snapshot) {
        snapshots.add(snapshot);
    }

    /** Returns whether the snapshot was there. */
    synchronized boolean remove(Snapshot snapshot) {
        return snapshots.remove(snapshot);
    }

    /** Checks that this thread is not inside a callback or a call of an iterator. Closing would wait for these. */
    void requireOutside() {
        CallbackGuard.requireMayClose("database " + path);
        requireOutsideOfIterators();
    }

    private synchronized void requireOutsideOfIterators() {
        if (base != null) {
            base.state_.requireOutsideOfIterators();
        }
        if (iterators.isAnyEnteredByCaller()) {
            throw new IllegalStateException("The database cannot be closed from inside a call of one of its iterators"
                    + " (a callback); close it after the call has returned");
        }
    }

    synchronized void add(TransactionLogIterator log) {
        logs.add(log);
    }

    synchronized void remove(TransactionLogIterator log) {
        logs.remove(log);
    }

    synchronized void add(Transaction transaction) {
        transactions.add(transaction);
    }

    synchronized void remove(Transaction transaction) {
        transactions.remove(transaction);
    }

    /** Keeps the native database from being freed while a transaction ends. Returns false if the database has freed the transaction. */
    synchronized boolean beginEnd(Transaction transaction) {
        if (!transactions.contains(transaction)) {
            return false;
        }
        endingTransactions++;
        return true;
    }

    synchronized void completeEnd() {
        endingTransactions--;
        notifyAll();
    }

    private synchronized void awaitEndingTransactions() {
        boolean interrupted = false;
        while (endingTransactions > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the transaction with a name, or null. */
    synchronized Transaction transaction(String name) {
        return transaction(state -> state.isKnownAs(name));
    }

    /** Returns the transaction that owns a C++ object, or null. */
    synchronized Transaction owner(long object) {
        return transaction(state -> state.object() == object);
    }

    private Transaction transaction(Predicate<TransactionContext> wanted) {
        for (Transaction transaction : transactions) {
            if (wanted.test(transaction.state_)) {
                return transaction;
            }
        }
        return null;
    }

    /** Returns the base database of a database with transactions. */
    synchronized RocksDB base() {
        try (Scratch _ = database.use()) {
            if (base == null) {
                base = new BaseDB(database);
            }
            return base;
        }
    }

    /** Keeps the objects that options refer to until the native database is closed, even if this object is unreachable. */
    void keep(OptionsState options) {
        whole.keep(options.callbacks());
    }

    private synchronized void keep(List<Object> callbacks) {
        if (!callbacks.isEmpty()) {
            kept.addAll(callbacks);
            registerCallbacks();
            ComparatorMonitor.comparators(callbacks).forEach(this::monitor);
        }
    }

    /**
     * A database for which native code calls Java. At the end of the process, its background work is stopped. This object keeps the
     * database reachable: a program may have no reference to a database that works in the background.
     */
    private final class Calling implements OpenDatabases.OpenDatabase {
        private final ComparatorFailure sound = new ComparatorFailure();

        @Override
        public boolean callsBack() {
            return true;
        }

        /** Returns no failure: {@link ComparatorMonitor} has the failures of comparators. */
        @Override
        public ComparatorFailure order() {
            return sound;
        }

        @Override
        public void lock() {
            // Its comparators do not fail.
        }

        @Override
        public void stopBackgroundWork() {
            try (Scratch open = database.useIfOpen()) {
                if (open != null) {
                    NativeBackgroundWork.cancelAll(database.nativeHandle_, false);
                }
            }
        }

        @Override
        public void stopWithoutFlush() {
            stopBackgroundWork();
        }
    }

    /** Registers the database as calling Java. Called when native code gets the first object to call, and again for later objects. */
    private synchronized void registerCallbacks() {
        if (calling == null) {
            calling = new Calling();
            OpenDatabases.add(calling);
            database.callsJava();
            if (base != null) {
                base.callsJava();
            }
        }
    }

    /** Notes that the database has listeners, a logger in Java or a trace. */
    void setListeners() {
        hasListeners = true;
        whole.registerCallbacks();
    }

    private void monitor(CheckedComparator comparator) {
        ComparatorMonitor monitor = order;
        if (monitor == null) {
            monitor = new ComparatorMonitor(database, veto);
            order = monitor;
        }
        monitor.add(comparator);
    }

    /** Begins a change. Closing the result ends the change. Returns null if no comparator can fail. */
    ComparatorMonitor change() throws RocksDBException {
        ComparatorMonitor monitor = whole.order;
        return monitor == null ? null : monitor.begin();
    }

    /** Begins a change of the list of files by the calling thread. */
    ComparatorMonitor changeFiles() throws RocksDBException {
        CallbackGuard.requireToWork();
        whole.freeIdleIterators();
        ComparatorMonitor monitor = whole.order;
        return monitor == null ? null : monitor.beginFiles();
    }

    /** Returns the monitor of the comparators; null if no comparator can fail. */
    ComparatorMonitor order() {
        return whole.order;
    }

    /** Takes the number of paths from the options. Called when the database is open. */
    void setPaths(OptionsState options) {
        int paths = options.familyPathCount() == 0 ? options.databasePaths.size() : options.familyPathCount();
        mostPathId = Math.max(0, paths - 1);
    }

    /** Takes the paths of a family into account. Called before the family is created. */
    void limitPaths(OptionsState family) {
        if (family.familyPathCount() != 0) {
            whole.limitPathId(family.familyPathCount() - 1);
        }
    }

    private synchronized void limitPathId(int most) {
        mostPathId = Math.min(mostPathId, most);
    }

    int mostPathId() {
        return whole.mostPathId;
    }

    /** Returns the live set of kept objects, for a holder that may outlive the database. */
    Object kept() {
        return whole.ownKept();
    }

    /** Returns the objects that native code may call back for this database. */
    List<Object> callbacks() {
        return whole.ownCallbacks();
    }

    private synchronized List<Object> ownCallbacks() {
        return List.copyOf(kept);
    }

    private synchronized Object ownKept() {
        return kept;
    }

    /** Keeps the directory of the info log until the native database is closed. Called before the database is published. */
    void keepDirectory(DirectoryUse kept) {
        use = kept;
    }

    /** Keeps the veto for compactions until the native database is closed; null if there is none. */
    void keepVeto(CompactionVeto kept) {
        veto = kept;
    }

    /** Called after the native database was closed. */
    void releaseDirectory() {
        if (use != null) {
            use.close();
        }
    }

    /** Called when the native database is closed. */
    synchronized void forget() {
        if (calling != null) {
            OpenDatabases.remove(calling);
        }
        if (order != null) {
            order.ended();
        }
        if (veto != null) {
            veto.close();
        }
        // Batches with an index may still hold the former set.
        kept = Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** Returns the conditions for which calls of the database may wait. */
    BackgroundPauses waits() {
        return whole.waits;
    }

    /**
     * Ends the waits of running calls. Called while running calls keep the database, or the database of which it is the base, from closing.
     */
    void endWaits() {
        whole.waits.end(whole.database);
        // A change of options sorts the list of files, which a comparator in Java must not do at this time: it may fail.
        if (!whole.isReadOnly && whole.order == null) {
            whole.endStalls();
        }
    }

    private void endStalls() {
        long db = database.nativeHandle_;
        for (long family : familiesForClosing()) {
            stalls.end(db, family, () -> DatabaseProperties.stallLimits(db, family));
        }
    }

    /** Returns the native handles of the families, which are valid until the native database is closed. */
    private synchronized long[] familiesForClosing() {
        ColumnFamilyHandle _ = makeDefaultFamilyOnce();
        long[] own = families.stream().mapToLong(RocksObject::getNativeHandle).toArray();
        return base == null
                ? own
                : LongStream.concat(Arrays.stream(own), Arrays.stream(base.state_.familiesForClosing())).toArray();
    }

    /** Closes everything that belongs to the database. Called once, after the last call. */
    void closeChildren() {
        try {
            // End the waits again, because the last call may have paused work that closing needs, or filled level 0.
            endWaits();
        } catch (VirtualMachineError e) {
            // If nothing was paused, closing does not need this.
        }
        endBase();
        finishStalls();
        ComparatorMonitor monitor = order;
        try {
            if (monitor != null) {
                monitor.ending();
            }
        } finally {
            endChildren();
        }
    }

    /** Called after the last call. The base of a database calls this first, before it frees its families. */
    private void finishStalls() {
        try {
            whole.stalls.finish(whole.database.nativeHandle_);
        } catch (VirtualMachineError e) {
            // The file of options says that there are no automatic compactions.
        }
    }

    /** Ends the base database. Takes no lock, because running calls of the base may need it. */
    private void endBase() {
        BaseDB part = madeBase();
        if (part != null) {
            part.endWithWhole();
        }
    }

    private synchronized BaseDB madeBase() {
        return base;
    }

    private synchronized void endChildren() {
        awaitEndingTransactions();
        iterators.end();
        freeIdleIterators();
        snapshots.forEach(Snapshot::end);
        snapshots.clear();
        logs.forEach(TransactionLogIterator::endWithDatabase);
        logs.clear();
        transactions.forEach(transaction -> transaction.state_.endWithDatabase());
        transactions.clear();
        families.forEach(ColumnFamilyHandle::endWithDatabase);
        families.clear();
        NativeReadOptions.destroy(readOptions);
        NativeReadOptions.destroyWriteOptions(writeOptions);
        waits.release();
    }
}
