package dev.outcrop.rocksdb;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Keeps forced atomic flushes and flushes that run side by side apart, in a database that is not for atomic flushes.
 *
 * <p>RocksDB writes the results of flushes down in the order of the memtables, each flush those of others too that have ended before their
 * turn; an atomic flush writes down only its own (db/memtable_list.cc). So what a younger flush had ready would be left in memory, and
 * a thread that waits for it would wait for ever.
 */
final class ForcedFlushes {
    private enum State {
        UNDECIDED,
        FORCED,
        SIDE_BY_SIDE
    }

    private final boolean areAllAtomic;
    private final AtomicReference<State> state = new AtomicReference<>(State.UNDECIDED);

    /** For a database that was opened with these options. */
    ForcedFlushes(Options options) {
        areAllAtomic = options.atomicFlush();
        if (mayRunSideBySide(options)) {
            state.set(State.SIDE_BY_SIDE);
        }
    }

    /** Called before an atomic flush that a call asks for. */
    void beforeForced(Store store) {
        if (!areAllAtomic && state.compareAndExchange(State.UNDECIDED, State.FORCED) == State.SIDE_BY_SIDE) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The " + store
                    + " may flush several memtables at a time, beside which an atomic flush does not work; open it with"
                    + " atomic_flush, or with less than 8 max_background_jobs and less than 2 max_background_flushes");
        }
    }

    /** Called before the options of the database are changed to these. */
    void beforeChange(Store store, Options options) {
        if (!areAllAtomic && mayRunSideBySide(options)
                && state.compareAndExchange(State.UNDECIDED, State.SIDE_BY_SIDE) == State.FORCED) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The " + store
                    + " cannot be allowed to flush several memtables at a time any more, because an atomic flush may be"
                    + " running; open it with atomic_flush, or with these options");
        }
    }

    /**
     * Which of the two counts RocksDB goes by (DBImpl::GetBGJobLimits) depends on a third option, and all of them can be changed one by
     * one while the database is open; so neither may be more.
     */
    private static boolean mayRunSideBySide(Options options) {
        return options.maxBackgroundJobs() / 4 > 1 || options.maxBackgroundFlushes() > 1;
    }
}
