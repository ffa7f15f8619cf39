package dev.outcrop.jruby.mmap;

import dev.outcrop.memory.Uninterrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a file, mapped for reading and writing. Numbers in it are big-endian.
 *
 * <p>Methods that run after {@link #close()}, or at the same time, throw {@link IllegalStateException}. An access throws
 * {@link InternalError} if another program has made the file shorter, or if the disk has no space for the file. A mapping that was not
 * closed ends when the garbage collector finds the object.
 */
final class FileMapping implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Path path;
    /** Identifies the file, even after it was renamed; null if the file system has no such key. */
    private final @Nullable Object key;
    final MemorySegment memory;
    private final Unmap unmap;
    private final Cleaner.Cleanable whenForgotten;

    /** Unmaps the memory. It has no reference to the mapping, which would keep the mapping from being collected. */
    private record Unmap(Arena arena) implements Runnable {
        @Override
        public void run() {
            // One thread at a time: an arena cannot be closed while another thread closes it.
            synchronized (arena) {
                if (arena.scope().isAlive()) {
                    arena.close();
                }
            }
        }
    }

    private FileMapping(Path path, @Nullable Object key, MemorySegment memory, Arena arena) {
        this.path = path;
        this.key = key;
        this.memory = memory;
        this.unmap = new Unmap(arena);
        this.whenForgotten = CLEANER.register(this, unmap);
    }

    /** Maps a file. Creates a missing file, and extends a shorter file with zeros that take no space. */
    static FileMapping open(Path path, long size) throws IOException {
        return Uninterrupted.get(() -> openOnce(path, size));
    }

    private static FileMapping openOnce(Path path, long size) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE)) {
            if (channel.size() < size) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return new FileMapping(path, key, channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena), arena);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    Path path() {
        return path;
    }

    /**
     * Tells whether a name still refers to this file, and the file is at least as long as the mapping. If the file was removed or replaced,
     * stores to the mapping are lost.
     */
    boolean isAt(Path name) {
        try {
            BasicFileAttributes found = Files.readAttributes(name, BasicFileAttributes.class);
            return Objects.equals(found.fileKey(), key) && found.size() >= memory.byteSize();
        } catch (IOException e) {
            return false;
        }
    }

    long size() {
        return memory.byteSize();
    }

    // The fences prevent the mapping from being collected while its last method runs.

    int getInt(long at) {
        try {
            return memory.get(INT, at);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    void putInt(long at, int value) {
        try {
            memory.set(INT, at, value);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    long getLong(long at) {
        try {
            return memory.get(LONG, at);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    void putLong(long at, long value) {
        try {
            memory.set(LONG, at, value);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    byte[] getBytes(long at, int length) {
        try {
            byte[] bytes = new byte[length];
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
            return bytes;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    void putBytes(long at, byte[] bytes, int from, int length) {
        try {
            MemorySegment.copy(bytes, from, memory, ValueLayout.JAVA_BYTE, at, length);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Reads the whole file into the page cache. */
    void load() {
        try {
            memory.load();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Waits until the whole file is on the device. */
    void force() throws IOException {
        try {
            memory.force();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Unmaps the file. Closing again is harmless. Throws IllegalStateException while another thread loads or forces the file. */
    @Override
    public void close() {
        unmap.run();
        whenForgotten.clean();
    }

    boolean isClosed() {
        return !memory.scope().isAlive();
    }
}
