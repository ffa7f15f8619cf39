package dev.outcrop.queue.internal.tailers;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells the writer of the queue what a tailer needs: a small file with a lock, which counts as long as the tailer's process lives. For the
 * thread that made it. {@code docs/queue-format.md}, section "Tailers", says why this is safe.
 */
public final class TailerFile implements AutoCloseable {
    public static final String SUFFIX = ".tailer";
    /** "OUTCROPT" as bytes. */
    public static final long MAGIC = 0x54_50_4f_52_43_54_55_4fL;
    static final int NEEDED = 8;
    public static final int SIZE = 16;

    /**
     * The first offset that each tailer of this process needs, by the tailer's file; also for named tailers. A writer in the same process
     * asks here first: opening and closing such a file would release its lock (POSIX, fcntl).
     */
    static final Map<Path, AtomicLong> HERE = new ConcurrentHashMap<>();

    private final Path path;
    private final AtomicLong here;
    private final FileChannel channel;
    private final Arena arena;
    private final MemorySegment memory;

    private TailerFile(Path path, AtomicLong here, FileChannel channel, Arena arena, MemorySegment memory) {
        this.path = path;
        this.here = here;
        this.channel = channel;
        this.arena = arena;
        this.memory = memory;
    }

    public static Path directory(Path queue) {
        return queue.resolve("tailers");
    }

    /** Returns the first offset that a tailer of this process needs; null if no tailer here has this file. */
    static @Nullable Long neededHere(Path path) {
        AtomicLong needed = HERE.get(path);
        return needed == null ? null : needed.get();
    }

    /**
     * Makes the file. At first it asks for everything.
     *
     * @param queue the queue's directory, as {@link Path#toRealPath} gives it
     */
    public static TailerFile register(Path queue) throws IOException {
        Path directory = Files.createDirectories(directory(queue));
        while (true) {
            String name = freeName();
            TailerFile made = Uninterrupted.get(() -> create(directory.resolve(name + SUFFIX)));
            if (made != null) {
                return made;
            }
        }
    }

    /** Returns a name that no other file has. */
    static String freeName() {
        return ProcessHandle.current().pid() + "-" + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE);
    }

    private static @Nullable TailerFile create(Path path) throws IOException {
        AtomicLong here = new AtomicLong();
        // First, so that a writer in this process never opens the file.
        HERE.put(path, here);
        FileChannel channel = null;
        Arena arena = Arena.ofConfined();
        boolean isMade = false;
        try {
            channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            // Waits for a writer that has taken the lock to see whether it is held. The writer deletes the file then.
            channel.lock();
            letAllRead(path);
            ByteBuffer content = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN).putLong(MAGIC).putLong(0)
                    .flip();
            while (content.hasRemaining()) {
                channel.write(content);
            }
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
            isMade = Files.exists(path);
            return isMade ? new TailerFile(path, here, channel, arena, memory) : null;
        } finally {
            if (!isMade) {
                close(path, channel, arena);
            }
        }
    }

    /** Lets a writer of another user read the file and its lock. */
    private static void letAllRead(Path path) {
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        try {
            view.setPermissions(PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            // The writer has just deleted it, or the file system has no permissions.
            return;
        }
    }

    /**
     * Sets the offset from which on segments are needed; 0 for all. Raising it releases the segments before it. After lowering it, the
     * caller must read the retired offset: all records before that may be gone.
     */
    void needs(long offset) {
        here.set(offset);
        QueueLayout.COMMIT_WORD.setVolatile(memory, (long) NEEDED, offset);
        // Before reading what is retired, so that either the writer sees this, or this tailer sees what the writer has retired. Pairs with
        // the fence in Tailers.
        VarHandle.fullFence();
    }

    /** Checks that a writer of the queue can see this file. */
    void requireThere(Path queue) {
        if (!Files.exists(path)) {
            throw Failures.make().refused("The queue " + queue
                    + " was deleted or moved while it was tailed: the file " + path.getFileName()
                    + " of this tailer is gone. Open another one, if there is a queue");
        }
    }

    /** Ends the registration. Closing twice is harmless. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            close(path, channel, arena);
        }
    }

    private static void close(Path path, @Nullable FileChannel channel, Arena arena) throws IOException {
        try (arena; channel) {
            // While the lock is held, so that no other process has made a file of this name.
            Files.deleteIfExists(path);
        } finally {
            // Last, as it was put there first.
            HERE.remove(path);
        }
    }
}
