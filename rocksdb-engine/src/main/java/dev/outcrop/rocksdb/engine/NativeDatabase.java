package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CalledObject;
import dev.outcrop.rocksdb.engine.callbacks.CallingDatabases;
import dev.outcrop.rocksdb.engine.callbacks.OrderFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A database that is open in native memory, also one that nobody in Java knows any more: what it calls and points to must stay reachable
 * until it is closed. Knows nothing of the Java object that users close, so that the leak detector sees when that is forgotten.
 */
public final class NativeDatabase implements CallingDatabases.CallingDatabase {
    private final long db;
    private final boolean isWritable;
    private final LongConsumer close;
    /** What native options point to: comparators, environments, listeners. */
    private final List<Object> kept = new CopyOnWriteArrayList<>();
    /** What is wrong with the order of its keys, if anything. */
    public final OrderFailure order = new OrderFailure();
    /** Set when users have closed it; from then on it does not matter to the leak detector that it is known here. */
    private volatile @Nullable Closed closed;
    private boolean isClosed;
    private boolean isStopped;

    /**
     * One that was opened.
     *
     * @param db    the {@code rocksdb_t *}
     * @param close closes it, when its family handles have gone
     */
    public NativeDatabase(long db, boolean isWritable, LongConsumer close) {
        this.db = db;
        this.isWritable = isWritable;
        this.close = close;
    }

    /** What is known of a database that users have closed. */
    public interface Closed {
        /** Where it is. */
        Path path();

        /** What of it is still open, for messages; empty if nothing is. */
        String children();
    }

    public void keep(Collection<Object> objects) {
        for (Object each : objects) {
            if (each instanceof NativeComparator comparator && !kept.contains(comparator)) {
                comparator.checked.addUser(order);
            }
        }
        kept.addAll(objects);
    }

    /** Users have closed it: what is open of it now keeps it alive. */
    public void closing(Closed database) {
        closed = database;
    }

    /** What is still open of databases that were opened for writing in this directory and closed, for messages; empty if nothing is. */
    public static String childrenOfClosed(Path path) {
        List<String> children = new ArrayList<>();
        for (CallingDatabases.CallingDatabase each : CallingDatabases.all()) {
            if (each instanceof NativeDatabase database && database.isWritable) {
                Closed closed = database.closed;
                if (closed != null && closed.path().equals(path)) {
                    children.add(closed.children());
                }
            }
        }
        children.removeIf(String::isEmpty);
        return String.join(", ", children);
    }

    /** Keeps this object reachable until it is closed. */
    public void register() {
        CallingDatabases.add(this);
    }

    /** Closes it. What is not in the log is flushed before, as closing would: then nothing could stop that any longer. */
    public void close() {
        try {
            if (isWritable && isOrderedInJava()) {
                NativeWork.cancelAll(db, true);
            }
        } finally {
            closeNow();
        }
    }

    private boolean isOrderedInJava() {
        // By index, so that nothing is allocated: closing must work when memory has run out.
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i) instanceof NativeComparator) {
                return true;
            }
        }
        return false;
    }

    private synchronized void closeNow() {
        isClosed = true;
        close.accept(db);
        CallbackFailures.forget();
        CallingDatabases.remove(this);
        // By index, too.
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i) instanceof NativeComparator comparator) {
                comparator.checked.removeUser(order);
            }
        }
        kept.clear();
    }

    @Override
    public OrderFailure order() {
        return order;
    }

    @Override
    public boolean callsBack() {
        return kept.stream().anyMatch(CalledObject.class::isInstance);
    }

    @Override
    public synchronized void stopBackgroundWork() {
        if (!isClosed) {
            NativeWork.cancelAll(db, false);
        }
    }

    @Override
    public synchronized void stopWithoutFlush() {
        if (!isClosed && !isStopped && isWritable) {
            isStopped = true;
            forgoFlush(db);
            stopBackgroundWork();
        }
    }

    /** Has RocksDB close a database without the flush that it makes of what is not in the log. */
    public static void forgoFlush(long db) {
        try (Scratch scratch = NativeCall.scratch()) {
            MemorySegment words = scratch.allocate(2L * Long.BYTES, Long.BYTES);
            words.setAtIndex(ValueLayout.JAVA_LONG, 0, NativeCall.in(scratch, "avoid_flush_during_shutdown").address());
            words.setAtIndex(ValueLayout.JAVA_LONG, 1, NativeCall.in(scratch, "true").address());
            NativeFamilies.setDatabaseOptions(scratch, db, 1, words.address(), words.address() + Long.BYTES);
            // It can only fail for lack of room for the file of options; RocksDB has the option then all the same.
            NativeStatus _ = NativeCall.nativeStatus(scratch);
        }
    }
}
