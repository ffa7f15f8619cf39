package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Objects;

/**
 * Looks at each record of the write-ahead log while a database is opened and its log replayed, and may leave records out or replace them,
 * to repair a database or to go back to a point in time. Set it with {@link Options#walFilter(WalFilter)}. The thread that opens the
 * database calls it. Records that it leaves out are lost.
 *
 * <p>If it throws, the exception is logged, and the method that opens the database throws it and leaves the log as it was. The filter
 * cannot use the database, which is not open yet, but it can use others.
 */
@FunctionalInterface
public interface WalFilter {
    /** The fate of a record. */
    enum Decision {
        /** It is replayed. */
        KEEP,
        /** The replacement is replayed in its place. */
        REPLACE,
        /** It is left out. */
        IGNORE,
        /** It and all later ones are left out. */
        STOP_REPLAY,
        /** It is damaged; {@link Options#walRecoveryMode} defines the consequences. */
        CORRUPTED
    }

    /**
     * Decides about a record.
     *
     * @param logNumber   the number of the log
     * @param logFile     the file it is in
     * @param batch       the write batch that the record holds, in RocksDB's own format, see {@link WriteBatch#of(MemorySegment)};
     *                    read-only, and usable only by this thread until this method returns
     * @param replacement takes the operations to replay instead, for {@link Decision#REPLACE}; at most as many operations as the batch has,
     *                    all of them in the default column family; usable only by this thread until this method returns
     * @return the decision
     */
    Decision logRecordFound(long logNumber, String logFile, MemorySegment batch, KeyValueWriter replacement);

    /**
     * Tells which column families there are, before the first record.
     *
     * @param logNumbers the number of the first log from which each family is replayed, by the family's id
     * @param ids        the families' ids, by name
     */
    default void columnFamilyLogNumbers(Map<Integer, Long> logNumbers, Map<String, Integer> ids) {
        Objects.requireNonNull(logNumbers, "logNumbers");
        Objects.requireNonNull(ids, "ids");
    }

    /**
     * Returns the name, which RocksDB puts into messages.
     *
     * @return the name, always the same; by default the name of the class
     */
    default String name() {
        return getClass().getName();
    }
}
