package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.DatabaseOpener.OpenedHandles;
import dev.outcrop.rocksdb.engine.FollowedPrimary;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativeSnapshots;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.ClassPreloading;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The operations that differ between open databases with and without transactions, with a time to live, and for reading only. */
interface DatabaseKind {
    /** A plain database. */
    DatabaseKind PLAIN = new DatabaseKind() {
        @Override
        public KeyValueWriter writer(Family family, WriteOptions options) {
            return new FamilyWriter(family, options);
        }

        @Override
        public void write(long db, long options, long batch, long error) {
            NativeWriteBatch.write(db, options, batch, error);
        }

        @Override
        public void writeIndexed(Scratch scratch, long db, long options, long batch) {
            NativeWriteBatchWithIndex.write(scratch, db, options, batch);
        }

        @Override
        public void close(long db) {
            NativeOpening.close(db);
        }
    };

    /** Whether it may change its files. RocksDB does not check that everywhere. */
    default boolean isWritable() {
        return true;
    }

    /** The directory in which RocksDB begins an info log, or null if it begins none. */
    default @Nullable Path logDirectory(Path path) {
        return path;
    }

    /** The primary that it follows, or null. */
    default @Nullable FollowedPrimary followed() {
        return null;
    }

    /** Whether RocksDB expects a time at the end of each value, and reads before the start of values that are too short for one. */
    default boolean hasTimes() {
        return false;
    }

    /** Whether its transactions lock the keys that they write. */
    default boolean locksKeys() {
        return false;
    }

    /** Returns whether transactions can be committed with timestamps. */
    default boolean hasCommitTimestamps() {
        return false;
    }

    /** Returns whether each entry has its own sequence number, rather than each batch. */
    default boolean numbersEntries() {
        return true;
    }

    /** A writer for this kind, which may lock keys, for example. */
    KeyValueWriter writer(Family family, WriteOptions options);

    /** The time-out of locks of writes without a transaction, for messages. */
    default String lockTimeout() {
        return "its lock time-out";
    }

    /** A reader for this kind. */
    default KeyValueReader reader(Family family, ReadOptions options) {
        return new FamilyReader(family, options);
    }

    /** Creates a column family; returns its handle, or sets the error. */
    default long createColumnFamily(long db, long options, MemorySegment name, long error) {
        return NativeFamilies.create(db, options, name, error);
    }

    /** Makes a snapshot. */
    default long createSnapshot(long db) {
        return NativeSnapshots.create(db);
    }

    /** Releases a snapshot. */
    default void releaseSnapshot(long db, long snapshot) {
        NativeSnapshots.release(db, snapshot);
    }

    /** Makes a {@code rocksdb_checkpoint_t *}, or sets the error. */
    default long createCheckpoint(long db, long error) {
        return NativeCheckpoints.open(db, error);
    }

    /** Flushes one column family. */
    default void flush(long db, long options, long handle, long error) {
        NativeBackgroundWork.flush(db, options, handle, error);
    }

    /** Flushes column families, all at once if the database does so atomically. */
    default void flush(long db, long options, long handles, int count, long error) {
        NativeBackgroundWork.flush(db, options, handles, count, error);
    }

    /** Writes the log to its file, and to the disk if {@code sync} is set. */
    default void flushWal(long db, boolean sync, long error) {
        NativeBackgroundWork.flushWal(db, sync, error);
    }

    /** Writes the log to its file. */
    default void flushWal(long db, long options, long error) {
        CApi.rocksdb_flush_wal_with_options(db, options, error);
    }

    /** Writes a {@code rocksdb_writebatch_t *} that was checked. */
    void write(long db, long options, long batch, long error);

    /** Writes a {@code rocksdb_writebatch_wi_t *}. */
    default void writeIndexed(Scratch scratch, long db, long options, long batch) {
        MemorySegment data = NativeWriteBatchWithIndex.data(scratch, batch);
        long plain = NativeWriteBatch.create(data, data.byteSize());
        try {
            write(db, options, plain, ApiCall.error(scratch));
        } finally {
            NativeWriteBatch.destroy(plain);
        }
    }

    /** Links the calls of this kind of database that may be made when memory or the stack has run out, see {@link ClassPreloading}. */
    default void linkCalls() {
        Linkage.linkNow("rocksdb_close", "rocksdb_create_snapshot", "rocksdb_release_snapshot");
    }

    /** Closes the native database after its family handles. */
    void close(long db);

    /**
     * A plain database with limits.
     *
     * @param isWritable see {@link DatabaseKind#isWritable()}
     * @param followed   see {@link DatabaseKind#followed()}
     * @param hasTimes   see {@link DatabaseKind#hasTimes()}
     * @param own        the directory of a secondary instance, or null
     */
    record Limited(boolean isWritable, @Nullable FollowedPrimary followed, boolean hasTimes,
            @Nullable Path own) implements DatabaseKind {
        /** A database that was opened for reading. */
        static final DatabaseKind READ_ONLY = new Limited(false, null, false, null);
        /** A database in which RocksDB appends a time to each value. */
        static final DatabaseKind WITH_TTL = new Limited(true, null, true, null);

        /** A database that follows another process. */
        static DatabaseKind following(FollowedPrimary primary, Path own) {
            return new Limited(false, primary, false, own);
        }

        @Override
        public @Nullable Path logDirectory(Path path) {
            return isWritable ? path : own;
        }

        @Override
        public KeyValueWriter writer(Family family, WriteOptions options) {
            return PLAIN.writer(family, options);
        }

        @Override
        public void write(long db, long options, long batch, long error) {
            if (hasTimes) {
                TimeToLive.requireNoSingleDelete(batch);
            }
            PLAIN.write(db, options, batch, error);
        }

        @Override
        public void close(long db) {
            PLAIN.close(db);
        }
    }

    /** Databases with a time to live, after which compactions drop entries. */
    final class TimeToLive {
        /** A name alone, or the first option of an object in braces. */
        private static final Pattern MARK = Pattern.compile("^(\\{(.*;)?id=)?TtlCompactionFilter(Factory)?(;|}|$)");

        private TimeToLive() {
        }

        static OpenedHandles open(Path path, Options options, Duration ttl, Map<String, Options> families,
                Map<String, Duration> ttls) {
            int most = seconds(ttl);
            Map<String, Duration> own = Map.copyOf(ttls);
            own.values().forEach(TimeToLive::seconds);
            requireTimes(path);
            OpenedHandles opened = DatabaseOpener.open(path, options, families, DatabaseKind.Limited.WITH_TTL,
                    (native_, name, count, names, familyOptions, handles, error) -> {
                        try (Scratch scratch = ApiCall.scratch()) {
                            MemorySegment seconds = scratch.allocate(ValueLayout.JAVA_INT, count);
                            for (int i = 0; i < count; i++) {
                                Duration of = own.get(text(names, i));
                                seconds.setAtIndex(ValueLayout.JAVA_INT, i, of == null ? most : seconds(of));
                            }
                            return NativeOpening.openWithTtl(native_, name, count, names, familyOptions,
                                    handles, seconds.address(), error);
                        }
                    });
            Set<String> unknown = new LinkedHashSet<>(own.keySet());
            unknown.removeAll(opened.families().keySet());
            if (!unknown.isEmpty()) {
                opened.close();
                throw new IllegalArgumentException("There is no column family " + String.join(", ", unknown) + " in the"
                        + " database " + path + ", for which a time to live was given");
            }
            return opened;
        }

        /** Rounds up to whole seconds, so that nothing is dropped too early; 0 keeps everything. */
        static int seconds(Duration ttl) {
            if (ttl.isNegative() || ttl.compareTo(Duration.ofSeconds(Integer.MAX_VALUE)) > 0) {
                throw new IllegalArgumentException(
                        "A time to live must be from 0, forever, to " + Duration.ofSeconds(Integer.MAX_VALUE)
                                + ", but is "
                                + ttl);
            }
            return Math.toIntExact(ttl.plusNanos(999_999_999).toSeconds());
        }

        /**
         * Refuses a database that was last opened without a time to live: its values may have no time, and RocksDB reads before the start
         * of a short value.
         */
        private static void requireTimes(Path path) {
            OptionsFile.ofFamiliesIfAny(path).forEach((family, options) -> {
                if (!haveTimes(options)) {
                    throw DatabaseDirectory.fail(path, Status.Code.INVALID_ARGUMENT, "its column family "
                            + family + " was last opened without a time to live, so that its values may have no time."
                            + " Copy them into a database that is created with openWithTtl");
                }
            });
        }

        /**
         * Refuses a database that was last opened with a time to live, if it is opened without one now: each value would be four bytes
         * longer than it was written, and new values would have no time.
         */
        static void requireNoTimes(Path path) {
            OptionsFile.ofFamiliesIfAny(path).forEach((family, options) -> {
                if (haveTimes(options)) {
                    throw DatabaseDirectory.fail(path, Status.Code.INVALID_ARGUMENT, "its column family "
                            + family
                            + " was last opened with a time to live, so that each of its values ends with the four"
                            + " bytes of a time. Open it with RocksDB.openWithTtl, which leaves them out; to read it while it"
                            + " is open elsewhere, open a checkpoint of it so");
                }
            });
        }

        /**
         * Whether a family was opened with a time to live. In that case RocksDB wraps the user's filter, if there is one, in its own filter
         * and stores that name (db_ttl_impl.cc), even if another program has opened the database.
         */
        private static boolean haveTimes(Map<String, String> options) {
            return MARK.matcher(options.getOrDefault("compaction_filter", "")).find()
                    || MARK.matcher(options.getOrDefault("compaction_filter_factory", "")).find();
        }

        /** Refuses single deletes: RocksDB silently leaves them out when it copies the batch to append times (db_ttl_impl.cc). */
        static void requireNoSingleDelete(long batch) {
            try (Scratch scratch = ApiCall.scratch()) {
                long address = NativeWriteBatch.data(batch, scratch.wordAddress(0));
                BatchReader records = new BatchReader(NativeCalls.view(address, scratch.word(0)));
                while (ApiCall.next(records)) {
                    if (records.tag() == BatchFormat.SINGLE_DELETE) {
                        throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                                "A database with a time to live takes no single deletes in a batch; use delete");
                    }
                }
            }
        }

        private static String text(long array, int index) {
            long address = NativeCalls.view(array, (index + 1L) * Long.BYTES).getAtIndex(ValueLayout.JAVA_LONG, index);
            return NativeText.string(address);
        }
    }
}
