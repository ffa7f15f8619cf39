package dev.outcrop.cli.demo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** What was stored, in the order of the keys. */
interface Records {
    int size();

    MemorySegment key(int index);

    MemorySegment value(int index);

    /** The key of a record as text, for messages. */
    default String name(int index) {
        return text(key(index));
    }

    /** Bytes as text, for messages. */
    static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
