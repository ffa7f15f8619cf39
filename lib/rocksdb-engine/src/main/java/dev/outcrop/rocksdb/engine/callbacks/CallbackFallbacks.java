package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.capi.CConstants;

/**
 * The answers for RocksDB if no memory or stack was left to call the user's object or to handle its exception.
 *
 * <p>With {@link Callbacks#WARM_UP} the addresses are not valid.
 *
 * <p>These methods allocate nothing. They are in a separate class for this reason: if a class is not initialized when a method handle is
 * made, the JDK checks that at each call, and allocates memory for the check. The classes that make function pointers are not initialized
 * at that time.
 */
public final class CallbackFallbacks {
    private CallbackFallbacks() {
    }

    /** Compares bytes, because two different keys must not seem equal. */
    public static int compareBytes(long id, long a, long aLength, long b, long bLength) {
        return NativeCalls.compareBytes(a, aLength, b, bLength);
    }

    /** Does the same as {@link #compareBytes}, without the timestamps at the end of keys. */
    public static int compareBytesWithout(long id, long a, long aLength, byte aHasTimestamp, long b, long bLength,
            byte bHasTimestamp) {
        if (id == Callbacks.WARM_UP) {
            return 0;
        }
        int timestampSize = ((CheckedComparator) Callbacks.of(id).target).timestampSize;
        return NativeCalls.compareBytes(a, aHasTimestamp != 0 ? Math.max(0, aLength - timestampSize) : aLength, b,
                bHasTimestamp != 0 ? Math.max(0, bLength - timestampSize) : bLength);
    }

    /** Fails a merge. */
    public static long fullMerge(long id, long key, long keyLength, long existing, long existingLength, long operands,
            long lengths, int count, long success, long newLength) {
        return id == Callbacks.WARM_UP ? 0 : failMerge(success, newLength);
    }

    /** Does not combine operands. */
    public static long partialMerge(long id, long key, long keyLength, long operands, long lengths, int count,
            long success,
            long newLength) {
        return id == Callbacks.WARM_UP ? 0 : failMerge(success, newLength);
    }

    /** Reports the failure of a merge; returns NULL. */
    public static long failMerge(long success, long newLength) {
        NativeCalls.writeByte(success, (byte) 0);
        NativeCalls.writeLong(newLength, 0);
        return 0;
    }

    /** Returns the whole key as its prefix. */
    public static long wholeKey(long id, long key, long length, long prefixLength) {
        if (id != Callbacks.WARM_UP) {
            NativeCalls.writeLong(prefixLength, length);
        }
        return key;
    }

    /** Lets the table file be read. */
    public static byte readTable(long id, long properties) {
        return 1;
    }

    /** Reports a damaged record of the log. */
    public static int walRecord(long id, long logNumber, long file, long fileLength, long batch, long newBatch,
            long changed) {
        return CConstants.rocksdb_wal_filter_corrupted_record;
    }

    /** Reports the failure of a remote compaction. */
    public static int compactionJob(long id, long jobId, long result, long resultLength) {
        return CConstants.rocksdb_compactionservice_jobstatus_failure;
    }
}
