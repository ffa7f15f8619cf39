package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.capi.CConstants;

/**
 * What RocksDB is told when a callback could not be carried out, because no memory or no stack was left to call the user's object or to see
 * what it has thrown.
 *
 * <p>With {@link Callbacks#REHEARSAL} there is nothing at the addresses.
 *
 * <p>These methods allocate nothing. They stand in a class of their own, because the JDK checks with each call of a method handle whether
 * the class is initialized, if it was not when the handle was made, and allocates for that; those that make the function pointers are not
 * initialized then.
 */
public final class LostAnswers {
    private LostAnswers() {
    }

    /** Two different keys must not seem to be one. */
    public static int compareBytes(long id, long a, long aLength, long b, long bLength) {
        return NativeCalls.compareBytes(a, aLength, b, bLength);
    }

    /** As {@link #compareBytes}, without the timestamps at the end of keys. */
    public static int compareBytesWithout(long id, long a, long aLength, byte aHasTimestamp, long b, long bLength,
            byte bHasTimestamp) {
        if (id == Callbacks.REHEARSAL) {
            return 0;
        }
        int timestampSize = ((CheckedComparator) Callbacks.of(id).target).timestampSize;
        return NativeCalls.compareBytes(a, aHasTimestamp != 0 ? Math.max(0, aLength - timestampSize) : aLength, b,
                bHasTimestamp != 0 ? Math.max(0, bLength - timestampSize) : bLength);
    }

    /** A merge that has failed. */
    public static long fullMerge(long id, long key, long keyLength, long existing, long existingLength, long operands,
            long lengths, int count, long success, long newLength) {
        return id == Callbacks.REHEARSAL ? 0 : failMerge(success, newLength);
    }

    /** Operands that cannot be combined. */
    public static long partialMerge(long id, long key, long keyLength, long operands, long lengths, int count,
            long success,
            long newLength) {
        return id == Callbacks.REHEARSAL ? 0 : failMerge(success, newLength);
    }

    /** Writes that a merge has failed; returns NULL. */
    public static long failMerge(long success, long newLength) {
        NativeCalls.writeByte(success, (byte) 0);
        NativeCalls.writeLong(newLength, 0);
        return 0;
    }

    /** The whole key is its prefix. */
    public static long wholeKey(long id, long key, long length, long prefixLength) {
        if (id != Callbacks.REHEARSAL) {
            NativeCalls.writeLong(prefixLength, length);
        }
        return key;
    }

    /** The table file is read. */
    public static byte readTable(long id, long properties) {
        return 1;
    }

    /** The record of the log is damaged. */
    public static int walRecord(long id, long logNumber, long file, long fileLength, long batch, long newBatch,
            long changed) {
        return CConstants.rocksdb_wal_filter_corrupted_record;
    }

    /** The compaction elsewhere has failed. */
    public static int compactionJob(long id, long jobId, long result, long resultLength) {
        return CConstants.rocksdb_compactionservice_jobstatus_failure;
    }
}
