package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

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
    /** What is wrong with the order of its keys, if anything. */
    final OrderFailure order = new OrderFailure();
    /** Set when users have closed it; from then on it does not matter to the leak detector that it is known here. */
    private volatile @Nullable Store closing;
    private boolean isClosed;
    private boolean isStopped;

    OpenDatabase(Opened opened) {
        this.db = opened.db();
        this.kind = opened.kind();
    }

    void keep(Collection<Object> objects) {
        for (Object each : objects) {
            if (each instanceof NativeComparator comparator && !kept.contains(comparator)) {
                comparator.checked.addUser(order);
            }
        }
        kept.addAll(objects);
    }

    /** Users have closed it: what is open of it now keeps it alive. */
    void closing(Store store) {
        closing = store;
    }

    /** What is still open of databases that were opened for writing in this directory and closed, for messages; empty if nothing is. */
    static String childrenOfClosed(Path path) {
        List<String> children = new ArrayList<>();
        for (OpenDatabase each : ALL) {
            Store store = each.closing;
            if (store != null && store.kind().isWritable() && store.path.equals(path)) {
                children.add(Child.open(store));
            }
        }
        children.removeIf(String::isEmpty);
        return String.join(", ", children);
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
        // By index, so that nothing is allocated: closing must work when memory has run out.
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i) instanceof NativeComparator comparator) {
                comparator.checked.removeUser(order);
            }
        }
        kept.clear();
    }

    /** Whether RocksDB's threads may call Java for this database. */
    private boolean callsBack() {
        return kept.stream().anyMatch(CalledObject.class::isInstance);
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

    /** Stops flushes and compactions for good, without the flush that RocksDB makes of what is not in the log. */
    private synchronized void stopWithoutFlush() {
        if (!isClosed && !isStopped && kind.isWritable()) {
            isStopped = true;
            try (Scratch scratch = Native.scratch()) {
                MemorySegment words = scratch.allocate(2L * Long.BYTES, Long.BYTES);
                words.setAtIndex(ValueLayout.JAVA_LONG, 0, Native.in(scratch, "avoid_flush_during_shutdown").address());
                words.setAtIndex(ValueLayout.JAVA_LONG, 1, Native.in(scratch, "true").address());
                CApi.rocksdb_set_db_options(db, 1, words.address(), words.address() + Long.BYTES,
                        Native.error(scratch));
                // It can only fail for lack of room for the file of options; RocksDB has the option then all the same.
                Status _ = Native.status(scratch);
            }
            stopBackgroundWork();
        }
    }

    /** Stops the background work of all whose order is broken. */
    static void stopBroken() {
        for (OpenDatabase each : ALL) {
            if (each.order.cause() != null) {
                each.stopWithoutFlush();
            }
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
