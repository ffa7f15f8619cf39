package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.TableChecks;
import dev.outcrop.rocksdb.engine.TableFile;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Refuses options that RocksDB would crash or hang with, when a database is opened and when its options are changed. */
final class OptionChecks {
    private static final List<String> NONE = List.of("", "nullptr");

    private OptionChecks() {
    }

    /** Checks options to open a database with. */
    static void requireToOpen(Path path, Options options) {
        require("Cannot open the database " + path, options);
    }

    /**
     * Checks options.
     *
     * @param attempt what cannot be done with them, for messages
     */
    static void require(String attempt, Options options) {
        synchronized (options) {
            refuse(attempt, OptionLimits.fatal(options.reading()));
            refuse(attempt, OptionLimits.refused(options.reading()));
            refuse(attempt, options.prefixes().refusal());
        }
    }

    /** Checks options of a new column family of an open database. */
    static void requireToCreate(String attempt, Options options) {
        requireToWrite(attempt, options);
        requireMerges(attempt, options.opened(false));
    }

    /** Checks options of a column family to open and to write to. */
    static void requireMergesOf(Path path, Options options) {
        requireMerges("Cannot open the database " + path, options.opened(false));
    }

    /** Checks options that a column family has while it is open. */
    private static void requireMerges(String attempt, Options opened) {
        synchronized (opened) {
            refuse(attempt, OptionLimits.unmergeable(opened.reading(), opened.mergeWidths()));
        }
    }

    /** Checks options to write table files with before the database is opened again. */
    static void requireToWrite(String attempt, Options options) {
        require(attempt, options);
        requireTables(attempt, options);
    }

    /** Checks that RocksDB can write table files with options. */
    static void requireTables(String attempt, Options options) {
        synchronized (options) {
            refuse(attempt, TableChecks.refusal(options.reading()));
        }
    }

    private static void refuse(String attempt, @Nullable String broken) {
        if (broken != null) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, attempt + ": " + broken);
        }
    }

    /** Changes options of an open column family. */
    static void change(Family family, Map<String, String> options) {
        OpenDatabase database = family.database;
        change(database, family::enterForAdmin, () -> family.options, options, (attempt, changed) -> {
            requireTables(attempt, changed);
            requireMerges(attempt, changed);
        },
                (scratch, count, names, values) -> NativeFamilies.setOptions(scratch, database.db, family.handle, count,
                        names, values),
                changed -> family.options = changed);
    }

    /** Changes options of an open database. */
    static void change(OpenDatabase database, Map<String, String> options) {
        change(database, database::enterForAdmin, () -> database.options, options,
                (_, changed) -> database.work.beforeChange(changed),
                (scratch, count, names, values) -> NativeFamilies.setDatabaseOptions(scratch, database.db, count, names,
                        values),
                changed -> database.options = changed);
    }

    /** The shape of the C functions that set options. */
    private interface Setter {
        void call(Scratch scratch, int count, long names, long values);
    }

    /** Checks and makes a change. Other changes wait for it, because some options depend on the present values of others. */
    private static void change(OpenDatabase database, Supplier<Scratch> enter, Supplier<Options> now,
            Map<String, String> options, BiConsumer<String, Options> check, Setter setter, Consumer<Options> keep) {
        ApiCall.requireEntries("options", options);
        Map<String, String> copy = Map.copyOf(options);
        try (Scratch scratch = enter.get()) {
            database.requireWritable("given other options");
            List<String> names = List.copyOf(copy.keySet());
            List<String> values = names.stream().map(copy::get).toList();
            String attempt = "Cannot set " + String.join(", ", names) + " of the " + database;
            synchronized (database.changing) {
                Options changed = changed(attempt, database, now.get(), copy);
                check.accept(attempt, changed);
                setter.call(scratch, names.size(), OptionValues.array(scratch, "An option's name", names).address(),
                        OptionValues.array(scratch, "An option's value", values).address());
                ApiCall.requireDone(scratch, attempt);
                keep.accept(changed);
            }
            CallbackFailures.rethrow();
        }
    }

    /** Returns a copy of the options with the changes. The copy is checked as if a database were opened with it. */
    private static Options changed(String attempt, OpenDatabase database, Options now, Map<String, String> changes) {
        Options changed = now.copy();
        changes.forEach((name, value) -> {
            if (name.strip().equals("prefix_extractor") && NONE.contains(value.strip())) {
                // A memtable with a list for each prefix would still use it.
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        "The prefix extractor cannot be taken away while the " + database + " is open");
            }
            refuse(attempt, OptionLimits.fatalChange(name, value));
            // A value without braces ends at a semicolon in an option string, but not here.
            boolean isText = value.contains(";") && !value.strip().startsWith("{");
            changed.set(name + "=" + (isText ? "{" + value + "}" : value));
        });
        require(attempt, changed);
        synchronized (changed) {
            refuse(attempt, OptionLimits.stalling(changed.reading(), changes.keySet()));
        }
        return changed;
    }

    /**
     * Refuses files that end the process when RocksDB reads them: merges without a merge operator, and keys that are shorter than the
     * timestamp at their end.
     */
    static void requireReadable(List<Path> files, String family, Options options) {
        for (Path file : files) {
            if (options.timestampSize() != 0 && !TableFile.mayHaveComparator(file, options.comparatorName())) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The file " + file
                        + " is not a table with the comparator " + options.comparatorName() + ", which the " + family
                        + " has; write it with new Options().comparator(…) of the same name");
            }
            if (!options.hasMergeOperator() && TableFile.hasMerges(file)) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The file " + file
                        + " holds merges, and the " + family + " has no merge operator;"
                        + " give it the one that the merges are for: new Options().mergeOperator(…)");
            }
        }
    }
}
