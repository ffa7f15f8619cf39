package dev.outcrop.queue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Numbers that a program reports in a mapped file, where they survive a kill. */
final class Report {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final MemorySegment memory;

    /** Maps the file until the program ends, and makes it if there is none. */
    Report(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, Arena.global());
        }
    }

    void set(long index, long value) {
        LONG.setVolatile(memory, index * Long.BYTES, value);
    }

    long get(long index) {
        return (long) LONG.getVolatile(memory, index * Long.BYTES);
    }

    /** Tells a small number; not together with the others in one file. */
    void setByte(long index, int value) {
        BYTE.setVolatile(memory, index, (byte) value);
    }

    int getByte(long index) {
        return (byte) BYTE.getVolatile(memory, index);
    }
}
