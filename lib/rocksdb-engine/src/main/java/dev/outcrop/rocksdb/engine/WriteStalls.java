package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
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
    /** The handles of the families with automatic compactions turned off. */
    private final List<Long> changed = new ArrayList<>();

    /**
     * The options of a family that decide about stalls.
     *
     * @param compacts  whether it has automatic compactions
     * @param trigger   the number of files in level 0 at which a compaction is due
     * @param slowdown  the number of files at which writes are slowed down
     * @param stop      the number of files at which writes are stopped
     * @param hardBytes the number of bytes to be compacted at which writes are stopped; 0 for no limit
     */
    public record Limits(boolean compacts, int trigger, int slowdown, int stop, long hardBytes) {
        /** Returns whether writes are stopped, or a flush would wait because it adds a file. */
        boolean mayStall(long files, long bytes) {
            boolean isFull = files >= stop || (files >= trigger && files + 1 >= Math.min(slowdown, stop));
            return compacts && (isFull || (hardBytes != 0 && Long.compareUnsigned(bytes, hardBytes) >= 0));
        }
    }

    /** Lets calls continue that are stalled for a family. Also lets RocksDB flush the family when it closes the database. */
    public synchronized void end(long db, long family, Supplier<Limits> limits) {
        if (changed.contains(family)) {
            return;
        }
        try (Scratch scratch = Scratch.open()) {
            long files = mostFiles(scratch, db, family);
            long bytes = number(scratch, db, family, "rocksdb.estimate-pending-compaction-bytes");
            if ((files != 0 || bytes != 0) && limits.get().mayStall(files, bytes)) {
                changed.add(family);
                disableCompactions(scratch, db, family);
            }
        }
    }

    private void disableCompactions(Scratch scratch, long db, long family) {
        boolean isDone = false;
        try {
            setOption(scratch, db, family, true);
            isDone = true;
        } finally {
            if (!isDone) {
                // Memory has run out. The caller tries again.
                changed.remove(family);
            }
        }
    }

    /**
     * Turns automatic compactions on again before the database is closed. Called after the last call. Flushes unlogged data first: closing
     * would wait for the end of the stall before its flush.
     */
    public synchronized void finish(long db) {
        if (!changed.isEmpty()) {
            NativeBackgroundWork.cancelAll(db, false);
            while (!changed.isEmpty()) {
                restore(db, changed.getLast());
            }
        }
    }

    /** Turns automatic compactions of a family on again, if they were turned off here. */
    public synchronized void restore(long db, long family) {
        if (changed.contains(family)) {
            try (Scratch scratch = Scratch.open()) {
                setOption(scratch, db, family, false);
            }
            changed.remove(family);
        }
    }

    /** Forgets a dropped family, before its handle is freed. */
    public synchronized void forget(long family) {
        changed.remove(family);
    }

    /**
     * Returns how many files may count for a stall, or some more. Universal compaction counts sorted runs, the other styles count only the
     * files in level 0. Memtables that are being flushed are about to become files.
     */
    private static long mostFiles(Scratch scratch, long db, long family) {
        long files = number(scratch, db, family, "rocksdb.num-immutable-mem-table");
        for (int level = 0;; level++) {
            String inLevel = NativeFamilies.property(db, family,
                    NativeText.in(scratch, "rocksdb.num-files-at-level" + level));
            if (inLevel == null) {
                return files;
            }
            files += level == 0 ? Long.parseLong(inLevel) : Math.min(1, Long.parseLong(inLevel));
        }
    }

    private static long number(Scratch scratch, long db, long family, String property) {
        Long found = NativeFamilies.intProperty(scratch, db, family, NativeText.in(scratch, property));
        return found == null ? 0 : found;
    }

    private static void setOption(Scratch scratch, long db, long family, boolean disabled) {
        long option = NativeDatabase.option(scratch, "disable_auto_compactions", disabled);
        NativeFamilies.setOptions(scratch, db, family, 1, option, option + Long.BYTES);
        // If only the file of options cannot be written, the option is set nevertheless.
        NativeCall.forgetError(scratch);
    }
}
