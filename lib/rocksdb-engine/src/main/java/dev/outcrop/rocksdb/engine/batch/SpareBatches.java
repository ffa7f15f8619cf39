package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Written native batches that are kept with their memory: so a write needs no malloc, and a long one no fresh pages from the operating system.
 *
 * <p>Each scratch has at most one, which belongs to the thread that holds the scratch. They live as long as the process.
 */
public final class SpareBatches {
    /** More calls than this at once are rare: further scratches have none. */
    private static final int PLACES = 64;
    /** Two cache lines, because processors fetch them in pairs. */
    private static final int STRIDE = 16;
    /** Longer ones are freed, so all together keep at most 32 MiB: RocksDB doubles the memory of a batch. */
    private static final long LONGEST_KEPT = 256 << 10;

    /** A place before the first and after the last keeps neighbours on the heap away. */
    private static final long[] SPARE = new long[(PLACES + 2) * STRIDE];

    private SpareBatches() {
    }

    /** Returns an empty {@code rocksdb_writebatch_t *}, which the caller gives back or destroys. */
    public static long take(Scratch held) {
        int place = place(held);
        long spare = SPARE[place];
        if (spare == 0) {
            return NativeWriteBatch.create();
        }
        SPARE[place] = 0;
        CApi.rocksdb_writebatch_clear(spare);
        return spare;
    }

    /**
     * Keeps a native batch for later, or destroys it.
     *
     * @param size its bytes
     */
    public static void giveBack(Scratch held, long batch, long size) {
        int place = place(held);
        if (place != 0 && SPARE[place] == 0 && size <= LONGEST_KEPT) {
            SPARE[place] = batch;
        } else {
            NativeWriteBatch.destroy(batch);
        }
    }

    /** Returns the scratch's place; 0, which is always empty, if it has none. */
    private static int place(Scratch held) {
        int index = held.index();
        return index < 0 || index >= PLACES ? 0 : (index + 1) * STRIDE;
    }
}
