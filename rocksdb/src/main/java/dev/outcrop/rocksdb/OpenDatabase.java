package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A database that is open in native memory, also one that nobody in Java knows any more: what it calls and points to must stay reachable
 * until it is closed. Knows nothing of the Java object that users close, so that the leak detector sees when that is forgotten.
 */
final class OpenDatabase {
    private static final Set<OpenDatabase> ALL = ConcurrentHashMap.newKeySet();

    private final long db;
    private final DatabaseKind kind;
    /** What native options point to: comparators, environments, listeners. */
    private final List<Object> kept = new CopyOnWriteArrayList<>();
    private boolean isClosed;

    OpenDatabase(Opened opened) {
        this.db = opened.db();
        this.kind = opened.kind();
    }

    void keep(Collection<Object> objects) {
        kept.addAll(objects);
    }

    /** Keeps this object reachable until it is closed. */
    void register() {
        ALL.add(this);
    }

    synchronized void close() {
        isClosed = true;
        kind.close(db);
        CallbackFailures.forget();
        ALL.remove(this);
        kept.clear();
    }

    /** Whether RocksDB's threads may call Java for this database. */
    private boolean callsBack() {
        return kept.contains(Callbacks.IN_USE);
    }

    /** How many there are, with those that were closed but are still needed by their children. */
    static int count() {
        return ALL.size();
    }

    /** Stops flushes and compactions for good. */
    private synchronized void stopBackgroundWork() {
        if (!isClosed) {
            byte noWait = 0;
            CApi.rocksdb_cancel_all_background_work(db, noWait);
        }
    }

    /** Whether one is open whose threads may call Java. */
    static boolean callBack() {
        return ALL.stream().anyMatch(OpenDatabase::callsBack);
    }

    /** Stops the background work of all whose threads may call Java. */
    static void stopCallbacks() {
        ALL.stream().filter(OpenDatabase::callsBack).forEach(OpenDatabase::stopBackgroundWork);
    }
}
