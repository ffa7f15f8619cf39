package dev.outcrop.cli.demo;

import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Compares what a database gives back with what was stored, byte by byte. */
final class Comparison {
    /** What was read is not what was stored. The message names the record and the first byte that differs. */
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
    static void value(Input input, int index, @Nullable MemorySegment value) {
        if (value == null) {
            throw new Difference(input.name(index) + " was stored and is not found");
        }
        MemorySegment stored = input.values().get(index);
        long at = stored.mismatch(value);
        if (at < 0) {
            return;
        }
        if (stored.byteSize() != value.byteSize()) {
            throw new Difference(
                    String.format("%s has %d bytes, but %d were stored; the first difference is at byte %d",
                            input.name(index), value.byteSize(), stored.byteSize(), at));
        }
        throw new Difference(String.format("byte %d of %s is 0x%02x, but 0x%02x was stored", at, input.name(index),
                value.get(ValueLayout.JAVA_BYTE, at), stored.get(ValueLayout.JAVA_BYTE, at)));
    }

    /**
     * Compares the entry that a scan gave with the one that belongs at this place.
     *
     * @throws Difference if there is no such entry, or key or value differ in length or in any byte
     */
    static void entry(Input input, int index, MemorySegment key, MemorySegment value) {
        if (index >= input.size()) {
            throw new Difference("the scan found " + Input.text(key) + " after all that was stored");
        }
        if (input.keys().get(index).mismatch(key) >= 0) {
            throw new Difference("the scan found " + Input.text(key) + " where " + input.name(index) + " belongs");
        }
        value(input, index, value);
    }
}
