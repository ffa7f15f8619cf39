package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Databases whose entries compactions drop after some time. */
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
        OpenedHandles opened = DatabaseOpener.open(path, options, families, LimitedKind.WITH_TTL,
                (native_, name, count, names, familyOptions, handles, error) -> {
                    try (Scratch scratch = Native.scratch()) {
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

    static ColumnFamily createColumnFamily(Store store, String name, Options options, Duration ttl) {
        int seconds = seconds(ttl);
        long nativeOptions = options.copyNative();
        try (Scratch scratch = store.enterToWork()) {
            MemorySegment text = OptionValues.text("A column family's name", name, scratch);
            if (!store.kind().hasTimes()) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                        "The " + store + " was not opened with openWithTtl");
            }
            SafeOptions.require(store.path, options);
            if (store.family(name) != null) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "Cannot create the column family " + name + ": there is one already");
            }
            long handle = NativeFamilies.create(scratch, store.db, nativeOptions, text, seconds);
            Native.requireDone(scratch, "Cannot create the column family " + name);
            return CallbackFailures.rethrowAfter(() -> Creation.adopt(scratch, store, name, handle, options));
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    /** Whole seconds, so that nothing is dropped too early; 0 keeps everything. */
    private static int seconds(Duration ttl) {
        if (ttl.isNegative() || ttl.compareTo(Duration.ofSeconds(Integer.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(
                    "A time to live must be from 0, for ever, to " + Duration.ofSeconds(Integer.MAX_VALUE) + ", but is "
                            + ttl);
        }
        return Math.toIntExact(ttl.plusNanos(999_999_999).toSeconds());
    }

    /**
     * Refuses a database that was last opened without a time to live: its values may have no time, and RocksDB reads before the start of
     * a short one.
     */
    private static void requireTimes(Path path) {
        OptionsFile.ofFamiliesIfAny(path).forEach((family, options) -> {
            if (!haveTimes(options)) {
                throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "its column family "
                        + family + " was last opened without a time to live, so that its values may have no time."
                        + " Copy them into a database that is created with openWithTtl");
            }
        });
    }

    /**
     * Refuses a database that was last opened with a time to live, if it is to be opened without: each value would have four bytes more
     * than was written, and what is written then would have no time.
     */
    static void requireNoTimes(Path path) {
        OptionsFile.ofFamiliesIfAny(path).forEach((family, options) -> {
            if (haveTimes(options)) {
                throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "its column family "
                        + family + " was last opened with a time to live, so that each of its values ends with the four"
                        + " bytes of a time. Open it with RocksDB.openWithTtl, which leaves them out; to read it while it"
                        + " is open elsewhere, open a checkpoint of it so");
            }
        });
    }

    /**
     * Whether a family was opened with a time to live. RocksDB puts a filter of its own in front of the user's or of none then, and stores
     * its name (db_ttl_impl.cc), also when the database was opened by another program.
     */
    private static boolean haveTimes(Map<String, String> options) {
        return MARK.matcher(options.getOrDefault("compaction_filter", "")).find()
                || MARK.matcher(options.getOrDefault("compaction_filter_factory", "")).find();
    }

    /** RocksDB leaves them out when it copies the batch to append times, without a word (db_ttl_impl.cc). */
    static void requireNoSingleDelete(long batch) {
        try (Scratch scratch = Native.scratch()) {
            long address = NativeWriteBatch.data(batch, scratch.wordAddress(0));
            BatchReader records = new BatchReader(NativeCalls.view(address, scratch.word(0)));
            while (Native.next(records)) {
                if (records.tag() == BatchFormat.SINGLE_DELETE) {
                    throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
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
