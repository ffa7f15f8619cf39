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
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
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
 * How far a tailer with a name has got, in a file that stays when its process ends, so that what comes next is kept for it. For the thread
 * that opened it; {@code docs/queue-format.md}, section "Tailers", says what is in the file.
 */
public final class TailerPosition implements AutoCloseable {
    static final String SUFFIX = ".position";
    /** Behind the process and a number, in what a file is called until it is whole. */
    static final String UNFINISHED = ".new";
    private static final String WHAT = "tailer";
    /** In a file that was deleted, for who has opened it before and gets the lock only then; what no damage leaves there. */
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
     * Opens what {@link #create} has made; one tailer at a time has it open.
     *
     * @param queue the queue's directory, as {@link Path#toRealPath} gives it
     * @return null if there is none
     */
    public static @Nullable TailerPosition open(Path queue, String name) throws IOException {
        Path path = file(queue, name);
        AtomicLong here = new AtomicLong();
        // First of all, so that neither a writer in this process nor another tailer opens the file, and with it lets go of the lock.
        if (TailerFile.HERE.putIfAbsent(path, here) != null) {
            throw lockedBy("this process", queue, name);
        }
        TailerPosition opened = null;
        try {
            // All of it again if an interrupt closes the channel, because that lets go of the lock too.
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
            // By the channel that has the lock: to open and close the file once more would let go of it.
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
        return Failures.refused(path + " is not the file of a tailer with a name. Move it to another place; the"
                + " tailer begins with the first record then");
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Other classes of this process.
            return null;
        }
    }

    private static RuntimeException lockedBy(String who, Path queue, String name) {
        return Failures.locked("Tailer " + name + " of the queue " + queue + " is open in " + who
                + " already. Close it there first, or give this one another name", -1);
    }

    /**
     * Makes the file, all at once, unless another process does so first. The caller has seen to it that what is behind the offset is kept
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
        // So that a power cut does not forget that something is kept.
        QueueDirectory.fsyncDirectory(TailerFile.directory(queue));
    }

    /**
     * Not by moving it: that would replace the file of one who was faster, and may have it open. Returns false if the file is gone, because
     * a writer that does not see this process, in a container say, has taken it for one that was left.
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
     * Removes what {@link #create} has left in processes that were killed meanwhile.
     *
     * @param queue the queue's directory, as {@link Path#toRealPath} gives it
     */
    public static void deleteUnfinished(Path queue) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(TailerFile.directory(queue), "*" + UNFINISHED)) {
            for (Path file : files) {
                if (Tailers.isLeft(file)) {
                    remove(file);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // Another user's: some useless bytes, which must not keep the queue from being opened.
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

    /** The names there are. */
    public static Set<String> names(Path queue) throws IOException {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(TailerFile.directory(queue), "*" + SUFFIX)) {
            for (Path file : files) {
                String name = GroupNames.decode(String.valueOf(file.getFileName()), SUFFIX);
                if (name != null) {
                    names.add(name);
                }
            }
        } catch (NoSuchFileException e) {
            // There has never been one.
            return names;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Forgets a name; nothing is kept for it any longer. Returns whether it was there. */
    public static boolean delete(Path queue, String name) throws IOException {
        try (TailerPosition position = open(queue, name)) {
            if (position == null) {
                return false;
            }
            Files.deleteIfExists(position.path);
            // Before the next line: a power cut must not leave a name of which the file says that it is deleted.
            QueueDirectory.fsyncDirectory(TailerFile.directory(queue));
            position.commit(FORGOTTEN);
        }
        return true;
    }

    /**
     * Sees to it that no position is behind the end of the queue: a power cut may have taken records that were done, and others get their
     * offsets, which would be left out.
     *
     * @param queue the queue's directory, as {@link Path#toRealPath} gives it
     * @param next  offset behind the last record that there is
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
                    // Not by the channel, which an interrupt would close.
                    position.memory.force();
                }
            } catch (IOException | RuntimeException e) {
                // It is open, or another user's, and that keeps no process from writing.
                System.getLogger("dev.outcrop.queue.TailerPosition").log(System.Logger.Level.WARNING,
                        path + " says that all records before " + committed
                                + " are done, but the queue ends at " + next + ". If tailer " + name
                                + " does not commit before that, it leaves out what is appended up to there",
                        e);
            }
        }
    }

    /** All records before this offset are done. */
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
        return Failures.refused(
                path + ", which says how far the tailer is, is shorter than it was, or its disk has failed. Close the"
                        + " tailer, and see to that",
                e);
    }

    /** Says that all records before an offset are done. What is behind it is needed by the tailer now, or was kept for it. */
    public void commit(long offset) {
        here.set(offset);
        try {
            // After the reads of what is before it, which may be given back from here on.
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
            // What comes here is closed.
        }
    }
}
