package dev.outcrop.jruby;

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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The first bytes of a file, mapped for reading and writing. Numbers in it are big-endian.
 *
 * <p>What comes after {@link #close()}, or beside it on another thread, throws {@link IllegalStateException}; nothing crashes. A file that
 * was made shorter by others, or that has no space on its disk, throws {@link InternalError} when it is touched. If it is not closed, it
 * keeps the mapping until the collector finds the object.
 */
final class Mapping implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Path path;
    private final MemorySegment memory;
    private final Unmap unmap;
    private final Cleaner.Cleanable whenForgotten;

    /** Knows nothing of the mapping, which could not be found by the collector otherwise. */
    private record Unmap(Arena arena) implements Runnable {
        @Override
        public void run() {
            // One thread after the other, because an arena that another one is closing at this moment refuses.
            synchronized (arena) {
                if (arena.scope().isAlive()) {
                    arena.close();
                }
            }
        }
    }

    private Mapping(Path path, MemorySegment memory, Arena arena) {
        this.path = path;
        this.memory = memory;
        this.unmap = new Unmap(arena);
        this.whenForgotten = CLEANER.register(this, unmap);
    }

    /** Maps a file. One that does not exist is created, and one that is shorter is made as long, with zeros that take no space. */
    static Mapping open(Path path, long size) throws IOException {
        // An interrupt would close the channel under us; it is kept for the caller.
        boolean isInterrupted = Thread.interrupted();
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE)) {
            if (channel.size() < size) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
            return new Mapping(path, channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena), arena);
        } catch (Throwable e) {
            arena.close();
            throw e;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    Path path() {
        return path;
    }

    long size() {
        return memory.byteSize();
    }

    // The fences keep the mapping from being found by the collector while its last method runs.

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

    /** Reads all of it into the page cache. */
    void load() {
        try {
            memory.load();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Waits until all of it is on the device. */
    void force() throws IOException {
        try {
            memory.force();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Unmaps it; closing again is harmless. Throws IllegalStateException while another thread loads or forces it. */
    @Override
    public void close() {
        unmap.run();
        whenForgotten.clean();
    }

    boolean isClosed() {
        return !memory.scope().isAlive();
    }
}
