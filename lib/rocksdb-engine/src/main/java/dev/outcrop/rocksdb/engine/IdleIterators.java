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
 * The native iterators of a database that are closed for their users and kept for the next ones. To bring an iterator up to date takes
 * RocksDB some 30 ns; to make one, and to seek with it for the first time, a microsecond more.
 *
 * <p>An idle iterator keeps the memtables and files that it was made for, and a block of each file that it was at. So it is freed when
 * it was not used for {@value #KEPT_MILLIS} to twice as many milliseconds, and before calls that tell what a database keeps, or free it.
 */
public final class IdleIterators {
    static final int KEPT_MILLIS = 100;
    private static final int THREAD_SECONDS = 10;
    /** For as many threads as can run, and as many again, so that few share a place. */
    private static final int PLACES = 2 * Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1);
    /** References from one place to the next: two cache lines, as the processor loads them, or four where references have 8 bytes. */
    private static final int STRIDE = 32;

    /** Has a value for threads that have asked RocksDB what their calls do: an iterator adds to that when it is made and when it is freed. */
    private static final ThreadLocal<Boolean> COUNTING = new ThreadLocal<>();
    /** Whether there is one: saves the others a look. */
    private static volatile boolean isAnyCounting;

    private final Supplier<@Nullable Scratch> useIfOpen;
    private final Queue<OfFamily> families = new ConcurrentLinkedQueue<>();
    /** Whether a look at the idle ones will come. */
    private final AtomicBoolean isWatched = new AtomicBoolean();

    /** @param useIfOpen keeps the database open until the scratch is closed; null if it is closed */
    public IdleIterators(Supplier<@Nullable Scratch> useIfOpen) {
        this.useIfOpen = useIfOpen;
    }

    /** From now on the calling thread uses no iterator again and keeps none, because it counts what RocksDB does for it. */
    public static void startCounting() {
        COUNTING.set(true);
        isAnyCounting = true;
    }

    private static boolean isCounting() {
        return isAnyCounting && COUNTING.get() != null;
    }

    /** For the iterators of one more family. */
    public OfFamily ofFamily() {
        OfFamily family = new OfFamily();
        families.add(family);
        return family;
    }

    /** Frees all that are idle. The caller keeps the database open. */
    public void free() {
        for (OfFamily family : families) {
            family.free();
        }
    }

    private void watch() {
        // Most calls only read it, and so the threads keep its cache line.
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
        // Before the look, with the full order of a volatile write: an iterator that the look does not see is watched by who keeps it.
        isWatched.set(false);
        boolean isAnyLeft = true;
        try (Scratch open = useIfOpen.get()) {
            if (open == null) {
                // Closing frees them.
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

    /** Frees the iterators of a closed family, and keeps no further ones. The caller keeps the database open. */
    public void end(OfFamily family) {
        // Before they are freed, with the full order of a volatile write: who keeps one afterwards sees it.
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
         * An idle iterator, which is the caller's then and sees what it saw before.
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
         * @return whether it is kept; if not, it is still the caller's
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
                // No thread or no memory to look after it.
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

        /** Frees those that were not used since the last time, and tells whether there are others. */
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

    /** One thread for all databases, which ends when there was nothing to do for a while. */
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
