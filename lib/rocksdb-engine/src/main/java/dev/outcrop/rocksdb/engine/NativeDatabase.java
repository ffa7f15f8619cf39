package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.Callback;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;
import dev.outcrop.rocksdb.engine.callbacks.OpenDatabases;
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
 * A database that is open in native memory. It keeps the objects that it calls reachable until it is closed, even if users have forgotten
 * the database. It does not know the object that users close, so the leak detector finds a forgotten object.
 */
public final class NativeDatabase implements OpenDatabases.OpenDatabase {
    private final long db;
    private final boolean isWritable;
    private final LongConsumer close;
    /** The objects that native options point to: comparators, environments, listeners. */
    private final List<Object> kept = new CopyOnWriteArrayList<>();
    /** The failure of its comparators. */
    public final ComparatorFailure order = new ComparatorFailure();
    /** Set when users have closed the database. */
    private volatile @Nullable Closed closed;
    private boolean isClosed;
    private boolean isStopped;

    /**
     * An open database.
     *
     * @param db    the {@code rocksdb_t *}
     * @param close closes it after its family handles
     * @param veto  of its compactions, closed with it; null if there is none
     */
    public NativeDatabase(long db, boolean isWritable, LongConsumer close, @Nullable CompactionVeto veto) {
        this.db = db;
        this.isWritable = isWritable;
        this.close = close;
        if (veto != null) {
            veto.attachTo(order);
        }
    }

    /** A database that users have closed. */
    public interface Closed {
        /** Returns its directory. */
        Path path();

        /** Describes its open children, for messages; empty if there are none. */
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

    /** Notes that users have closed the database. Only its children keep it alive now. */
    public void closing(Closed database) {
        closed = database;
    }

    /** Describes the open children of closed databases that were written in this directory, for messages; empty if there are none. */
    public static String childrenOfClosed(Path path) {
        List<String> children = new ArrayList<>();
        for (OpenDatabases.OpenDatabase each : OpenDatabases.all()) {
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
        OpenDatabases.add(this);
    }

    /** Closes the database. First flushes unlogged data: closing would do so too, but could not be stopped then. */
    public void close() {
        try {
            if (isWritable && isOrderedInJava()) {
                NativeBackgroundWork.cancelAll(db, true);
            }
        } finally {
            closeNow();
        }
    }

    /** Returns whether a comparator in Java orders keys. */
    public boolean isOrderedInJava() {
        // By index, which allocates nothing: closing must work when memory has run out.
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
        OpenDatabases.remove(this);
        // By index, too.
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i) instanceof NativeComparator comparator) {
                comparator.checked.removeUser(order);
            }
        }
        kept.clear();
    }

    @Override
    public ComparatorFailure order() {
        return order;
    }

    @Override
    public boolean callsBack() {
        return kept.stream().anyMatch(Callback.Owner.class::isInstance);
    }

    @Override
    public synchronized void lock() {
        if (!isClosed) {
            NativeBackgroundWork.lock(db);
        }
    }

    @Override
    public synchronized void stopBackgroundWork() {
        if (!isClosed) {
            NativeBackgroundWork.cancelAll(db, false);
        }
    }

    @Override
    public synchronized void stopWithoutFlush() {
        if (!isClosed && !isStopped && isWritable) {
            forgoFlush(db);
            stopBackgroundWork();
            isStopped = true;
        }
    }

    /** Returns the address of a {@code char *} for the name of an option, followed by one for its value. */
    static long option(Scratch scratch, String name, boolean value) {
        MemorySegment words = scratch.allocate(2L * Long.BYTES, Long.BYTES);
        words.setAtIndex(ValueLayout.JAVA_LONG, 0, NativeText.in(scratch, name).address());
        words.setAtIndex(ValueLayout.JAVA_LONG, 1, NativeText.in(scratch, Boolean.toString(value)).address());
        return words.address();
    }

    /** Makes RocksDB close a database without flushing unlogged data. */
    public static void forgoFlush(long db) {
        try (Scratch scratch = NativeCall.scratch()) {
            long option = option(scratch, "avoid_flush_during_shutdown", true);
            NativeFamilies.setDatabaseOptions(scratch, db, 1, option, option + Long.BYTES);
            // This fails only if the file of options cannot be written. The option is set nevertheless.
            NativeCall.forgetError(scratch);
        }
    }
}
