package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is done with a whole database beside reading and writing it: its log, its files, its background work, and what it counts. */
abstract sealed class DatabaseMaintenance extends FamilyOperations permits RocksDB {
    DatabaseMaintenance(Function<FamilyOperations, ColumnFamily> open) {
        super(open);
    }

    /**
     * How many changes the database has seen. When RocksDB opens a database again, it does not count ranges that were deleted and empty, so
     * the number may be lower than it was.
     *
     * @return the sequence number of the latest change; 0 if there was none
     * @throws IllegalStateException if the database is closed
     */
    public long latestSequenceNumber() {
        return WriteAheadLog.latestSequenceNumber(family.store);
    }

    /**
     * Reads the changes in the write-ahead log again, such as to apply them elsewhere.
     *
     * @param sequenceNumber the number of the first change to see, up to {@link #latestSequenceNumber()} + 1, which is the next change
     *                       that will be written; the batch that it is part of is seen whole
     * @return the iterator, to be closed by the caller
     * @throws IllegalArgumentException if the number is negative, or beyond that of the next change
     * @throws IllegalStateException    if the database is closed
     */
    public WalIterator updatesSince(long sequenceNumber) {
        return updatesSince(sequenceNumber, new WalReadOptions());
    }

    /**
     * Reads the changes in the write-ahead log again, see {@link #updatesSince(long)}.
     *
     * @param sequenceNumber the number of the first change to see
     * @param options        how to read; they cannot be changed any more
     * @return the iterator, to be closed by the caller
     * @throws IllegalArgumentException if the number is negative, or beyond that of the next change
     * @throws IllegalStateException    if the database is closed
     */
    public WalIterator updatesSince(long sequenceNumber, WalReadOptions options) {
        return WriteAheadLog.updatesSince(family.store, sequenceNumber, options);
    }

    /**
     * The files of the write-ahead log, with those that are archived.
     *
     * @return the oldest file first
     * @throws RocksDBException      if RocksDB fails
     * @throws IllegalStateException if the database is closed
     */
    public List<WalFile> walFiles() {
        return WriteAheadLog.files(family.store);
    }

    /**
     * The file of the write-ahead log that is written now. Its start sequence is not looked up.
     *
     * @return the file
     * @throws RocksDBException      if there is none, because the database was opened for reading, or RocksDB fails
     * @throws IllegalStateException if the database is closed
     */
    public WalFile currentWalFile() {
        return WriteAheadLog.currentFile(family.store);
    }

    /**
     * Writes what is in memory of several column families into table files, in this order; atomically if
     * {@link Options#atomicFlush(boolean)} or {@link FlushOptions#forceAtomicFlush(boolean)} is set. The latter works without the former
     * only in a database that flushes one memtable at a time, as it does with less than 8 {@code max_background_jobs} and less than 2
     * {@code max_background_flushes}.
     *
     * @param columnFamilies of this database; one that is named twice is flushed once
     * @param options        how
     * @throws RocksDBException         if RocksDB refuses or fails; with {@link Status.Code#NOT_SUPPORTED} if the flush is to be atomic and
     *                                  others may run beside it, or if the database was opened for reading
     * @throws IllegalArgumentException if one belongs to another database, or there is none
     * @throws IllegalStateException    if the database is closed or a column family dropped
     */
    public void flush(List<ColumnFamily> columnFamilies, FlushOptions options) {
        Objects.requireNonNull(options, "options");
        Flushing.flush(family.store, columnFamilies, options);
    }

    /**
     * Hands what is in RocksDB's own buffer of the write-ahead log to the operating system.
     *
     * @param sync whether to wait until it is on the disk
     * @throws RocksDBException      if the disk is full or fails
     * @throws IllegalStateException if the database is closed
     */
    public void flushWal(boolean sync) {
        Flushing.flushWal(family.store, sync);
    }

    /**
     * Hands what is in RocksDB's own buffer of the write-ahead log to the operating system.
     *
     * @param options whether to wait until it is on the disk, for example
     * @throws RocksDBException      if the disk is full or fails
     * @throws IllegalStateException if the database is closed
     */
    public void flushWal(FlushWalOptions options) {
        Flushing.flushWal(family.store, options);
    }

    /**
     * The flushes and compactions in the background, to wait for them, pause or stop them.
     *
     * @return always the same object
     */
    public BackgroundWork backgroundWork() {
        return family.store.work;
    }

    /**
     * Records of what happens to this database.
     *
     * @return always the same object
     */
    public Tracing tracing() {
        return family.store.tracing;
    }

    /**
     * Makes a copy of the database as it is now, which is a database itself. Table files are hard links if it is on the same file
     * system. Memtables are flushed before.
     *
     * @param directory for the copy; must not exist yet, but what it is in must
     * @throws RocksDBException      if the directory exists, the disk is full or fails, or the database is open for reading only
     * @throws IllegalStateException if the database is closed
     */
    public void checkpoint(Path directory) {
        Objects.requireNonNull(directory, "directory");
        checkpoint(directory, 0);
    }

    /**
     * As {@link #checkpoint(Path)}, but copies the write-ahead logs instead of flushing as long as they are small.
     *
     * @param directory       for the copy; must not exist yet, but what it is in must
     * @param logSizeForFlush from how many bytes of logs on memtables are flushed
     * @throws RocksDBException         if the directory exists, the disk is full or fails, or the database is open for reading only
     * @throws IllegalArgumentException if {@code logSizeForFlush} is negative
     * @throws IllegalStateException    if the database is closed
     */
    public void checkpoint(Path directory, long logSizeForFlush) {
        Objects.requireNonNull(directory, "directory");
        Checkpoints.checkpoint(family.store, directory, logSizeForFlush);
    }

    /**
     * The table files that the database consists of.
     *
     * @return an unchangeable list of how it is now
     * @throws IllegalStateException if the database is closed
     */
    public List<LiveFile> liveFiles() {
        return LiveFiles.of(family.store);
    }

    /**
     * All files that a copy of the database consists of, and how to copy them. Before asking,
     * {@linkplain #disableFileDeletions() keep them from being deleted}.
     *
     * @param options whether to flush before, and to tell the checksums
     * @return an unchangeable list of how it is now
     * @throws RocksDBException      if RocksDB fails; with {@link Status.Code#NOT_SUPPORTED} if it is to flush atomically, and others
     *                               may run beside that
     * @throws IllegalStateException if the database is closed
     */
    public List<LiveFileStorageInfo> liveFilesStorageInfo(LiveFilesStorageInfoOptions options) {
        return LiveFiles.storageInfo(family.store, options);
    }

    /**
     * Keeps files that are not needed any more, so that somebody can copy them. Calls add up.
     *
     * @throws RocksDBException      if the database was opened for reading
     * @throws IllegalStateException if the database is closed
     */
    public void disableFileDeletions() {
        Maintenance.disableFileDeletions(family.store);
    }

    /**
     * Undoes one {@link #disableFileDeletions()}, if there was one; the last one deletes what is not needed any more.
     *
     * @throws RocksDBException      if the database was opened for reading
     * @throws IllegalStateException if the database is closed
     */
    public void enableFileDeletions() {
        Maintenance.enableFileDeletions(family.store);
    }

    /**
     * Reads all blocks of all table files, of all column families, and checks their checksums.
     *
     * @throws RocksDBException      with {@link Status.Code#CORRUPTION} if a block is damaged
     * @throws IllegalStateException if the database is closed
     */
    public void verifyChecksum() {
        Maintenance.verifyChecksum(family.store);
    }

    /**
     * Reads all blocks of all table files, of all column families, and checks their checksums.
     *
     * @param options how to read
     * @throws RocksDBException      with {@link Status.Code#CORRUPTION} if a block is damaged
     * @throws IllegalStateException if the database is closed
     */
    public void verifyChecksum(ReadOptions options) {
        Maintenance.verifyChecksum(family.store, options);
    }

    /**
     * Reads all files that have a checksum as a whole, see {@link Options#fileChecksumGenFactory(FileChecksumGenFactory)}, and checks it.
     *
     * @throws RocksDBException      with {@link Status.Code#CORRUPTION} if a file is damaged; with {@link Status.Code#INVALID_ARGUMENT}
     *                               if the database was opened without such checksums
     * @throws IllegalStateException if the database is closed
     */
    public void verifyFileChecksums() {
        Maintenance.verifyFileChecksums(family.store);
    }

    /**
     * Reads all files that have a checksum as a whole, see {@link Options#fileChecksumGenFactory(FileChecksumGenFactory)}, and checks it.
     *
     * @param options how to read
     * @throws RocksDBException      with {@link Status.Code#CORRUPTION} if a file is damaged; with {@link Status.Code#INVALID_ARGUMENT}
     *                               if the database was opened without such checksums
     * @throws IllegalStateException if the database is closed
     */
    public void verifyFileChecksums(ReadOptions options) {
        Maintenance.verifyFileChecksums(family.store, options);
    }

    /**
     * What tells this database from others; copies of it have another one, unless their files were copied as they are.
     *
     * @return the text in its file IDENTITY
     * @throws RocksDBException      if it cannot be read
     * @throws IllegalStateException if the database is closed
     */
    public String dbIdentity() {
        return Maintenance.dbIdentity(family.store);
    }

    /**
     * Changes options of the whole database while it is open, such as {@code max_background_jobs}.
     *
     * @param options values by name, in RocksDB's textual form; all or none of them are changed
     * @throws RocksDBException         for a name or a value that RocksDB does not know, or that would make it crash or hang, and for
     *                                  options that cannot be changed while the database is open; with {@link Status.Code#NOT_SUPPORTED}
     *                                  if several memtables could be flushed at a time then and there has been a flush with
     *                                  {@link FlushOptions#forceAtomicFlush(boolean)}
     * @throws IllegalArgumentException if there is a NUL character in a name or value
     * @throws IllegalStateException    if the database is closed
     */
    public void setDbOptions(Map<String, String> options) {
        Objects.requireNonNull(options, "options");
        Maintenance.setDbOptions(family.store, options);
    }

    /**
     * What RocksDB has counted, if the options that this database was opened with had {@link Options#enableStatistics()} called.
     *
     * @return the statistics, always the same object, or null if there are none
     */
    public @Nullable Statistics statistics() {
        return family.store.statistics;
    }

    /**
     * How many bytes of values may be pinned at the same time, see {@link Options#pinBudget(long)}.
     *
     * @return bytes; does not change while the database is open
     */
    public long pinBudget() {
        return family.store.pinBudget;
    }

    /**
     * How many bytes of values are pinned now, see {@link Options#pinBudget(long)}.
     *
     * @return bytes; exact while no thread pins or unpins
     */
    public long pinnedBytes() {
        return family.store.lifetime.leasedWeight();
    }
}
