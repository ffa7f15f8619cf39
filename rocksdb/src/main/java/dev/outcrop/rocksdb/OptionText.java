package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionString;
import dev.outcrop.rocksdb.engine.OptionString.Option;
import dev.outcrop.rocksdb.engine.OptionValues;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sets options by a text in RocksDB's form. */
final class OptionText {
    /** The options of which RocksDB tells so whether there is an object. */
    private static final List<String> TELLING = List.of("merge_operator", "prefix_extractor", "compaction_filter",
            "sst_partitioner_factory", "file_checksum_gen_factory", "statistics");

    private OptionText() {
    }

    /**
     * Makes other native options with those of a text.
     *
     * @param options     a {@code rocksdb_options_t *}, which stays as it is
     * @param notNegative RocksDB's names of unsigned options, for which it takes a negative number for a huge one
     * @param objects     the names of objects that it sets, by option; "" for none
     * @param known       the names of options that are no part of others; asked for only to explain a failure
     * @return a {@code rocksdb_options_t *}, which the caller owns
     * @throws RocksDBException if RocksDB does not take the text
     */
    static long apply(long options, String text, Collection<String> notNegative,
            Map<String, String> objects, Supplier<? extends Collection<String>> known) {
        long changed = NativeDbOptions.create();
        try {
            Status failure = apply(options, text, changed);
            if (failure != null) {
                throw OptionFailures.explain(text, failure, known.get(), part -> tryAlone(options, part));
            }
            requireNotNegative(text, notNegative);
            objects.forEach((option, name) -> requireMade(changed, text, option, name));
            return changed;
        } catch (Throwable e) {
            NativeDbOptions.destroy(changed);
            throw e;
        }
    }

    /** Why RocksDB does not take it; null if it does. */
    private static @Nullable Status apply(long options, String text, long changed) {
        try (Scratch scratch = Native.scratch()) {
            long error = Native.error(scratch);
            MemorySegment copy = OptionValues.text("The option string", text, scratch);
            NativeDbOptions.parse(options, copy, changed, error);
            return Native.status(scratch);
        }
    }

    private static @Nullable Status tryAlone(long options, String part) {
        long changed = NativeDbOptions.create();
        try {
            return apply(options, part, changed);
        } finally {
            NativeDbOptions.destroy(changed);
        }
    }

    /**
     * RocksDB makes no object of settings that it cannot split, and says nothing. It does say that an object has no such setting as this
     * one, if there is an object.
     */
    private static void requireMade(long options, String text, String option, String name) {
        if (TELLING.contains(option) && !name.isEmpty() && tryAlone(options, option + "={no_such_setting=1}") == null) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "RocksDB makes no " + name
                    + " of the settings of " + option + " in " + text
                    + ". Put a setting in braces if a semicolon is part of it");
        }
    }

    private static void requireNotNegative(String text, Collection<String> notNegative) {
        for (Option option : OptionString.parse(text)) {
            if (notNegative.contains(option.name()) && option.plain().startsWith("-")) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        option.name() + " must not be negative, but is " + option.plain());
            }
        }
    }
}
