package dev.outcrop.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** Bytes in all the forms in which a caller can have them. All are surrounded by other bytes where that is possible. */
final class Bytes {
    /** Empty, tiny, around the size of a scratch area, a page, and larger than any buffer in the code. */
    static final int[] SIZES = {0, 1, 2047, 2048, 2049, 4096, 65_536, 3_000_000};

    private static final int BEFORE = 3;
    private static final int AFTER = 5;

    private Bytes() {
    }

    static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] random(long seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static MemorySegment onHeap(byte[] bytes) {
        byte[] array = new byte[BEFORE + bytes.length + AFTER];
        System.arraycopy(bytes, 0, array, BEFORE, bytes.length);
        return MemorySegment.ofArray(array).asSlice(BEFORE, bytes.length);
    }

    static MemorySegment inNative(byte[] bytes) {
        MemorySegment around = Arena.ofAuto().allocate(BEFORE + bytes.length + AFTER);
        return around.asSlice(BEFORE, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }

    static MemorySegment inFile(byte[] bytes) {
        return mapped(BEFORE + bytes.length + AFTER).asSlice(BEFORE, bytes.length)
                .copyFrom(MemorySegment.ofArray(bytes));
    }

    static ByteBuffer directBuffer(byte[] bytes) {
        return placed(ByteBuffer.allocateDirect(BEFORE + bytes.length + AFTER), bytes);
    }

    static ByteBuffer heapBuffer(byte[] bytes) {
        return placed(ByteBuffer.allocate(BEFORE + bytes.length + AFTER), bytes);
    }

    static ByteBuffer slicedBuffer(byte[] bytes) {
        return directBuffer(bytes).slice();
    }

    static ByteBuffer readOnlyBuffer(byte[] bytes) {
        return heapBuffer(bytes).asReadOnlyBuffer();
    }

    /** A new file of that size, mapped; the collector unmaps it. */
    static MemorySegment mapped(long size) {
        try {
            Path file = Files.createTempFile("outcrop", ".mapped");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, size, Arena.ofAuto());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer placed(ByteBuffer buffer, byte[] bytes) {
        return buffer.position(BEFORE).put(bytes).limit(BEFORE + bytes.length).position(BEFORE);
    }
}
