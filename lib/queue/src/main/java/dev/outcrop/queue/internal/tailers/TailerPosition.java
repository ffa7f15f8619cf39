package dev.outcrop.queue.internal.tailers;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.GroupNames;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The position of a named tailer, in a file that outlives its process, so that the records behind it are kept. For the thread that opened
 * it; {@code docs/queue-format.md}, section "Tailers", describes the file.
 */
public final class TailerPosition implements AutoCloseable {
    static final String SUFFIX = ".position";
    /** The suffix of a file until it is whole, behind the process and a number. */
    static final String UNFINISHED = ".new";
    private static final String WHAT = "tailer";
    /** The content of a deleted file, for a thread that has opened the file before and gets the lock only afterwards. */
    private static final long FORGOTTEN = -TailerFile.MAGIC;

    private final Path path;
    private final AtomicLong here;
    private final FileChannel channel;
    private final Arena arena;
    private final MemorySegment memory;

    private TailerPosition(Path path, AtomicLong here, FileChannel channel, Arena arena, MemorySegment memory) {
        this.path = path;
        this.here = here;
        this.channel = channel;
        this.arena = arena;
        this.memory = memory;
    }

    private static Path file(Path queue, String name) {
        return TailerFile.directory(queue).resolve(GroupNames.encode(name, WHAT, SUFFIX));
    }

    /**
     * Opens a file that {@link #create} has made. One tailer at a time has it open.
     *
     * @param queue the queue's directory, as {@link Path#toRealPath} gives it
     * @return null if there is none
     */
    public static @Nullable TailerPosition open(Path queue, String name) throws IOException {
        Path path = file(queue, name);
        AtomicLong here = new AtomicLong();
        // First, so that no writer or other tailer in this process opens the file, which would release its lock.
        if (TailerFile.HERE.putIfAbsent(path, here) != null) {
            throw lockedBy("this process", queue, name);
        }
        TailerPosition opened = null;
        try {
            // All of it again if an interrupt closes the channel, which releases the lock.
            opened = Uninterrupted.get(() -> open(path, here, queue, name));
        } finally {
            if (opened == null) {
                TailerFile.HERE.remove(path);
            }
        }
        return opened;
    }

    private static @Nullable TailerPosition open(Path path, AtomicLong here, Path queue, String name)
            throws IOException {
        FileChannel channel = null;
        Arena arena = Arena.ofConfined();
        boolean isOpen = false;
        try {
            Object _ = MappedFile.requireRegular(path);
            channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);
            if (lock(channel) == null) {
                throw lockedBy("another process", queue, name);
            }
            // Through the channel with the lock: opening and closing the file once more would release it.
            if (channel.size() < TailerFile.SIZE) {
                throw notOurs(path);
            }
            MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, TailerFile.SIZE, arena);
            TailerPosition position = new TailerPosition(path, here, channel, arena, memory);
            long committed = position.committed();
            if (committed == FORGOTTEN) {
                return null;
            }
            if (committed < 0 || memory.get(QueueLayout.LONG, QueueLayout.MAGIC) != TailerFile.MAGIC) {
                throw notOurs(path);
            }
            here.set(committed);
            isOpen = true;
            return position;
        } catch (NoSuchFileException e) {
            return null;
        } finally {
            if (!isOpen) {
                close(channel, arena);
            }
        }
    }

    private static RuntimeException notOurs(Path path) {
        return Failures.make().refused(path + " is not the file of a tailer with a name. Move it to another place; the"
                + " tailer begins with the first record then");
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another class loader of this process has it.
            return null;
        }
    }

    private static RuntimeException lockedBy(String who, Path queue, String name) {
        return Failures.make().locked("Tailer " + name + " of the queue " + queue + " is open in " + who
                + " already. Close it there first, or give this one another name", -1);
    }

    /**
     * Makes the file, all at once, unless another process does so first. The caller makes sure that the records behind the offset are kept
     * meanwhile.
     */
    public static void create(Path queue, String name, long offset) throws IOException {
        Path path = file(queue, name);
        boolean isThere = false;
        while (!isThere) {
            Path unfinished = path.resolveSibling(TailerFile.freeName() + UNFINISHED);
            try {
                Uninterrupted.run(() -> write(unfinished, offset));
                isThere = giveName(unfinished, path);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        }
        // So that a power cut does not forget the name.
        QueueDirectory.fsyncDirectory(TailerFile.directory(queue));
    }

    /**
     * Links the file to its name. Moving would replace a file that another process has made and opened. Returns false if the file is gone,
     * because a writer in another container has taken it for a leftover.
     */
    private static boolean giveName(Path unfinished, Path path) throws IOException {
        try {
            Files.createLink(path, unfinished);
        } catch (FileAlreadyExistsException e) {
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (UnsupportedOperationException | FileSystemException e) {
            // A file system without links.
            if (Files.notExists(path)) {
                return move(unfinished, path);
            }
        }
        return true;
    }

    private static boolean move(Path unfinished, Path path) throws IOException {
        try {
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Deletes the files that {@link #create} leaves in processes that are killed.
     *
     * @param queue the queue's directory, as {@link Path#toRealPath} gives it
     */
    public static void deleteUnfinished(Path queue) throws IOException {
        for (Path file : QueueDirectory.list(TailerFile.directory(queue), "*" + UNFINISHED)) {
            if (Tailers.isLeft(file)) {
                remove(file);
            }
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Another user's file, which must not keep the queue from being opened.
            return;
        }
    }

    private static void write(Path path, long offset) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(TailerFile.SIZE).order(ByteOrder.LITTLE_ENDIAN)
                .putLong(TailerFile.MAGIC).putLong(offset).flip();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            while (content.hasRemaining()) {
                channel.write(content, content.position());
            }
            channel.force(true);
        }
    }

    /** Lists the names. */
    public static Set<String> names(Path queue) throws IOException {
        Set<String> names = new TreeSet<>();
        if (Files.isDirectory(TailerFile.directory(queue))) {
            for (Path file : QueueDirectory.list(TailerFile.directory(queue), "*" + SUFFIX)) {
                String name = GroupNames.decode(String.valueOf(file.getFileName()), SUFFIX);
                if (name != null) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /** Forgets a name, for which nothing is kept from now on. Returns whether it was there. */
    public static boolean delete(Path queue, String name) throws IOException {
        try (TailerPosition position = open(queue, name)) {
            if (position == null) {
                return false;
            }
            Files.deleteIfExists(position.path);
            // Before the next line: a power cut must not leave a name with a file that says it is deleted.
            QueueDirectory.fsyncDirectory(TailerFile.directory(queue));
            position.commit(FORGOTTEN);
        }
        return true;
    }

    /**
     * Moves positions that are behind the end of the queue back to it: a power cut may have taken records that were done, and other records
     * get their offsets.
     *
     * @param queue the queue's directory, as {@link Path#toRealPath} gives it
     * @param next  offset behind the last record
     */
    public static void fit(Path queue, long next) throws IOException {
        for (String name : names(queue)) {
            Path path = file(queue, name);
            long committed = Tailers.needed(path);
            if (committed <= next) {
                continue;
            }
            try (TailerPosition position = open(queue, name)) {
                if (position != null) {
                    position.commit(next);
                    // Not through the channel, which an interrupt would close.
                    position.memory.force();
                }
            } catch (IOException | RuntimeException e) {
                // It is open, or another user's, which must not keep the queue from being opened.
                System.getLogger("dev.outcrop.queue.TailerPosition").log(System.Logger.Level.WARNING,
                        path + " says that all records before " + committed
                                + " are done, but the queue ends at " + next + ". If tailer " + name
                                + " does not commit before that, it leaves out what is appended up to there",
                        e);
            }
        }
    }

    /** The offset before which all records are done. */
    public long committed() {
        try {
            long offset = (long) QueueLayout.COMMIT_WORD.getAcquire(memory, (long) TailerFile.NEEDED);
            Pages.awaitError((int) offset);
            return offset;
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    private RuntimeException cutOff(InternalError e) {
        return Failures.make().refused(
                path + ", which says how far the tailer is, is shorter than it was, or its disk has failed. Close the"
                        + " tailer, and see to that",
                e);
    }

    /** Sets the offset before which all records are done. Records behind it must be kept now. */
    public void commit(long offset) {
        here.set(offset);
        try {
            // Release: after reading the records before it, which may be given back from here on.
            QueueLayout.COMMIT_WORD.setRelease(memory, (long) TailerFile.NEEDED, offset);
            Pages.awaitError(0);
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    @Override
    public void close() throws IOException {
        if (!arena.scope().isAlive()) {
            return;
        }
        try {
            close(channel, arena);
        } finally {
            // Last of all, as it was put there first.
            TailerFile.HERE.remove(path, here);
        }
    }

    private static void close(@Nullable FileChannel channel, Arena arena) throws IOException {
        try (arena; channel) {
            // Closes both.
        }
    }
}
