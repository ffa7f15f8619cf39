package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionString.Option;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbers that only option strings can set, and that do harm where they are out of range. RocksDB checks or corrects most
 * numbers itself (block_based_table_factory.cc), and these are left to it; what stands here was found by running it.
 */
final class OptionNumbers {
    /** A whole number as RocksDB reads it (ParseUint64 in string_util.cc), which would overlook anything after it. */
    private static final Pattern WHOLE = Pattern.compile("([+-]?\\d{1,20})([kKmMgGtT]?)");
    private static final Pattern DECIMAL = Pattern
            .compile("[+-]?(\\d{1,400}\\.?\\d{0,400}|\\.\\d{1,400})([eE][+-]?\\d{1,3})?");
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final Range CACHE_BYTES = new Range(0, Long.MAX_VALUE);

    /** Least and most. */
    private record Range(long least, long most) {
    }

    /** Whole numbers, each with what RocksDB 11.8.1 does beyond them. */
    private static final Map<String, Range> WHOLE_NUMBERS = Map.ofEntries(
            // Takes memory for as many before it looks at the number.
            Map.entry("num_levels", new Range(0, 1000)),
            // Takes as much memory for each table that it writes; never ends if blocks of 0 bytes are aligned.
            Map.entry("block_size", new Range(1, 256 * MIB)),
            // Adds them to positions in a file; where that overflows, it takes sound blocks for damaged ones.
            Map.entry("initial_auto_readahead_size", new Range(0, GIB)),
            Map.entry("max_auto_readahead_size", new Range(0, GIB)),
            // Cut to 32 bits without a word.
            Map.entry("read_amp_bytes_per_bit", new Range(0, 0xffff_ffffL)),
            // Makes no cache, and then uses a default one without a word.
            Map.entry("num_shard_bits", new Range(-1, 19)),
            Map.entry("capacity", CACHE_BYTES),
            // Divides by 0; writes nothing if there is less than a byte for each tenth of a second, and next to nothing if little more.
            Map.entry("rate_limiter_bytes_per_sec", new Range(1000, Long.MAX_VALUE)));

    /** Decimal numbers, which RocksDB takes as infinite or as no number at all, and then cannot store. */
    private static final List<String> DECIMALS = List.of("data_block_hash_table_util_ratio", "uniform_cv_threshold");
    private static final List<String> CACHES = List.of("block_cache", "blob_cache");
    private static final String HIGH = "high_pri_pool_ratio";
    private static final String LOW = "low_pri_pool_ratio";

    private OptionNumbers() {
    }

    /** Checks one option; those in its braces are checked on their own. */
    static void check(Option option) {
        String part = option.part();
        Range range = WHOLE_NUMBERS.get(part);
        if (range != null) {
            requireInRange(option, range);
        } else if (DECIMALS.contains(part) && !DECIMAL.matcher(option.plain()).matches()) {
            throw fail(option, "must be a finite number");
        } else if (CACHES.contains(part)) {
            requireCache(option);
        }
    }

    private static void requireInRange(Option option, Range range) {
        Matcher number = WHOLE.matcher(option.plain());
        if (!number.matches()) {
            throw fail(option, "must be a whole number, such as 16384 or 16K");
        }
        BigInteger value = new BigInteger(number.group(1)).shiftLeft(switch (number.group(2)) {
            case "k", "K" -> 10;
            case "m", "M" -> 20;
            case "g", "G" -> 30;
            case "t", "T" -> 40;
            default -> 0;
        });
        if (value.compareTo(BigInteger.valueOf(range.least())) < 0
                || value.compareTo(BigInteger.valueOf(range.most())) > 0) {
            throw fail(option, "must be from " + range.least() + " to " + range.most());
        }
    }

    /** RocksDB takes all that begins with "null" or holds "://" for no cache, and makes none if the ratios do not fit. */
    private static void requireCache(Option option) {
        if (option.value().equals("nullptr")) {
            return;
        }
        if (!option.value().contains("=")) {
            if (!WHOLE.matcher(option.value()).matches()) {
                throw fail(option, "must be a number of bytes, such as 64M, or {capacity=64M;num_shard_bits=4;…}");
            }
            requireInRange(option, CACHE_BYTES);
            return;
        }
        List<Option> parts = option.options();
        BigDecimal high = ratio(parts, HIGH, "0.5");
        BigDecimal low = ratio(parts, LOW, "0");
        if (high.add(low).compareTo(BigDecimal.ONE) > 0) {
            throw fail(option, "must have a " + HIGH + " (0.5 if not set) and a " + LOW
                    + " (0 if not set) that are not more than 1 together");
        }
    }

    private static BigDecimal ratio(List<Option> parts, String name, String preset) {
        BigDecimal ratio = new BigDecimal(preset);
        for (Option part : parts) {
            if (part.name().equals(name)) {
                if (!DECIMAL.matcher(part.plain()).matches()) {
                    throw fail(part, "must be from 0 to 1");
                }
                ratio = new BigDecimal(part.plain());
                if (ratio.signum() < 0 || ratio.compareTo(BigDecimal.ONE) > 0) {
                    throw fail(part, "must be from 0 to 1");
                }
            }
        }
        return ratio;
    }

    private static RocksDBException fail(Option option, String rule) {
        return RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                option.name() + " " + rule + ", but is " + option.value());
    }
}
