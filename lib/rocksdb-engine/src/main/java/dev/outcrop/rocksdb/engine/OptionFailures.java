package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.OptionString.Option;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the option in a string that RocksDB refuses, and the reason. RocksDB itself only names a part of the string and a function of C++.
 */
final class OptionFailures {
    /** The options in {@code block_based_table_factory={…}}, as RocksDB 11.8.1 stores them. */
    private static final List<String> TABLE_OPTIONS = List.of("block_align", "block_cache", "block_restart_interval",
            "block_size", "block_size_deviation", "cache_index_and_filter_blocks",
            "cache_index_and_filter_blocks_with_high_priority", "checksum", "data_block_hash_table_util_ratio",
            "data_block_index_type", "decouple_partitioned_filters", "detect_filter_construct_corruption",
            "enable_index_compression", "fail_if_no_udi_on_open", "filter_policy", "flush_block_policy_factory",
            "format_version", "index_block_restart_interval", "index_block_search_type", "index_shortening",
            "index_type", "initial_auto_readahead_size", "max_auto_readahead_size", "metadata_block_size",
            "metadata_cache_options", "no_block_cache", "num_file_reads_for_auto_readahead",
            "optimize_filters_for_memory", "partition_filters", "pin_l0_filter_and_index_blocks_in_cache",
            "pin_top_level_index_and_filter", "prepopulate_block_cache", "read_amp_bytes_per_bit",
            "separate_key_value_in_data_block", "super_block_alignment_size",
            "super_block_alignment_space_overhead_ratio", "uniform_cv_threshold", "use_delta_encoding",
            "use_udi_as_primary_index", "user_defined_index_factory", "verify_compression", "whole_key_filtering");
    /** Parts of RocksDB's message for a text that it cannot parse. */
    private static final List<String> NO_PAIRS = List.of("curly brace", "key value pair", "Empty key");
    private static final List<String> TABLES = List.of("block_based_table_factory", "table_factory");

    /** Applies an option string to a copy, and returns the failure. */
    private final Function<String, @Nullable NativeStatus> trial;

    private OptionFailures(Function<String, @Nullable NativeStatus> trial) {
        this.trial = trial;
    }

    /** A refused option, and the name of the option that it is a part of, or "". */
    private record Found(String within, Option option, NativeStatus status) {
    }

    /**
     * Returns the failure of an option string.
     *
     * @param known the names of options that are no part of others
     */
    static NativeStatus explain(String options, NativeStatus status, Collection<String> known,
            Function<String, @Nullable NativeStatus> trial) {
        if (NO_PAIRS.stream().anyMatch(status.message()::contains)) {
            return with(status,
                    "Options are pairs NAME=VALUE or NAME={…}, separated by semicolons, which "
                            + options + " is not: " + status.message());
        }
        Found found = new OptionFailures(trial).find("", OptionString.parse(options), part -> part);
        return with(status, found == null
                ? "The options " + options + " cannot be set: " + status
                : message(found, known));
    }

    private static NativeStatus with(NativeStatus status, String message) {
        return new NativeStatus(status.code(), status.subCode(), message);
    }

    /** Finds the first option that is refused even alone, as deep as possible. */
    private @Nullable Found find(String within, List<Option> options, UnaryOperator<String> whole) {
        for (Option option : options) {
            NativeStatus status = trial.apply(whole.apply(option.toString()));
            if (status != null) {
                Found inner = find(option.name(),
                        option.options().stream().filter(part -> !part.name().equals("id")).toList(),
                        part -> whole.apply(option.with(part)));
                return inner == null ? new Found(within, option, status) : inner;
            }
        }
        return null;
    }

    private static String message(Found found, Collection<String> known) {
        Option option = found.option();
        String name = option.name();
        String reason = found.status().message();
        String where = found.within().isEmpty() ? "" : " in " + found.within() + "={…}";
        if (reason.contains("not recognized") || reason.contains("Unrecognized")
                || reason.contains("not find option")) {
            String nearest = nearest(option.part(), names(found.within(), known));
            return "There is no option " + name + where + ", which was to be set to " + option.value()
                    + (nearest.isEmpty() ? "" : "; did you mean " + nearest + "?");
        }
        String value = option.value().isEmpty() ? "empty" : option.value();
        return name + where + " " + rule(reason) + ", but is " + value;
    }

    /** Returns the rule behind the C++ function that has failed. */
    private static String rule(String reason) {
        String end = reason.substring(reason.lastIndexOf(':') + 1);
        return switch (end) {
            case "stoi" -> "must be a whole number of at most " + Integer.MAX_VALUE;
            case "stol", "stoll" -> "must be a whole number of at most " + Long.MAX_VALUE;
            case "stoul", "stoull" -> "must be a whole number of at most " + Long.toUnsignedString(-1);
            case "stof", "stod" -> "must be a number";
            case "" -> "must be true or false";
            default -> "must be a value that RocksDB knows for it (" + reason + ")";
        };
    }

    private static Collection<String> names(String within, Collection<String> known) {
        if (within.isEmpty()) {
            TreeSet<String> all = new TreeSet<>(known);
            all.addAll(ObjectNames.options());
            all.addAll(TABLES);
            return all;
        }
        return TABLES.contains(within) ? TABLE_OPTIONS : List.of();
    }

    /** Returns the name that takes the fewest changes of letters; "" if every name takes many. */
    private static String nearest(String wrong, Collection<String> names) {
        return names.stream().min(Comparator.comparingInt(name -> distance(wrong, name)))
                .filter(name -> distance(wrong, name) <= Math.max(2, wrong.length() / 4)).orElse("");
    }

    /** Returns the Levenshtein distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            int diagonal = i - 1;
            for (int j = 0; j <= b.length(); j++) {
                int before = row[j];
                if (i == 0 || j == 0) {
                    row[j] = i + j;
                } else {
                    int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                    row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
                }
                diagonal = before;
            }
        }
        return row[b.length()];
    }
}
