package dev.outcrop.cli.demo;

import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Compares what a database gives back with what was stored, byte by byte. */
final class Comparison {
    /** Thrown for a record that differs from the stored one. The message names the record and the first byte that differs. */
    static final class Difference extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        Difference(String message) {
            super(message);
        }
    }

    private Comparison() {
    }

    /**
     * Compares the value that a read gave with the stored one.
     *
     * @param value what was read, or null if the key was not found
     * @throws Difference if the two differ in length or in any byte
     */
    static void value(JdkClasses classes, int index, @Nullable MemorySegment value) {
        if (value == null) {
            throw missing(classes, index);
        }
        MemorySegment stored = classes.value(index);
        long at = stored.mismatch(value);
        if (at < 0) {
            return;
        }
        if (stored.byteSize() != value.byteSize()) {
            throw new Difference(
                    String.format("%s has %d bytes, but %d were stored; the first difference is at byte %d",
                            classes.name(index), value.byteSize(), stored.byteSize(), at));
        }
        throw new Difference(String.format("byte %d of %s is 0x%02x, but 0x%02x was stored", at, classes.name(index),
                value.get(ValueLayout.JAVA_BYTE, at), stored.get(ValueLayout.JAVA_BYTE, at)));
    }

    /**
     * Compares the key that a scan gave with the one that belongs at this place.
     *
     * @throws Difference if there is no such record, or the keys differ in length or in any byte
     */
    static void key(JdkClasses classes, int index, MemorySegment key) {
        if (index >= classes.size()) {
            throw new Difference(JdkClasses.text(key) + " is there and was not stored");
        }
        MemorySegment stored = classes.key(index);
        long at = stored.mismatch(key);
        if (at < 0) {
            return;
        }
        // Keys are in the order of their bytes, so the smaller one tells whether a record is missing or there is one too many.
        boolean isMissing = at == stored.byteSize() || (at < key.byteSize()
                && Byte.compareUnsigned(stored.get(ValueLayout.JAVA_BYTE, at), key.get(ValueLayout.JAVA_BYTE, at)) < 0);
        throw isMissing
                ? missing(classes, index)
                : new Difference(JdkClasses.text(key) + " is there and was not stored");
    }

    /**
     * That a scan found all.
     *
     * @throws Difference if it ended before the last record
     */
    static void end(JdkClasses classes, int count) {
        if (count < classes.size()) {
            throw missing(classes, count);
        }
    }

    private static Difference missing(JdkClasses classes, int index) {
        return new Difference(classes.name(index) + " was stored and is not found");
    }
}
