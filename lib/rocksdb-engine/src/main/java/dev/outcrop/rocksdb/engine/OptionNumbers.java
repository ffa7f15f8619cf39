package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.OptionString.Option;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that only option strings can set, and that do harm out of their range. RocksDB checks or corrects most numbers itself
 * (block_based_table_factory.cc), but not these.
 */
final class OptionNumbers {
    /**
     * A whole number as RocksDB reads it (ParseUint64 in string_util.cc), which would overlook anything after it. The letters of a unit
     * such as MB or MiB may follow; to RocksDB it is M.
     */
    private static final Pattern WHOLE = Pattern.compile("([+-]?\\d{1,20})(?:([kKmMgGtT])(?:[iI]?[bB])?)?");
    private static final Pattern DECIMAL = Pattern
            .compile("[+-]?(\\d{1,400}\\.?\\d{0,400}|\\.\\d{1,400})([eE][+-]?\\d{1,3})?");
    private static final Pattern DIGITS = Pattern.compile("[+-]?\\d+");
    private static final Pattern BEGINS_AS_NUMBER = Pattern.compile("\\s*[+-]?[.\\d]");
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final Range CACHE_BYTES = new Range(0, Long.MAX_VALUE);

    /** The least and the greatest value. */
    private record Range(long least, long most) {
    }

    /** Whole numbers, each with the behaviour of RocksDB 11.8.1 beyond its range. */
    private static final Map<String, Range> WHOLE_NUMBERS = Map.ofEntries(
            // Allocates memory for that many levels before it checks the number.
            Map.entry("num_levels", new Range(0, 1000)),
            // Allocates that much memory for each table that it writes; never ends if blocks of 0 bytes are aligned.
            Map.entry("block_size", new Range(1, 256 * MIB)),
            // Adds the number to positions in a file; if the sum overflows, it takes sound blocks for damaged ones.
            Map.entry("initial_auto_readahead_size", new Range(0, GIB)),
            Map.entry("max_auto_readahead_size", new Range(0, GIB)),
            // Silently cut to 32 bits.
            Map.entry("read_amp_bytes_per_bit", new Range(0, 0xffff_ffffL)),
            // Makes no cache, and silently uses a default one.
            Map.entry("num_shard_bits", new Range(-1, 19)),
            Map.entry("capacity", CACHE_BYTES),
            // Divides by 0; writes nothing with less than a byte for each tenth of a second, and next to nothing with little more.
            Map.entry("rate_limiter_bytes_per_sec", new Range(1000, Long.MAX_VALUE)));

    /** Decimal numbers. RocksDB accepts infinity and "not a number" for them, and then cannot store them. */
    private static final List<String> DECIMALS = List.of("data_block_hash_table_util_ratio", "uniform_cv_threshold");
    private static final List<String> CACHES = List.of("block_cache", "blob_cache");
    private static final String HIGH = "high_pri_pool_ratio";
    private static final String LOW = "low_pri_pool_ratio";

    private OptionNumbers() {
    }

    /** Returns the fault of an option, or null if there is none; the options in its braces are checked on their own. */
    static @Nullable String problem(Option option) {
        String part = option.part();
        Range range = WHOLE_NUMBERS.get(part);
        if (range != null) {
            return rangeProblem(option, range);
        }
        if (DECIMALS.contains(part) && !DECIMAL.matcher(option.plain()).matches()) {
            return text(option, "must be a finite number");
        }
        return CACHES.contains(part) ? cacheProblem(option) : null;
    }

    /**
     * Finds the first number that RocksDB reads only in part (string_util.cc): it takes "5.5" for 5, "1e6" for 1, and "16777216T", which
     * overflows, for 0. Returns what is wrong with it, or null if RocksDB reads all numbers whole.
     *
     * @param accepts whether RocksDB accepts a text with a single option
     */
    static @Nullable String unread(List<Option> options, Predicate<String> accepts) {
        for (Option option : options) {
            String problem = BEGINS_AS_NUMBER.matcher(option.plain()).lookingAt()
                    ? unread(option, value -> accepts.test(option.name() + "=" + value))
                    : unread(option.listedOptions(), part -> accepts.test(option.with(part)));
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** RocksDB does not tell the types of its options, but values that only some types accept do. */
    private static @Nullable String unread(Option option, Predicate<String> accepts) {
        String value = option.plain();
        boolean isText = DIGITS.matcher(value).matches() || accepts.test("~");
        if (isText) {
            return null;
        }
        if (accepts.test(".5")) {
            return DECIMAL.matcher(value).matches() ? null : text(option, "must be a number, such as 0.5");
        }
        if (accepts.test("1:~")) {
            Matcher number = WHOLE.matcher(value);
            if (!number.matches()) {
                return text(option, "must be a whole number, such as 16384 or 16K");
            }
            return accepts.test(whole(number).toString()) ? null : text(option, "is out of its range");
        }
        // Several numbers, or a text for which RocksDB has a rule.
        boolean areRead = Stream.of(value.split(":", -1)).allMatch(
                field -> !BEGINS_AS_NUMBER.matcher(field).lookingAt() || WHOLE.matcher(field.strip()).matches());
        return areRead ? null : text(option, "must be whole numbers with colons between them, such as 4:2:1");
    }

    private static @Nullable String rangeProblem(Option option, Range range) {
        Matcher number = WHOLE.matcher(option.plain());
        if (!number.matches()) {
            return text(option, "must be a whole number, such as 16384 or 16K");
        }
        BigInteger value = whole(number);
        boolean isIn = value.compareTo(BigInteger.valueOf(range.least())) >= 0
                && value.compareTo(BigInteger.valueOf(range.most())) <= 0;
        return isIn ? null : text(option, "must be from " + range.least() + " to " + range.most());
    }

    /** Returns a whole number that RocksDB has read; what is behind it does not count. */
    static long whole(Option option) {
        Matcher number = WHOLE.matcher(option.plain());
        return number.lookingAt() ? whole(number).longValue() : 0;
    }

    private static BigInteger whole(Matcher number) {
        return new BigInteger(number.group(1)).shiftLeft(switch (number.group(2)) {
            case null -> 0;
            case "k", "K" -> 10;
            case "m", "M" -> 20;
            case "g", "G" -> 30;
            case "t", "T" -> 40;
            default -> 0;
        });
    }

    /** RocksDB makes no cache from values that begin with "null" or contain "://", or if the ratios do not fit together. */
    private static @Nullable String cacheProblem(Option option) {
        if (option.value().equals("nullptr")) {
            return null;
        }
        if (!option.value().contains("=")) {
            return WHOLE.matcher(option.value()).matches()
                    ? rangeProblem(option, CACHE_BYTES)
                    : text(option, "must be a number of bytes, such as 64M, or {capacity=64M;num_shard_bits=4;…}");
        }
        BigDecimal sum = BigDecimal.ZERO;
        for (String name : List.of(HIGH, LOW)) {
            BigDecimal ratio = new BigDecimal(name.equals(HIGH) ? "0.5" : "0");
            for (Option part : option.options()) {
                if (part.name().equals(name)) {
                    if (!DECIMAL.matcher(part.plain()).matches()) {
                        return text(part, "must be from 0 to 1");
                    }
                    ratio = new BigDecimal(part.plain());
                    if (ratio.signum() < 0 || ratio.compareTo(BigDecimal.ONE) > 0) {
                        return text(part, "must be from 0 to 1");
                    }
                }
            }
            sum = sum.add(ratio);
        }
        return sum.compareTo(BigDecimal.ONE) <= 0
                ? null
                : text(option, "must have a " + HIGH + " (0.5 if not set) and a " + LOW
                        + " (0 if not set) that are not more than 1 together");
    }

    private static String text(Option option, String rule) {
        return option.name() + " " + rule + ", but is " + option.value();
    }
}
