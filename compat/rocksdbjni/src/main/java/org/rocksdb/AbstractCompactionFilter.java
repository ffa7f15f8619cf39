package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCompactionFilter;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Decides which entries a compaction removes. Only native filters are supported.
 *
 * @param <T> how a Java filter would see entries
 */
public abstract class AbstractCompactionFilter<T extends AbstractSlice<?>> extends RocksObject {

    /** Who uses the native filter, and so owns it. */
    private enum Use {
        NONE,
        /** Options, and databases that were opened with them, point to the native filter. */
        OPTIONS,
        /** RocksDB frees the native filter after the compaction. */
        COMPACTION
    }

    private final AtomicReference<Use> use = new AtomicReference<>(Use.NONE);

    /**
     * For subclasses.
     *
     * @param nativeHandle the address of the native filter
     */
    protected AbstractCompactionFilter(long nativeHandle) {
        super(nativeHandle);
    }

    /** Lends the native filter to options, which then point to it. The caller has entered this object. */
    final NativeLease lendToOptions(Scratch entered) {
        if (!use.compareAndSet(Use.NONE, Use.OPTIONS) && use.get() == Use.COMPACTION) {
            throw refusal("The " + getClass().getName() + " was given to a compaction by a factory");
        }
        return new NativeLease(this, entered);
    }

    /**
     * Gives the native filter to a compaction, and closes this object.
     *
     * @return its address
     */
    final long giveToCompaction() {
        try (Scratch _ = use()) {
            if (!use.compareAndSet(Use.NONE, Use.COMPACTION)) {
                throw new IllegalStateException("The " + getClass().getName() + " is used by "
                        + (use.get() == Use.OPTIONS ? "options" : "another compaction")
                        + ": a factory must make a new filter for each compaction");
            }
        }
        close();
        return nativeHandle_;
    }

    /** Frees the native filter, unless a compaction frees it. */
    @Override
    protected final void disposeInternal(long handle) {
        if (use.get() != Use.COMPACTION) {
            NativeCompactionFilter.destroy(handle);
        }
    }

    /** The compaction for which a filter is made. */
    public static class Context {

        private final boolean fullCompaction;
        private final boolean manualCompaction;

        /**
         * Makes a context.
         *
         * @param fullCompaction   whether the compaction takes all files
         * @param manualCompaction whether a program asked for it
         */
        public Context(boolean fullCompaction, boolean manualCompaction) {
            this.fullCompaction = fullCompaction;
            this.manualCompaction = manualCompaction;
        }

        /** {@return whether the compaction takes all files} */
        public boolean isFullCompaction() {
            return fullCompaction;
        }

        /** {@return whether a program asked for the compaction} */
        public boolean isManualCompaction() {
            return manualCompaction;
        }
    }
}
