package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What keeps an open database sound and small: checksums, options, old timestamps, files that must not be deleted. */
final class Maintenance {
    private static final List<String> NONE = List.of("", "nullptr");

    private Maintenance() {
    }

    static void disableFileDeletions(Store store) {
        try (Scratch scratch = store.enterToWork()) {
            NativeFiles.disableDeletions(scratch, store.db);
            Native.check(scratch);
        }
    }

    static void enableFileDeletions(Store store) {
        try (Scratch scratch = store.enterToWork()) {
            NativeFiles.enableDeletions(scratch, store.db);
            Native.check(scratch);
        }
    }

    static void verifyChecksum(Store store) {
        verify(store, NativeFiles::verifyChecksum);
    }

    static void verifyChecksum(Store store, ReadOptions options) {
        try {
            long nativeOptions = options.use(store);
            verify(store, (scratch, db) -> CApi.rocksdb_verify_checksum_with_options(db, nativeOptions,
                    Native.error(scratch)));
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    static void verifyFileChecksums(Store store) {
        verify(store, (scratch, db) -> CApi.rocksdb_verify_file_checksums(db, Native.error(scratch)));
    }

    static void verifyFileChecksums(Store store, ReadOptions options) {
        try {
            long nativeOptions = options.use(store);
            verify(store, (scratch, db) -> CApi.rocksdb_verify_file_checksums_with_options(db, nativeOptions,
                    Native.error(scratch)));
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** The shape of the C functions that check files. */
    private interface Verify {
        void call(Scratch scratch, long db);
    }

    private static void verify(Store store, Verify verify) {
        try (Scratch scratch = store.enterToLook()) {
            verify.call(scratch, store.db);
            Native.check(scratch, "The " + store + " is not sound");
        }
    }

    static String dbIdentity(Store store) {
        try (Scratch scratch = store.enterToLook()) {
            long id = CApi.rocksdb_get_db_identity(store.db, scratch.wordAddress(1));
            if (id == 0) {
                throw RocksDBException.of(Status.Code.IO_ERROR, Status.SubCode.NONE,
                        "The file IDENTITY of the " + store + " cannot be read");
            }
            byte[] text = Native.takeBytes(id, scratch.word(1));
            return new String(text, StandardCharsets.UTF_8).strip();
        }
    }

    static void increaseFullHistoryTsLow(Family family, byte[] timestamp) {
        try (Scratch scratch = family.enterToWork()) {
            MemorySegment copy = Native.key(scratch, timestamp);
            family.store.requireWritable("changed");
            if (family.timestampSize != timestamp.length || timestamp.length == 0) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "The timestamp has " + timestamp.length + " bytes, but those of the " + family + " have "
                                + family.timestampSize);
            }
            CApi.rocksdb_increase_full_history_ts_low(family.store.db, family.handle, copy, timestamp.length,
                    Native.error(scratch));
            Native.check(scratch);
        }
    }

    static byte @Nullable [] fullHistoryTsLow(Family family) {
        try (Scratch scratch = family.enterToLook()) {
            long timestamp = CApi.rocksdb_get_full_history_ts_low(family.store.db, family.handle,
                    scratch.wordAddress(1), Native.error(scratch));
            Native.check(scratch);
            byte[] bytes = Native.takeBytes(timestamp, scratch.word(1));
            return bytes.length == 0 ? null : bytes;
        }
    }

    static void setOptions(Family family, Map<String, String> options) {
        Store store = family.store;
        set(store, family::enterToWork, family.options, options,
                trial -> SafeOptions.requireWrites(store.path, trial, options.keySet()),
                (scratch, count, names, values) -> NativeFamilies.setOptions(scratch, store.db, family.handle, count,
                        names, values));
    }

    static void setDbOptions(Store store, Map<String, String> options) {
        set(store, store::enterToWork, store.options, options, trial -> store.forcedFlushes.beforeChange(store, trial),
                (scratch, count, names, values) -> NativeFamilies.setDatabaseOptions(scratch, store.db, count, names,
                        values));
    }

    /** The shape of the C functions that set options. */
    private interface Set {
        void call(Scratch scratch, int count, long names, long values);
    }

    /** Starts a use of what the options are for. */
    private interface Enter {
        Scratch enter();
    }

    private static void set(Store store, Enter enter, Options now, Map<String, String> options,
            Consumer<Options> check, Set set) {
        options.forEach((name, value) -> Objects.requireNonNull(value, "the value of " + name));
        Map<String, String> copy = Map.copyOf(options);
        try (Scratch scratch = enter.enter()) {
            store.requireWritable("given other options");
            List<String> names = List.copyOf(copy.keySet());
            List<String> values = new ArrayList<>();
            for (String name : names) {
                values.add(copy.get(name));
            }
            check.accept(safe(store, now, names, values));
            set.call(scratch, names.size(), OptionValues.array(scratch, "An option's name", names).address(),
                    OptionValues.array(scratch, "An option's value", values).address());
            Native.check(scratch, "Cannot set " + String.join(", ", names) + " of the " + store);
        }
    }

    /** Checks them as those that a database is opened with, by setting them on a copy, which is returned. */
    private static Options safe(Store store, Options now, List<String> names, List<String> values) {
        Options trial = now.copy();
        for (int i = 0; i < names.size(); i++) {
            String value = values.get(i);
            if (names.get(i).strip().equals("prefix_extractor") && NONE.contains(value.strip())) {
                // A memtable with a list for each prefix would use what is not there.
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "The prefix extractor cannot be taken away while the " + store + " is open");
            }
            SafeOptions.requireChange(store.path, names.get(i), value);
            // What is not in braces ends at a semicolon in an option string, but not here.
            boolean isText = value.contains(";") && !value.strip().startsWith("{");
            trial.set(names.get(i) + "=" + (isText ? "{" + value + "}" : value));
        }
        SafeOptions.require(store.path, trial);
        return trial;
    }
}
