package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Checks and conversions of option values; the generated setters call them. */
final class OptionValues {

    private OptionValues() {
    }

    static int notNegative(String option, int value) {
        return Math.toIntExact(notNegative(option, (long) value));
    }

    /** For options that are unsigned in C, where -1 would silently become a huge number. */
    static long notNegative(String option, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(option + " must not be negative, but is " + value);
        }
        return value;
    }

    static int inRange(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " must be from " + least + " to " + most + ", but is " + value);
        }
        return value;
    }

    static byte unsignedByte(String option, int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException(option + " must be from 0 to 255, but is " + value);
        }
        return (byte) value;
    }

    static int notNegativeExcept(long special, String option, int value) {
        return Math.toIntExact(notNegativeExcept(special, option, (long) value));
    }

    static long notNegativeExcept(long special, String option, long value) {
        if (value < 0 && value != special) {
            throw new IllegalArgumentException(
                    option + " must be " + special + " or not be negative, but is " + value);
        }
        return value;
    }

    /** A C string. C would cut it at the first NUL character, so one in the middle is refused. */
    static MemorySegment text(String option, String value, Scratch scratch) {
        int nul = value.indexOf('\0');
        if (nul >= 0) {
            throw new IllegalArgumentException(option + " must not contain a NUL character, but has one at " + nul);
        }
        return scratch.allocateFrom(value);
    }

    /** A copy of the text that C owns; empty if there is none. */
    static String string(long address, MemorySegment length) {
        if (address == 0) {
            return "";
        }
        MemorySegment text = NativeCalls.view(address, length.get(ValueLayout.JAVA_LONG, 0));
        return new String(text.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
