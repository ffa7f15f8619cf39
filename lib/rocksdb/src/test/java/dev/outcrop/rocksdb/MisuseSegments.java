package dev.outcrop.rocksdb;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Memory that callers may come up with, good and bad: of all sizes, native, on the heap, mapped, read-only, misaligned, of closed
 * arenas, of arenas that another thread closes right now, confined to other threads, and what the API itself has shown before.
 */
final class MisuseSegments implements AutoCloseable {
    static final int KEYS = 50;
    private static final int[] SIZES = {0, 1, 3, 8, 16, 100, 2047, 2048, 2049, 70_000};
    private static final int LARGE = 3_000_000;
    /** Beyond what malloc takes from its heap, so that memory that is gone is really gone. */
    private static final int UNMAPPED_WHEN_CLOSED = 300_000;
    private static final int SHORT_LIVED = 4;
    private static final int SEEN = 64;

    private final Path directory;
    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> keys = new ArrayList<>();
    private final List<MemorySegment> others = new ArrayList<>();
    private final AtomicReferenceArray<@Nullable Memory> shortLived = new AtomicReferenceArray<>(SHORT_LIVED);
    /** A key in memory that is confined to a thread, for each of the threads. */
    private final AtomicReferenceArray<@Nullable MemorySegment> confined;
    private final AtomicReferenceArray<@Nullable MemorySegment> seen = new AtomicReferenceArray<>(SEEN);
    private final ConcurrentLinkedQueue<Arena> toBeClosed = new ConcurrentLinkedQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread stranger;

    /** An arena with two segments, of C's heap and of a file. */
    private record Memory(Arena arena, MemorySegment heap, MemorySegment mapped) {
    }

    MisuseSegments(Path directory, int threads) throws IOException, InterruptedException {
        this.directory = directory;
        this.confined = new AtomicReferenceArray<>(threads);
        for (int i = 0; i < KEYS; i++) {
            keys.add(filled(arena.allocate(key(i).length), key(i)));
            keys.add(MemorySegment.ofArray(key(i)));
        }
        for (int size : SIZES) {
            addAll(size);
        }
        others.add(filled(arena.allocate(LARGE), key(1)));
        others.add(MemorySegment.NULL);
        others.add(MemorySegment.ofAddress(1));
        others.add(MemorySegment.ofAddress(-1));
        Arena closed = Arena.ofConfined();
        others.add(filled(closed.allocate(100), key(2)));
        others.add(mapped(closed, UNMAPPED_WHEN_CLOSED));
        closed.close();
        for (int i = 0; i < SHORT_LIVED; i++) {
            closeOne(i);
        }
        CountDownLatch begun = new CountDownLatch(1);
        stranger = Thread.ofPlatform().daemon().start(() -> live(begun));
        begun.await();
    }

    static byte[] key(int i) {
        return Bytes.of("key" + i);
    }

    private void addAll(int size) throws IOException {
        MemorySegment inNative = filled(arena.allocate(size), key(size % KEYS));
        MemorySegment onHeap = filled(MemorySegment.ofArray(new byte[size]), key(size % KEYS));
        MemorySegment longs = MemorySegment.ofArray(new long[size / 8 + 1]).asSlice(0, size);
        others.addAll(List.of(inNative, inNative.asReadOnly(), onHeap, onHeap.asReadOnly(), longs,
                MemorySegment.ofArray(new double[size / 8 + 1]), inNative.asSlice(size / 2), onHeap.asSlice(size / 3)));
        if (size > 0) {
            MemorySegment file = mapped(arena, size);
            others.addAll(List.of(file, file.asReadOnly(), inNative.asSlice(1)));
        }
    }

    private MemorySegment mapped(Arena lifetime, long size) throws IOException {
        Path file = Files.createTempFile(directory, "misuse", ".mapped");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, size, lifetime);
        }
    }

    private static MemorySegment filled(MemorySegment segment, byte[] bytes) {
        long length = Math.min(bytes.length, segment.byteSize());
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, length);
        return segment;
    }

    /** Has memory of its own. */
    private void live(CountDownLatch begun) {
        try (Arena mine = Arena.ofConfined()) {
            others.add(filled(mine.allocate(4), key(3)));
            others.add(mine.allocate(UNMAPPED_WHEN_CLOSED));
            begun.countDown();
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets go of all memory: what is confined knows its thread, and the thread the databases that it has used. */
    void forget() {
        keys.clear();
        others.clear();
        toBeClosed.clear();
        for (int i = 0; i < SEEN; i++) {
            seen.set(i, null);
        }
        for (int i = 0; i < SHORT_LIVED; i++) {
            shortLived.set(i, null);
        }
        for (int i = 0; i < confined.length(); i++) {
            confined.set(i, null);
        }
    }

    /** Closes memory that others may be using at this moment, and makes new. */
    void closeOne(int i) throws IOException {
        Arena fresh = Arena.ofShared();
        Memory memory = new Memory(fresh, filled(fresh.allocate(UNMAPPED_WHEN_CLOSED), key(i)),
                mapped(fresh, UNMAPPED_WHEN_CLOSED));
        Memory old = shortLived.getAndSet(i % SHORT_LIVED, memory);
        if (old != null) {
            close(old.arena);
        }
    }

    private void close(Arena old) {
        try {
            old.close();
        } catch (IllegalStateException e) {
            // The JDK refuses it while a native call uses the memory.
            toBeClosed.add(old);
        }
    }

    /** Tells the others of memory that is confined to the calling thread. */
    void lend(int thread, Arena mine) {
        confined.set(thread, filled(mine.allocate(5), key(thread)));
    }

    /** Remembers memory that the API has shown. */
    void keep(Random random, MemorySegment segment) {
        seen.set(random.nextInt(SEEN), segment);
    }

    MemorySegment any(Random random) {
        int choice = random.nextInt(100);
        if (choice < 55) {
            return keys.get(random.nextInt(keys.size()));
        }
        if (choice < 65) {
            return orKey(confined.get(random.nextInt(confined.length())), random);
        }
        if (choice < 75) {
            Memory memory = shortLived.get(random.nextInt(SHORT_LIVED));
            return memory == null || random.nextBoolean()
                    ? keys.getFirst()
                    : slice(random.nextBoolean() ? memory.heap : memory.mapped, random);
        }
        return choice < 85 ? orKey(seen.get(random.nextInt(SEEN)), random) : others.get(random.nextInt(others.size()));
    }

    private MemorySegment orKey(@Nullable MemorySegment segment, Random random) {
        return segment == null ? keys.get(random.nextInt(keys.size())) : segment;
    }

    /** The end of it, because the memory behind it is not there. */
    private static MemorySegment slice(MemorySegment segment, Random random) {
        return segment.asSlice(segment.byteSize() - random.nextInt(1, 100));
    }

    byte[] array(Random random) {
        int choice = random.nextInt(100);
        if (choice < 60) {
            return key(random.nextInt(KEYS));
        }
        if (choice < 70) {
            // As long as a timestamp.
            return Bytes.random(choice, 8);
        }
        return new byte[choice == 99 ? LARGE : SIZES[random.nextInt(SIZES.length)]];
    }

    ByteBuffer buffer(Random random) {
        MemorySegment segment = any(random);
        if (random.nextBoolean() && segment.byteSize() <= Integer.MAX_VALUE) {
            try {
                return segment.asByteBuffer();
            } catch (UnsupportedOperationException | IllegalStateException e) {
                // Not of every array.
            }
        }
        byte[] bytes = array(random);
        return switch (random.nextInt(5)) {
            case 0 -> Bytes.directBuffer(bytes);
            case 1 -> Bytes.heapBuffer(bytes);
            case 2 -> Bytes.slicedBuffer(bytes);
            case 3 -> Bytes.readOnlyBuffer(bytes);
            default -> ByteBuffer.allocate(0);
        };
    }

    /** Reads the ends of a segment; this must throw or succeed. */
    static int touch(MemorySegment segment) {
        return segment.byteSize() == 0
                ? 0
                : segment.get(ValueLayout.JAVA_BYTE, 0) + segment.get(ValueLayout.JAVA_BYTE, segment.byteSize() - 1);
    }

    @Override
    public void close() {
        end.countDown();
        for (int i = 0; i < SHORT_LIVED; i++) {
            Memory memory = shortLived.getAndSet(i, null);
            if (memory != null) {
                close(memory.arena);
            }
        }
        for (int i = 0; i < SEEN; i++) {
            seen.set(i, null);
        }
        // All calls have ended.
        toBeClosed.forEach(Arena::close);
        arena.close();
        try {
            stranger.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
