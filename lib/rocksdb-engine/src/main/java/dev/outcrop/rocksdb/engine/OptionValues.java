package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Checks and conversions of option values; the generated setters call them. */
public final class OptionValues {
    /** RocksDB adds times to the time of day, so longer ones would overflow. */
    private static final Duration MOST_TIME = Duration.ofDays(100 * 366);

    private OptionValues() {
    }

    public static int notNegative(String option, int value) {
        return Math.toIntExact(notNegative(option, (long) value));
    }

    /** Checks an option that is unsigned in C, where -1 would silently become a huge number. */
    public static long notNegative(String option, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(option + " must not be negative, but is " + value);
        }
        return value;
    }

    public static int inRange(String option, int value, int least, int most) {
        return Math.toIntExact(inRange(option, (long) value, least, most));
    }

    public static long inRange(String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", but is " + value);
        }
        return value;
    }

    public static double inRange(String option, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", but is " + value);
        }
        return value;
    }

    public static double finite(String option, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(option + " must be a finite number, but is " + value);
        }
        return value;
    }

    /** Returns the limit of a wait in microseconds, at most a century. */
    public static long microseconds(String option, Duration value) {
        return count(option, value.compareTo(MOST_TIME) > 0 ? MOST_TIME : value, TimeUnit.MICROSECONDS);
    }

    /** Returns a length of time in a unit; refuses fractions, which could become a 0 with another meaning. */
    public static long count(String option, Duration value, TimeUnit unit) {
        return count(option, value, unit, 0, unit.convert(MOST_TIME));
    }

    public static int intCount(String option, Duration value, TimeUnit unit) {
        return Math.toIntExact(count(option, value, unit, 0, Math.min(Integer.MAX_VALUE, unit.convert(MOST_TIME))));
    }

    /** Does the same as {@link #count(String, Duration, TimeUnit)}, for options in which negative values have a meaning. */
    public static long signedCount(String option, Duration value, TimeUnit unit) {
        long most = unit.convert(MOST_TIME);
        return count(option, value, unit, -most, most);
    }

    private static long count(String option, Duration value, TimeUnit unit, long least, long most) {
        long count = unit.convert(value);
        if (count < least || count > most || !Duration.of(count, unit.toChronoUnit()).equals(value)) {
            throw new IllegalArgumentException(option + " must be a whole number of "
                    + unit.name().toLowerCase(Locale.ROOT) + " from " + least + " to " + most + ", but is " + value);
        }
        return count;
    }

    /** Returns the combined bits of the constants, which are the argument {@code value} of a generated setter. */
    public static <E> int bits(Set<E> constants, ToIntFunction<E> number) {
        return constants.stream().mapToInt(each -> number.applyAsInt(Objects.requireNonNull(each, "one of value")))
                .reduce(0, (all, bit) -> all | bit);
    }

    /** Returns the constants with their bits set. */
    public static <E extends Enum<E>> Set<E> constants(Class<E> type, int bits, ToIntFunction<E> number) {
        Set<E> constants = EnumSet.allOf(type);
        constants.removeIf(constant -> (bits & number.applyAsInt(constant)) == 0);
        return constants;
    }

    public static byte unsignedByte(String option, int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException(option + " must be from 0 to 255, but is " + value);
        }
        return (byte) value;
    }

    public static int notNegativeExcept(long special, String option, int value) {
        return Math.toIntExact(notNegativeExcept(special, option, (long) value));
    }

    public static long notNegativeExcept(long special, String option, long value) {
        if (value < 0 && value != special) {
            throw new IllegalArgumentException(
                    option + " must be " + special + " or not be negative, but is " + value);
        }
        return value;
    }

    /** Returns a C string; refuses a NUL character, at which C would cut it. */
    public static MemorySegment text(String option, String value, Scratch scratch) {
        requireNoNul(option, value);
        return NativeText.in(scratch, value);
    }

    public static void requireNoNul(String option, String value) {
        int nul = value.indexOf('\0');
        if (nul >= 0) {
            throw new IllegalArgumentException(option + " must not contain a NUL character, but has one at " + nul);
        }
    }

    /** Returns an {@code int[]} of C. */
    public static MemorySegment ints(IntStream numbers, Scratch scratch) {
        int[] array = numbers.toArray();
        return scratch.allocate(ValueLayout.JAVA_INT, Math.max(1, array.length))
                .copyFrom(MemorySegment.ofArray(array));
    }

    /** Copies bytes that C owns; returns null if there are none. */
    public static byte @Nullable [] bytes(long address, long length) {
        return address == 0 ? null : NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns a text as a value in RocksDB's textual form. The value is in braces if RocksDB could take it for more than one value. */
    public static String braced(String option, String value) {
        if (!OptionString.isNested(value)) {
            throw new IllegalStateException("RocksDB's textual form has no way to write " + option + ", whose value is "
                    + value);
        }
        return value.matches("[^;={}]*\\S") || value.isEmpty() ? value : "{" + value + "}";
    }

    /** Copies a text that C owns; returns an empty string if there is none. */
    public static String string(long address, MemorySegment length) {
        if (address == 0) {
            return "";
        }
        MemorySegment text = NativeCalls.view(address, length.get(ValueLayout.JAVA_LONG, 0));
        return NativeText.string(text.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns a {@code char *[]}; refuses NUL characters, at which C would cut. */
    public static MemorySegment array(Scratch scratch, String what, List<String> strings) {
        MemorySegment array = scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, strings.size()));
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i,
                    text(what, strings.get(i), scratch).address());
        }
        return array;
    }
}
