package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The native iterators of a database that their users have closed, kept for the next users. RocksDB takes some 30 ns to bring an iterator
 * up to date. Making an iterator, and seeking with it for the first time, takes a microsecond more.
 *
 * <p>An idle iterator keeps its memtables and files, and the current block of each file. So it is freed when it was not used for
 * {@value #KEPT_MILLIS} to twice as many milliseconds. It is also freed before calls that report what a database keeps, or that free it.
 */
public final class IdleIterators {
    static final int KEPT_MILLIS = 100;
    private static final int THREAD_SECONDS = 10;
    /** Twice as many as there can be running threads, so that few threads share a place. */
    private static final int PLACES = 2 * Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1);
    /**
     * References from one place to the next. This is two cache lines, because the processor loads them in pairs, or four if references have
     * 8 bytes.
     */
    private static final int STRIDE = 32;

    /** Has a value for threads that count what RocksDB does in their calls. Making and freeing an iterator adds to these counts. */
    private static final ThreadLocal<Boolean> COUNTING = new ThreadLocal<>();
    /** Whether there is such a thread. If not, threads need not read {@code COUNTING}. */
    private static volatile boolean isAnyCounting;

    private final Supplier<@Nullable Scratch> useIfOpen;
    private final Queue<OfFamily> families = new ConcurrentLinkedQueue<>();
    /** Whether a sweep of the idle iterators is planned. */
    private final AtomicBoolean isWatched = new AtomicBoolean();

    /** @param useIfOpen returns a scratch that keeps the database open until the scratch is closed; or null if the database is closed */
    public IdleIterators(Supplier<@Nullable Scratch> useIfOpen) {
        this.useIfOpen = useIfOpen;
    }

    /** From now on the calling thread reuses no iterator and keeps none, because it counts what RocksDB does for it. */
    public static void startCounting() {
        COUNTING.set(true);
        isAnyCounting = true;
    }

    private static boolean isCounting() {
        return isAnyCounting && COUNTING.get() != null;
    }

    /** Returns a new holder for the iterators of one more family. */
    public OfFamily ofFamily() {
        OfFamily family = new OfFamily();
        families.add(family);
        return family;
    }

    /** Frees all idle iterators. The caller keeps the database open. */
    public void free() {
        for (OfFamily family : families) {
            family.free();
        }
    }

    private void watch() {
        // Most calls only read the flag, so its cache line stays with all threads.
        if (!isWatched.get() && isWatched.compareAndSet(false, true)) {
            boolean isPlanned = false;
            try {
                Future<?> _ = Sweeper.EXECUTOR.schedule(this::sweep, KEPT_MILLIS, TimeUnit.MILLISECONDS);
                isPlanned = true;
            } finally {
                if (!isPlanned) {
                    isWatched.set(false);
                }
            }
        }
    }

    private void sweep() {
        // Set before the sweep, with the full order of a volatile write: if the sweep does not see an iterator, the thread that keeps this
        // iterator plans a new sweep.
        isWatched.set(false);
        boolean isAnyLeft = true;
        try (Scratch open = useIfOpen.get()) {
            if (open == null) {
                // Closing the database frees the iterators.
                isAnyLeft = false;
                return;
            }
            boolean isAnyYoung = false;
            for (OfFamily family : families) {
                isAnyYoung |= family.freeOld();
            }
            isAnyLeft = isAnyYoung;
        } finally {
            if (isAnyLeft) {
                watch();
            }
        }
    }

    /** Frees the iterators of a closed family, and keeps no more of them. The caller keeps the database open. */
    public void end(OfFamily family) {
        // Set before the iterators are freed, with the full order of a volatile write: a thread that keeps an iterator afterwards sees it.
        family.isEnded = true;
        family.free();
        families.remove(family);
    }

    /** The idle iterators of one column family. */
    public final class OfFamily {
        private final AtomicReferenceArray<@Nullable IdleIterator> places = new AtomicReferenceArray<>(
                (PLACES + 1) * STRIDE);
        private volatile boolean isEnded;

        private OfFamily() {
        }

        /**
         * Returns an idle iterator, which then belongs to the caller. It still sees its old state of the database.
         *
         * @return null if there is none for this thread
         */
        public @Nullable IdleIterator take() {
            int place = place();
            return isCounting() || places.get(place) == null ? null : places.getAndSet(place, null);
        }

        /**
         * Keeps an iterator. The caller keeps the database open.
         *
         * @return whether it is kept; if not, it still belongs to the caller
         */
        public boolean keep(IdleIterator closed) {
            int place = place();
            closed.isOld = false;
            if (isCounting() || places.get(place) != null || !places.compareAndSet(place, null, closed)) {
                return false;
            }
            try {
                watch();
                return !isEnded || !places.compareAndSet(place, closed, null);
            } catch (Throwable e) {
                // There is no thread or no memory to plan a sweep.
                return !places.compareAndSet(place, closed, null);
            }
        }

        private void free() {
            for (int place = STRIDE; place < places.length(); place += STRIDE) {
                IdleIterator idle = places.getAndSet(place, null);
                if (idle != null) {
                    NativeIterator.destroy(idle.iterator);
                }
            }
        }

        /** Frees the iterators that were not used since the last sweep. Returns whether there are others. */
        private boolean freeOld() {
            boolean isAnyLeft = false;
            for (int place = STRIDE; place < places.length(); place += STRIDE) {
                IdleIterator idle = places.get(place);
                if (idle == null) {
                    continue;
                }
                if (!idle.isOld) {
                    idle.isOld = true;
                    isAnyLeft = true;
                } else if (places.compareAndSet(place, idle, null)) {
                    NativeIterator.destroy(idle.iterator);
                }
            }
            return isAnyLeft;
        }

        private static int place() {
            return ((int) Thread.currentThread().threadId() & (PLACES - 1)) * STRIDE + STRIDE;
        }
    }

    /** One thread for all databases. It ends when there was no work for a while. */
    private static final class Sweeper {
        static final ScheduledExecutorService EXECUTOR = executor();

        private static ScheduledExecutorService executor() {
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
                    Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false)
                            .name("outcrop-idle-iterators").factory());
            executor.setKeepAliveTime(THREAD_SECONDS, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }
    }
}
