package dev.outcrop.benchmarks.jruby;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The limit: copies arrays into a mapped file, from its start to its end, over and over. */
public final class CopyLimit {
    private final MemorySegment file;

    private CopyLimit(MemorySegment file) {
        this.file = file;
    }

    /** Maps an existing file until the process ends. */
    public static CopyLimit open(String path, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // A shared arena, as in the measured code.
            return new CopyLimit(channel.map(FileChannel.MapMode.READ_WRITE, 0, size, Arena.ofShared()));
        }
    }

    /** Writes the file once with copies of {@code size} bytes; returns the nanoseconds per copy. */
    public double pass(int size) {
        byte[] bytes = new byte[size];
        long start = System.nanoTime();
        for (long at = 0; at <= file.byteSize() - size; at += size) {
            MemorySegment.copy(bytes, 0, file, ValueLayout.JAVA_BYTE, at, size);
        }
        long copies = file.byteSize() / size;
        return (double) (System.nanoTime() - start) / copies;
    }
}
