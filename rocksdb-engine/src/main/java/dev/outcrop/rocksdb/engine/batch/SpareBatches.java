package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Native batches that are kept when they have been written, with the memory that they have taken: so that writing a batch needs no
 * malloc, and writing a long one does not get fresh pages from the operating system each time.
 *
 * <p>There is one for each scratch at most, and a thread that holds the scratch has it alone. They live as long as the process.
 */
public final class SpareBatches {
    /** Scratches beyond these have none: more calls than this at once are rare. */
    private static final int PLACES = 64;
    /** Places are two cache lines apart, because processors fetch them in pairs. */
    private static final int STRIDE = 16;
    /** Longer ones are freed, so that all together keep 32 MiB at the very most: RocksDB's memory for a batch grows twofold. */
    private static final long LONGEST_KEPT = 256 << 10;

    /** A place before the first and after the last keeps neighbours on the heap away. */
    private static final long[] SPARE = new long[(PLACES + 2) * STRIDE];

    private SpareBatches() {
    }

    /** An empty {@code rocksdb_writebatch_t *}, to be given back or destroyed by the caller. */
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

    /** Where the scratch's spare batch stands; 0, where there never is one, if it has no place. */
    private static int place(Scratch held) {
        int index = held.index();
        return index < 0 || index >= PLACES ? 0 : (index + 1) * STRIDE;
    }
}
