package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.OptionString.Option;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies option strings to native options. */
public final class OptionText {
    /** Options for which RocksDB reports an unknown setting only if there is an object. */
    private static final List<String> TELLING = List.of("merge_operator", "prefix_extractor", "compaction_filter",
            "sst_partitioner_factory", "file_checksum_gen_factory", "statistics");

    private OptionText() {
    }

    /**
     * Applies an option string.
     *
     * @param options     a {@code rocksdb_options_t *}, which stays as it is
     * @param notNegative RocksDB's names of unsigned options: it takes a negative number there for a huge one
     * @param objects     the names of objects that the string sets, by option; "" for none
     * @param known       the names of options that are no part of others; read only to explain a failure
     * @param changed a {@code rocksdb_options_t *} that receives the result
     * @return why RocksDB does not take the string; null if it does
     */
    public static @Nullable NativeStatus apply(long options, String text, Collection<String> notNegative,
            Map<String, String> objects, Supplier<? extends Collection<String>> known, long changed) {
        NativeStatus failure = apply(options, text, changed);
        if (failure != null) {
            return OptionFailures.explain(text, failure, known.get(), part -> tryAlone(options, part));
        }
        for (Option option : OptionString.parse(text)) {
            if (notNegative.contains(option.name()) && option.plain().startsWith("-")) {
                return NativeStatus
                        .invalid(option.name() + " must not be negative, but is " + option.plain());
            }
        }
        String unread = OptionNumbers.unread(OptionString.parse(text), part -> tryAlone(options, part) == null);
        if (unread != null) {
            return NativeStatus.invalid(unread);
        }
        return objects.entrySet().stream().filter(object -> !isMade(changed, object.getKey(), object.getValue()))
                .findFirst()
                .map(object -> NativeStatus.invalid("RocksDB makes no " + object.getValue() + " of the settings of "
                        + object.getKey() + " in " + text
                        + ". Put a setting in braces if a semicolon is part of it"))
                .orElse(null);
    }

    private static @Nullable NativeStatus apply(long options, String text, long changed) {
        try (Scratch scratch = NativeCall.scratch()) {
            long error = NativeCall.error(scratch);
            NativeDbOptions.parse(options, OptionValues.text("The option string", text, scratch), changed, error);
            return NativeCall.nativeStatus(scratch);
        }
    }

    private static @Nullable NativeStatus tryAlone(long options, String part) {
        long changed = NativeDbOptions.create();
        try {
            return apply(options, part, changed);
        } finally {
            NativeDbOptions.destroy(changed);
        }
    }

    /**
     * If RocksDB cannot split the settings of an object, it makes no object, and reports nothing. But if there is an object, RocksDB
     * reports that it does not know the setting of this trial.
     */
    private static boolean isMade(long options, String option, String name) {
        return !TELLING.contains(option) || name.isEmpty()
                || tryAlone(options, option + "={no_such_setting=1}") != null;
    }
}
