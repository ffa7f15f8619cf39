package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.Family.EnteredFamilies;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** Operations on a whole database other than reading and writing: on its log, its files, its background work and its statistics. */
abstract sealed class DatabaseMaintenance extends FamilyOperations permits RocksDB {
    DatabaseMaintenance(Function<FamilyOperations, ColumnFamily> open) {
        super(open);
    }

    /**
     * Returns the number of changes that the database has seen. The number may be lower after the database is opened again, because RocksDB
     * then does not count deletions of empty ranges.
     *
     * @return the sequence number of the latest change; 0 if there was none
     */
    public long latestSequenceNumber() {
        try (Scratch _ = family.database.enterForRead()) {
            return NativeLog.latestSequenceNumber(family.database.db);
        }
    }

    /**
     * Reads the changes in the write-ahead log, for example to apply them elsewhere. If the log is compressed ({@code walCompression}),
     * RocksDB may not find some changes until the database is opened again; the iterator then throws.
     *
     * @param sequenceNumber the number of the first change to see, at most {@link #latestSequenceNumber()} + 1, the number of the next
     *                       change; the iterator returns the whole batch that contains the change
     * @return the iterator, which the caller must close
     * @throws IllegalArgumentException if the number is negative, or greater than the number of the next change
     */
    public WalIterator updatesSince(long sequenceNumber) {
        return updatesSince(sequenceNumber, new WalReadOptions());
    }

    /**
     * Reads the changes in the write-ahead log, see {@link #updatesSince(long)}.
     *
     * @param sequenceNumber the number of the first change to see
     * @param options        how to read; they can no longer be changed
     * @return the iterator, which the caller must close
     * @throws IllegalArgumentException if the number is negative, or greater than the number of the next change
     */
    public WalIterator updatesSince(long sequenceNumber, WalReadOptions options) {
        Objects.requireNonNull(options, "options");
        long latest = latestSequenceNumber();
        if (sequenceNumber < 0 || sequenceNumber > latest + 1) {
            throw new IllegalArgumentException("Sequence number " + sequenceNumber + " is not from 0 to "
                    + (latest + 1) + ", the number of the next change of the " + family.database);
        }
        return new WalIterator(family.database, sequenceNumber, options);
    }

    /**
     * Lists the files of the write-ahead log, including archived ones.
     *
     * @return the oldest file first
     * @throws RocksDBException if RocksDB fails
     */
    public List<WalFile> walFiles() {
        try (Scratch scratch = family.database.enterForRead()) {
            List<NativeLog.File> files = NativeLog.files(scratch, family.database.db);
            ApiCall.check(scratch, "Cannot list the log of the " + family.database);
            return files.stream().map(WalFile::of).toList();
        }
    }

    /**
     * Returns the file of the write-ahead log that is being written. Its start sequence is not looked up.
     *
     * @return the file
     * @throws RocksDBException if there is none, because the database was opened for reading, or RocksDB fails
     */
    public WalFile currentWalFile() {
        try (Scratch scratch = family.database.enterForRead()) {
            NativeLog.File file = NativeLog.currentFile(scratch, family.database.db);
            ApiCall.check(scratch, "Cannot look at the log of the " + family.database);
            return WalFile.of(Objects.requireNonNull(file));
        }
    }

    /**
     * Flushes the memtables of several column families, in this order. The flush is atomic if {@link Options#atomicFlush(boolean)} or
     * {@link FlushOptions#forceAtomicFlush(boolean)} is set. The latter works without the former only in a database that flushes one
     * memtable at a time, which is the case with fewer than 8 {@code max_background_jobs} and fewer than 2 {@code max_background_flushes}.
     *
     * @param columnFamilies of this database; a column family that is named twice is flushed once
     * @param options        how
     * @throws RocksDBException         if RocksDB refuses or fails; with {@link Status.Code#NOT_SUPPORTED} if the flush must be atomic and
     *                                  other flushes may run at the same time, or if the database was opened for reading
     * @throws IllegalArgumentException if one belongs to another database, or the list is empty
     */
    public void flush(List<ColumnFamily> columnFamilies, FlushOptions options) {
        ApiCall.requireElements("columnFamilies", columnFamilies);
        Objects.requireNonNull(options, "options");
        OpenDatabase database = family.database;
        // An atomic flush of a column family that is named twice would read beyond its list of memtables.
        List<Family> families = columnFamilies.stream().map(database::own).distinct().toList();
        if (families.isEmpty()) {
            // An atomic flush of nothing would never end.
            throw new IllegalArgumentException("There is no column family to flush");
        }
        try (Scratch scratch = database.enterForBackgroundWait(); EnteredFamilies _ = EnteredFamilies.all(families)) {
            beforeFlush(options);
            MemorySegment handles = Family.handles(scratch, families);
            database.kind().flush(database.db, options.use(), handles.address(), families.size(),
                    ApiCall.error(scratch));
            ApiCall.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Writes RocksDB's buffer of the write-ahead log to its file.
     *
     * @param sync whether to wait until it is on the disk
     * @throws RocksDBException if the disk is full or fails
     */
    public void flushWal(boolean sync) {
        try (Scratch scratch = family.database.enterForWrite()) {
            family.database.requireWritable("flushed");
            family.database.kind().flushWal(family.database.db, sync, ApiCall.error(scratch));
            ApiCall.check(scratch);
        }
    }

    /**
     * Writes RocksDB's buffer of the write-ahead log to its file.
     *
     * @param options for example whether to wait until it is on the disk
     * @throws RocksDBException if the disk is full or fails
     */
    public void flushWal(FlushWalOptions options) {
        try (Scratch scratch = family.database.enterForWrite()) {
            family.database.requireWritable("flushed");
            family.database.kind().flushWal(family.database.db, options.use(), ApiCall.error(scratch));
            ApiCall.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Returns the object that controls flushes and compactions in the background: it can wait for them, pause them and stop them.
     *
     * @return always the same object
     */
    public BackgroundWork backgroundWork() {
        return family.database.work;
    }

    /**
     * Returns the object that controls traces of this database.
     *
     * @return always the same object
     */
    public Tracing tracing() {
        return family.database.tracing;
    }

    /**
     * Flushes the memtables and makes a copy of the database as it is now. The copy is a database itself. Its table files are hard links if
     * it is on the same file system.
     *
     * @param directory for the copy; must not exist yet, but its parent must
     * @throws RocksDBException if the directory exists, the disk is full or fails, or the database is open for reading only
     */
    public void checkpoint(Path directory) {
        Objects.requireNonNull(directory, "directory");
        checkpoint(directory, 0);
    }

    /**
     * Makes a checkpoint as {@link #checkpoint(Path)} does, but copies the write-ahead logs instead of flushing, as long as the logs are
     * small.
     *
     * @param directory       for the copy; must not exist yet, but its parent must
     * @param logSizeForFlush the size of the logs in bytes from which on memtables are flushed
     * @throws RocksDBException         if the directory exists, the disk is full or fails, or the database is open for reading only
     * @throws IllegalArgumentException if {@code logSizeForFlush} is negative
     */
    public void checkpoint(Path directory, long logSizeForFlush) {
        Objects.requireNonNull(directory, "directory");
        OsPath.require(directory);
        OptionValues.notNegative("log_size_for_flush", logSizeForFlush);
        try (Scratch scratch = family.database.enterForBackgroundWait()) {
            // RocksDB would leave out changes that are only in the log.
            family.database.requireWritable("copied: open it for writing to make a checkpoint");
            family.database.withCheckpoint(scratch, checkpoint -> {
                NativeCheckpoints.create(scratch, checkpoint, OsPath.in(scratch, directory), logSizeForFlush);
                ApiCall.check(scratch, "Cannot make the checkpoint " + directory);
            });
        }
    }

    /**
     * Lists the table files of the database.
     *
     * @return an unmodifiable list of the files as they are now
     */
    public List<LiveFile> liveFiles() {
        try (Scratch scratch = family.database.enterForRead()) {
            return LiveFile.of(NativeFiles.tables(scratch, family.database.db));
        }
    }

    /**
     * Lists all files that a copy of the database needs, and how to copy them. Call {@link #disableFileDeletions()} first, so that the
     * files stay.
     *
     * @param options whether to flush first, and whether to include checksums
     * @return an unmodifiable list of the files as they are now
     * @throws RocksDBException if RocksDB fails; with {@link Status.Code#NOT_SUPPORTED} if the flush must be atomic, and other flushes may
     *                          run at the same time
     */
    public List<LiveFileStorageInfo> liveFilesStorageInfo(LiveFilesStorageInfoOptions options) {
        try (Scratch scratch = family.database.enterForBackgroundWait()) {
            family.database.work.beforeFlush(options.atomicFlush());
            List<NativeFiles.StorageInfo> files = NativeFiles.stored(scratch, family.database.db, options.use());
            ApiCall.check(scratch, "Cannot list the files of the " + family.database);
            return files.stream().map(LiveFileStorageInfo::of).toList();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Stops deleting obsolete files, so that they can be copied. Each call needs its own {@link #enableFileDeletions()}.
     *
     * @throws RocksDBException if the database was opened for reading
     */
    public void disableFileDeletions() {
        try (Scratch scratch = family.database.enterForAdmin()) {
            NativeFiles.disableDeletions(scratch, family.database.db);
            ApiCall.check(scratch);
        }
    }

    /**
     * Undoes one call of {@link #disableFileDeletions()}, if there was one. Undoing the last one deletes obsolete files.
     *
     * @throws RocksDBException if the database was opened for reading
     */
    public void enableFileDeletions() {
        try (Scratch scratch = family.database.enterForAdmin()) {
            NativeFiles.enableDeletions(scratch, family.database.db);
            ApiCall.check(scratch);
        }
    }

    /**
     * Reads all blocks of all table files, of all column families, and checks their checksums.
     *
     * @throws RocksDBException with {@link Status.Code#CORRUPTION} if a block is damaged
     */
    public void verifyChecksum() {
        verify(NativeFiles::verifyChecksum);
    }

    /**
     * Reads all blocks of all table files, of all column families, and checks their checksums.
     *
     * @param options how to read
     * @throws RocksDBException with {@link Status.Code#CORRUPTION} if a block is damaged
     */
    public void verifyChecksum(ReadOptions options) {
        verify(options, NativeFiles::verifyChecksum);
    }

    /**
     * Reads all files that have a checksum of the whole file, see {@link Options#fileChecksumGenFactory(FileChecksumGenFactory)}, and
     * checks it.
     *
     * @throws RocksDBException with {@link Status.Code#CORRUPTION} if a file is damaged; with {@link Status.Code#INVALID_ARGUMENT}
     *                          if the database was opened without such checksums
     */
    public void verifyFileChecksums() {
        verify(NativeFiles::verifyFileChecksums);
    }

    /**
     * Reads all files that have a checksum of the whole file, see {@link Options#fileChecksumGenFactory(FileChecksumGenFactory)}, and
     * checks it.
     *
     * @param options how to read
     * @throws RocksDBException with {@link Status.Code#CORRUPTION} if a file is damaged; with {@link Status.Code#INVALID_ARGUMENT}
     *                          if the database was opened without such checksums
     */
    public void verifyFileChecksums(ReadOptions options) {
        verify(options, NativeFiles::verifyFileChecksums);
    }

    private void verify(ObjLongConsumer<Scratch> call) {
        try (Scratch scratch = family.database.enterForRead()) {
            call.accept(scratch, family.database.db);
            ApiCall.check(scratch, "The " + family.database + " is not sound");
        }
    }

    private interface VerifyWithOptions {
        void call(Scratch scratch, long db, long options);
    }

    private void verify(ReadOptions options, VerifyWithOptions call) {
        try {
            long nativeOptions = options.use(family.database);
            verify((scratch, db) -> call.call(scratch, db, nativeOptions));
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Returns the identity of this database. A copy has another identity, unless its files were copied unchanged.
     *
     * @return the text in its file IDENTITY
     * @throws RocksDBException if it cannot be read
     */
    public String dbIdentity() {
        try (Scratch scratch = family.database.enterForRead()) {
            long id = CApi.rocksdb_get_db_identity(family.database.db, scratch.wordAddress(1));
            if (id == 0) {
                throw RocksDBException.of(Status.Code.IO_ERROR,
                        "The file IDENTITY of the " + family.database + " cannot be read");
            }
            return new String(ApiCall.takeBytes(id, scratch.word(1)), StandardCharsets.UTF_8).strip();
        }
    }

    /**
     * Changes options of the whole database while it is open, such as {@code max_background_jobs}.
     *
     * @param options values by name, in RocksDB's textual form; all or none of them are changed
     * @throws RocksDBException         for a name or a value that RocksDB does not know, or that would make it crash or hang, and for
     *                                  options that cannot be changed while the database is open; with {@link Status.Code#NOT_SUPPORTED} if
     *                                  several memtables could then be flushed at a time, and there was a flush with {@link
     *                                  FlushOptions#forceAtomicFlush(boolean)}
     * @throws IllegalArgumentException if there is a NUL character in a name or value
     */
    public void setDbOptions(Map<String, String> options) {
        Objects.requireNonNull(options, "options");
        OptionChecks.change(family.database, options);
    }

    /**
     * Returns the statistics, if the database was opened with {@link Options#enableStatistics()}.
     *
     * @return the statistics, always the same object, or null if there are none
     */
    public @Nullable Statistics statistics() {
        return family.database.statistics;
    }

    /**
     * Returns the number of bytes of values that may be pinned at the same time, see {@link Options#pinBudget(long)}.
     *
     * @return bytes; does not change while the database is open
     */
    public long pinBudget() {
        return family.database.pinBudget;
    }

    /**
     * Returns the number of bytes of values that are pinned now, see {@link Options#pinBudget(long)}.
     *
     * @return bytes; exact while no thread pins or unpins
     */
    public long pinnedBytes() {
        return family.database.lifetime.leasedWeight();
    }
}
