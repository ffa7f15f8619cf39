package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.ValueSizes;
import dev.outcrop.rocksdb.engine.WritersLogs;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** What an open database has besides its native object: options for calls without any, families, iterators. */
final class DatabaseParts {

    /** Databases that are open, with what native code calls back for them: nobody may need to hold a database that works by itself. */
    private static final Set<DatabaseParts> CALLING = java.util.concurrent.ConcurrentHashMap.newKeySet();

    final RocksDB database;
    private final OpenIterators iterators = new OpenIterators();
    private final IdleIterators idle;
    private volatile boolean usesIteratorsAgain;
    private final Set<TransactionLogIterator> logs = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<ColumnFamilyHandle> families = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Transaction> transactions = Collections.newSetFromMap(new IdentityHashMap<>());
    private Set<Object> kept = Collections.newSetFromMap(new IdentityHashMap<>());
    private BaseDatabase base;
    /** Freed after the last call, with the database. */
    final long readOptions = NativeReadOptions.create();
    final long writeOptions = NativeReadOptions.newWriteOptions();
    String path = "";
    /** Where its logs are. */
    String logDirectory = "";
    /** The logs that a secondary instance follows. */
    private WritersLogs followedLogs;
    /** Foretells whether values are small enough to be copied by the call that finds them. */
    final ValueSizes sizes = new ValueSizes();
    /** Whether somebody counts look-ups, so that there must be one for each read. */
    boolean hasStatistics;
    private final Set<Snapshot> snapshots = Collections.newSetFromMap(new IdentityHashMap<>());
    private volatile ColumnFamilyHandle defaultFamily;
    boolean isReadOnly;
    private final ClosingWaits waits = new ClosingWaits();
    /** Whether its iterators follow no writes, whatever options say: those of transactions that write before they commit. */
    boolean neverTails;
    /** Whether RocksDB tells listeners of it. */
    boolean hasListeners;
    /** Held while options of families are checked and changed. */
    final Object changing = new Object();
    private Env env;
    private DatabaseParts whole = this;
    /** The greatest number that each family has a path for. */
    private volatile int mostPathId;
    /** Null as long as no comparator in Java orders its keys. */
    private volatile OrderWatch order;

    DatabaseParts(RocksDB database) {
        this.database = database;
        idle = new IdleIterators(database::useIfOpen);
    }

    /** Whether the next value is to be pinned and not to be copied by the call that finds it. */
    boolean readsByPin(Scratch scratch) {
        return hasStatistics || sizes.nextIsLarge(scratch);
    }

    /** The env of the options that the database was opened with: they hold it, and so does what {@link #keep} keeps. */
    void setEnv(Env used) {
        env = used;
    }

    /** Takes the env of a database that keeps it for longer than this one lives, and lets it keep the callbacks. */
    void shareWith(DatabaseParts whole) {
        this.whole = whole;
        env = whole.env;
    }

    Env env() {
        return env == null ? Environments.system() : env;
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

    private synchronized ColumnFamilyHandle makeDefaultFamily() {
        if (defaultFamily == null) {
            try (Scratch _ = database.use()) {
                ColumnFamilyHandle family = family(
                        CApi.rocksdb_get_default_column_family_handle(database.nativeHandle_));
                // It is everybody's: closing it does nothing.
                family.disOwnNativeHandle();
                defaultFamily = family;
            }
        }
        return defaultFamily;
    }

    /** A family by its number; null if there is none that is open. */
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

    /** The families that there are, and those that were dropped and not given back. */
    synchronized List<ColumnFamilyHandle> families() {
        return families.stream().filter(family -> !family.isGone()).toList();
    }

    /** Checks the part of the primary's logs that a secondary instance has not read yet; returns the problem, or null. */
    String checkFollowedLogs(Path directory) {
        WritersLogs logs = followedLogs(directory);
        // Not the lock of these parts: reading files takes its time.
        synchronized (logs) {
            return logs.check();
        }
    }

    private synchronized WritersLogs followedLogs(Path directory) {
        if (followedLogs == null) {
            // The database's own directory is not looked at by that check, and may be no path of Java's.
            followedLogs = new WritersLogs(directory, directory, true);
        }
        return followedLogs;
    }

    /**
     * The database is one whose iterators RocksDB can bring up to date: open for writing, without transactions, and with memtables in which
     * iterators see what is written later. Called before anybody knows it.
     */
    void useIteratorsAgain() {
        usesIteratorsAgain = true;
    }

    /** A family may be there, or will be. */
    void limitIterators(OpeningOptions family) {
        if (!family.haveSkipLists()) {
            usesIteratorsAgain = false;
        }
    }

    /** Where iterators of a family go that are closed; null if they are freed. */
    IdleIterators.OfFamily idleIterators(ColumnFamilyHandle family) {
        // RocksDB counts iterators; a search that a comparator has failed may have left anything.
        if (!usesIteratorsAgain || hasStatistics || order() != null) {
            return null;
        }
        IdleIterators.OfFamily found = family.idleIterators;
        return found == null ? makeIdleIterators(family) : found;
    }

    /** A family is closed for its users. */
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

    /** Frees what is kept for iterators only, before a call that tells what the database keeps, or that frees it. */
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

    /** Whether it was there. */
    synchronized boolean remove(Snapshot snapshot) {
        return snapshots.remove(snapshot);
    }

    /** Checks that this thread is not inside a callback or a call of an iterator: closing would wait for it. */
    void requireOutside() {
        CallbackGuard.requireMayClose("database " + path);
        requireOutsideOfIterators();
    }

    private synchronized void requireOutsideOfIterators() {
        if (base != null) {
            base.parts_.requireOutsideOfIterators();
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

    /** The transaction that RocksDB knows by a name; null if there is none. */
    synchronized Transaction transaction(String name) {
        return transaction(parts -> parts.isKnownAs(name));
    }

    /** The transaction that owns a C++ object; null if nobody does. */
    synchronized Transaction owner(long object) {
        return transaction(parts -> parts.object() == object);
    }

    private Transaction transaction(Predicate<TransactionParts> wanted) {
        for (Transaction transaction : transactions) {
            if (wanted.test(transaction.parts_)) {
                return transaction;
            }
        }
        return null;
    }

    /** Of a database of transactions: what it keeps its data in. */
    synchronized RocksDB base() {
        try (Scratch _ = database.use()) {
            if (base == null) {
                base = new BaseDatabase(database);
            }
            return base;
        }
    }

    /** Keeps what options refer to until the native database is closed, even if nobody holds this one. */
    void keep(OptionParts options) {
        whole.keep(options.callbacks());
    }

    private synchronized void keep(List<Object> callbacks) {
        if (!callbacks.isEmpty()) {
            kept.addAll(callbacks);
            CALLING.add(this);
            OrderWatch.comparators(callbacks).forEach(this::watch);
        }
    }

    private void watch(CheckedComparator comparator) {
        OrderWatch watch = order;
        if (watch == null) {
            watch = new OrderWatch(database);
            order = watch;
        }
        watch.add(comparator);
    }

    /** Before a change, and open as long as it takes; null if no comparator can fail. */
    OrderWatch change() throws RocksDBException {
        OrderWatch watch = whole.order;
        return watch == null ? null : watch.begin();
    }

    /** As {@link #change()}, before the calling thread itself changes the list of files. */
    OrderWatch changeFiles() throws RocksDBException {
        whole.freeIdleIterators();
        OrderWatch watch = whole.order;
        return watch == null ? null : watch.beginFiles();
    }

    /** What watches the order of the keys; null if no comparator can fail. */
    OrderWatch order() {
        return whole.order;
    }

    /** The database is open. */
    void setPaths(OptionParts options) {
        int paths = options.familyPathCount() == 0 ? options.databasePaths.size() : options.familyPathCount();
        mostPathId = Math.max(0, paths - 1);
    }

    /** A family is there, or will be. */
    void limitPaths(OptionParts family) {
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

    /** What is kept now and later, for what may use it longer than the database. */
    Object kept() {
        return whole.ownKept();
    }

    /** What native code may call back for it. */
    List<Object> callbacks() {
        return whole.ownCallbacks();
    }

    private synchronized List<Object> ownCallbacks() {
        return List.copyOf(kept);
    }

    private synchronized Object ownKept() {
        return kept;
    }

    /** The native database is closed. */
    synchronized void forget() {
        CALLING.remove(this);
        if (order != null) {
            order.ended();
        }
        // Indexed batches may still hold the former one.
        kept = Collections.newSetFromMap(new IdentityHashMap<>());
    }

    /** What its calls may wait for. */
    ClosingWaits waits() {
        return whole.waits;
    }

    /** Called while calls are running that keep the database, or the whole that it is part of, from closing. */
    void endWaits() {
        whole.waits.end(whole.database);
    }

    /** Called once, when no call is running any longer and none can begin. */
    void closeChildren() {
        try {
            // Once more: the last call may have paused what closing needs.
            endWaits();
        } catch (VirtualMachineError e) {
            // What was not paused can be closed all the same.
        }
        endBase();
        OrderWatch watch = order;
        try {
            if (watch != null) {
                watch.ending();
            }
        } finally {
            endChildren();
        }
    }

    /** Without the monitor, which calls of the base may need that are still running. */
    private void endBase() {
        BaseDatabase part = madeBase();
        if (part != null) {
            part.endWithWhole();
        }
    }

    private synchronized BaseDatabase madeBase() {
        return base;
    }

    private synchronized void endChildren() {
        iterators.end();
        freeIdleIterators();
        snapshots.forEach(Snapshot::end);
        snapshots.clear();
        logs.forEach(TransactionLogIterator::endWithDatabase);
        logs.clear();
        transactions.forEach(transaction -> transaction.parts_.endWithDatabase());
        transactions.clear();
        families.forEach(ColumnFamilyHandle::endWithDatabase);
        families.clear();
        NativeReadOptions.destroy(readOptions);
        NativeReadOptions.destroyWriteOptions(writeOptions);
        waits.release();
    }
}
