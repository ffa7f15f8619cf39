package dev.outcrop.rocksdb.engine.callbacks;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions of a database's callbacks on RocksDB's own threads, for a Java method that waits for a compaction. Callbacks are known by
 * the user's object. If other databases or automatic compactions use the same object, their exceptions count as well.
 */
public final class CompactionFailures implements AutoCloseable {
    /** All methods that wait. An array, because a callback can read it without allocating. Replaced, never changed. */
    private static final AtomicReference<CompactionFailures[]> WAITING = new AtomicReference<>(
            new CompactionFailures[0]);

    private final CallbackGuard guard;
    /** The first callback that failed. Set after its exception was set. */
    private volatile @Nullable Callback callback;
    private volatile @Nullable Throwable thrown;
    private volatile int count;

    private CompactionFailures(CallbackGuard guard) {
        this.guard = guard;
    }

    /** Begins to collect. */
    public static CompactionFailures collect(CallbackGuard guard) {
        CompactionFailures collecting = new CompactionFailures(guard);
        if (guard.isNeeded()) {
            WAITING.updateAndGet(all -> {
                CompactionFailures[] more = new CompactionFailures[all.length + 1];
                System.arraycopy(all, 0, more, 0, all.length);
                more[all.length] = collecting;
                return more;
            });
        }
        return collecting;
    }

    /** Adds an exception on one of RocksDB's own threads. Allocates nothing. */
    public static void add(Callback callback, Throwable thrown) {
        if (callback.kind.isCompacting()) {
            for (CompactionFailures each : WAITING.get()) {
                if (each.guard.calls(callback.owner)) {
                    each.note(callback, thrown);
                }
            }
        }
    }

    private synchronized void note(Callback failed, Throwable failure) {
        count++;
        if (thrown == null) {
            thrown = failure;
            callback = failed;
        }
    }

    /** Throws after the compaction if a callback has thrown. */
    public void requireNone(String what) {
        if (callback != null) {
            throw new IllegalStateException(what + " has ended, but the " + callback + " has thrown an exception"
                    + (count == 1 ? "" : " " + count + " times, the first of which is the cause")
                    + "; all entries that it was to decide about were kept as they are. Compact again when it is mended",
                    thrown);
        }
    }

    /** Adds the exception of a callback to the failure of a compaction. */
    public <X extends RuntimeException> X explain(X failure) {
        if (thrown != null && failure.getCause() == null) {
            failure.initCause(thrown);
        }
        return failure;
    }

    /** Ends collecting. */
    @Override
    public void close() {
        WAITING.updateAndGet(all -> {
            int at = 0;
            while (at < all.length && all[at] != this) {
                at++;
            }
            if (at == all.length) {
                return all;
            }
            CompactionFailures[] fewer = new CompactionFailures[all.length - 1];
            System.arraycopy(all, 0, fewer, 0, at);
            System.arraycopy(all, at + 1, fewer, at, fewer.length - at);
            return fewer;
        });
    }
}
