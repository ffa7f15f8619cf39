package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Decides which entries a compaction leaves out. There are native ones only.
 *
 * @param <T> how a Java filter would see entries
 */
public abstract class AbstractCompactionFilter<T extends AbstractSlice<?>> extends RocksObject {

    /** Whose the native filter is. */
    private enum Use {
        NOBODY,
        /** Options, and databases that were opened with them, point to it. */
        OPTIONS,
        /** RocksDB frees it after the compaction. */
        COMPACTION
    }

    private final AtomicReference<Use> use = new AtomicReference<>(Use.NOBODY);

    /**
     * For subclasses.
     *
     * @param nativeHandle the address of the native filter
     */
    protected AbstractCompactionFilter(long nativeHandle) {
        super(nativeHandle);
    }

    /** For options, which point to the native filter from now on; the caller has entered this one. */
    final Held lendToOptions(Scratch entered) {
        if (!use.compareAndSet(Use.NOBODY, Use.OPTIONS) && use.get() == Use.COMPACTION) {
            throw refusal("The " + getClass().getName() + " was given to a compaction by a factory");
        }
        return new Held(this, entered);
    }

    /**
     * Gives the native filter to a compaction, and closes this one.
     *
     * @return its address
     */
    final long giveToCompaction() {
        try (Scratch _ = use()) {
            if (!use.compareAndSet(Use.NOBODY, Use.COMPACTION)) {
                throw new IllegalStateException("The " + getClass().getName() + " is used by "
                        + (use.get() == Use.OPTIONS ? "options" : "another compaction")
                        + ": a factory must make a new filter for each compaction");
            }
        }
        close();
        return nativeHandle_;
    }

    /** Frees the native filter, unless a compaction does. */
    @Override
    protected final void disposeInternal(long handle) {
        if (use.get() != Use.COMPACTION) {
            Exports.ABSTRACT_COMPACTION_FILTER_DISPOSE_INTERNAL.call(handle);
        }
    }

    /** What a filter is made for. */
    public static class Context {

        private final boolean fullCompaction;
        private final boolean manualCompaction;

        /**
         * Holds what it is given.
         *
         * @param fullCompaction   whether the compaction takes all files
         * @param manualCompaction whether a program asked for it
         */
        public Context(boolean fullCompaction, boolean manualCompaction) {
            this.fullCompaction = fullCompaction;
            this.manualCompaction = manualCompaction;
        }

        /**
         * Whether the compaction takes all files.
         *
         * @return true if it does
         */
        public boolean isFullCompaction() {
            return fullCompaction;
        }

        /**
         * Whether a program asked for it.
         *
         * @return true if it did
         */
        public boolean isManualCompaction() {
            return manualCompaction;
        }
    }
}
