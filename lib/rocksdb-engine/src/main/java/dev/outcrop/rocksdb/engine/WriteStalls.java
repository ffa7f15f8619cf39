package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Lets stalled calls of a database continue while it is being closed. RocksDB stalls writes and flushes while a family has too many files in
 * level 0, or too much to compact (ColumnFamilyData::GetWriteStallConditionAndCause, DBImpl::WaitUntilFlushWouldNotStallWrites). With some
 * options no compaction ever ends this, and closing would wait without end. RocksDB does not stall for a family without automatic
 * compactions. So these are turned off, and turned on again after the last call.
 */
public final class WriteStalls {
    private static final String OPTION = "disable_auto_compactions";
    /** The handles of the families with automatic compactions turned off. */
    private final List<Long> changed = new ArrayList<>();

    /**
     * The options of a family that decide about stalls.
     *
     * @param compacts whether it has automatic compactions
     * @param trigger  the number of files in level 0 from which on a compaction is due
     * @param slowdown the number of files from which on writes are slowed down
     * @param stop     the number of files from which on writes are stopped
     */
    public record Limits(boolean compacts, int trigger, int slowdown, int stop) {
        boolean stallAFlush(long runs) {
            return runs >= trigger && runs + 1 >= Math.min(slowdown, stop);
        }
    }

    /** Lets calls continue that are stalled for a family. Also lets RocksDB flush the family when it closes the database. */
    public synchronized void end(long db, long family, Supplier<Limits> limits) {
        try (Scratch scratch = Scratch.open()) {
            long runs = sortedRuns(scratch, db, family);
            boolean areWritesStopped = DatabaseRegistry.number(scratch, db, "rocksdb.is-write-stopped") != 0;
            if (changed.contains(family) || (runs == 0 && !areWritesStopped)) {
                return;
            }
            Limits known = limits.get();
            if (known.compacts && (areWritesStopped || known.stallAFlush(runs))) {
                changed.add(family);
                disableCompactions(scratch, db, family, true);
            }
        }
    }

    /**
     * Restores the options before the database is closed. Called after the last call. Flushes unlogged data first: with the former options,
     * closing would wait for the end of the stall before its flush.
     */
    public synchronized void finish(long db) {
        if (!changed.isEmpty()) {
            NativeBackgroundWork.cancelAll(db, false);
            while (!changed.isEmpty()) {
                restore(db, changed.getLast());
            }
        }
    }

    /** Restores the options of a family that was not dropped, after all. */
    public synchronized void restore(long db, long family) {
        if (changed.contains(family)) {
            try (Scratch scratch = Scratch.open()) {
                disableCompactions(scratch, db, family, false);
            }
            changed.remove(family);
        }
    }

    /** Returns how many sorted runs a family has. Universal compaction counts these, the other styles only the files in level 0. */
    private static long sortedRuns(Scratch scratch, long db, long family) {
        long runs = 0;
        for (int level = 0;; level++) {
            String files = NativeFamilies.property(db, family,
                    NativeText.in(scratch, "rocksdb.num-files-at-level" + level));
            if (files == null) {
                return runs;
            }
            runs += level == 0 ? Long.parseLong(files) : Math.min(1, Long.parseLong(files));
        }
    }

    private static void disableCompactions(Scratch scratch, long db, long family, boolean disabled) {
        MemorySegment words = scratch.allocate(2L * Long.BYTES, Long.BYTES);
        words.setAtIndex(ValueLayout.JAVA_LONG, 0, NativeCall.in(scratch, OPTION).address());
        words.setAtIndex(ValueLayout.JAVA_LONG, 1, NativeCall.in(scratch, Boolean.toString(disabled)).address());
        NativeFamilies.setOptions(scratch, db, family, 1, words.address(), words.address() + Long.BYTES);
        // If only the file of options cannot be written, the option is set nevertheless. A dropped family has no options to set.
        NativeStatus _ = NativeCall.nativeStatus(scratch);
    }
}
