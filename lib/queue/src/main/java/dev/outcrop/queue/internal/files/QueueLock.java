package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.ErrnoException;
import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeFile;
import dev.outcrop.memory.Posix;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive lock of the process that writes a queue, on the file {@code lock}. The system releases it when the process ends. The file
 * has the holder's pid and start, for messages only.
 *
 * <p>If the file {@code lock} is removed, another process can lock a new one. Therefore the file {@code queue} is locked too, with flock:
 * tailers of this process open and close that file, and a lock of the first kind would not survive that. {@link QueueDirectory} checks that
 * {@code queue} is still the same file, and where flock is not available, {@code lock} too.
 */
public final class QueueLock implements AutoCloseable {
    private static final String NAME = "lock";
    private static final int MOST_TEXT = 256;
    /** The start of a process is computed from the start of the machine, which is known to a second or so. */
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    /**
     * The lock files that are open in this process. None is opened twice: closing any channel of a file releases all locks that the process
     * has on it (POSIX, fcntl).
     */
    private static final Set<Path> HELD = new HashSet<>();
    /** Lock files that other class loaders of this process hold: kept open, because closing them would release their locks. */
    private static final Map<Path, Stray> STRAY = new HashMap<>();

    private record Stray(FileChannel channel, @Nullable Object key) {
    }

    private final Path file;
    private final FileChannel channel;
    private final @Nullable Object key;
    /** The locked file {@code queue}; null if there is none, or if it cannot be locked. */
    private @Nullable NativeFile identity;
    /** Guarded by {@link #HELD}. Once this is true, another lock of the same file may be held. */
    private boolean isClosed;

    private QueueLock(Path file, FileChannel channel, @Nullable Object key) {
        this.file = file;
        this.channel = channel;
        this.key = key;
    }

    /**
     * Takes the lock.
     *
     * @param directory of a queue, which exists
     * @throws QueueLockedException if it is taken, with the holder's pid
     */
    public static QueueLock acquire(Path directory) throws IOException {
        Path file = directory.toRealPath().resolve(NAME);
        synchronized (HELD) {
            if (HELD.contains(file)) {
                throw lockedHere(directory);
            }
            while (true) {
                QueueLock lock = Uninterrupted.get(() -> tryAcquire(directory, file));
                if (lock != null) {
                    lock.lockIdentity();
                    return lock;
                }
            }
        }
    }

    /** Takes the lock, or returns null if the file was deleted meanwhile, with the queue. */
    private static @Nullable QueueLock tryAcquire(Path directory, Path file) throws IOException {
        Object key = key(file);
        Object _ = MappedFile.requireRegular(file);
        Stray stray = STRAY.remove(file);
        FileChannel channel = stray != null && Objects.equals(stray.key, key)
                ? stray.channel
                : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE,
                        LinkOption.NOFOLLOW_LINKS);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw lockedElsewhere(directory, channel);
            }
            if (!Objects.equals(key(file), key)) {
                channel.close();
                return null;
            }
            write(channel);
            HELD.add(file);
            return new QueueLock(file, channel, key);
        } catch (OverlappingFileLockException e) {
            STRAY.put(file, new Stray(channel, key));
            throw lockedHere(directory);
        } catch (Throwable e) {
            channel.close();
            throw e;
        }
    }

    /** Returns the key of the file, and creates it if need be; null where the system has none. */
    private static @Nullable Object key(Path file) throws IOException {
        while (true) {
            try {
                return keyOf(file);
            } catch (NoSuchFileException e) {
                create(file);
            }
        }
    }

    private static @Nullable Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
    }

    private static void create(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            return;
        }
    }

    /**
     * Locks the file {@code queue} too, if it is there and not locked yet. Releases everything if it cannot be.
     *
     * @throws QueueLockedException if another process has it
     */
    public void lockIdentity() throws IOException {
        if (identity != null || !NativeCalls.isEnabled()) {
            return;
        }
        Path path = file.resolveSibling(QueueFile.NAME);
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            // The code that needs the file reports what is wrong.
            return;
        }
        boolean isLocked = false;
        try {
            isLocked = tryLock(path);
        } finally {
            if (!isLocked) {
                close();
            }
        }
        if (!isLocked) {
            throw Failures.make().locked("The queue " + file.getParent()
                    + " is open for writing in another process. Its pid is not known, because the file '" + NAME
                    + "' was removed or replaced. Close the queue there first. A queue is written by one process at a"
                    + " time; to read it beside that, use Tailer.open", -1);
        }
    }

    /** Returns false if another opening of the file has the lock. */
    private boolean tryLock(Path path) throws IOException {
        NativeFile opened = null;
        try {
            opened = Posix.open(path, StandardOpenOption.READ);
            boolean isLocked = Posix.tryLock(opened);
            if (isLocked) {
                identity = opened;
            }
            return isLocked;
        } catch (ErrnoException e) {
            // The file system has no such locks, or this user may not read the file.
            return true;
        } finally {
            if (opened != null && identity == null) {
                opened.close();
            }
        }
    }

    /** Whether another process may have locked the queue, because the file of this lock was removed or replaced. */
    boolean mayBeLost() {
        try {
            return identity == null && !Objects.equals(key, keyOf(file));
        } catch (IOException e) {
            return true;
        }
    }

    private static void write(FileChannel channel) throws IOException {
        ProcessHandle self = ProcessHandle.current();
        String text = self.pid() + "\n" + self.info().startInstant().map(start -> start + "\n").orElse("");
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes, bytes.position());
        }
        // Truncates last: on a full disk, space that is given back first may be gone.
        channel.truncate(bytes.limit());
    }

    private static RuntimeException lockedHere(Path directory) {
        return Failures.make().locked("The queue " + directory + " is open for writing in this process already (pid "
                + ProcessHandle.current().pid() + "); share that Queue among the threads, or close it first",
                ProcessHandle.current().pid());
    }

    private static RuntimeException lockedElsewhere(Path directory, FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_TEXT);
        channel.read(bytes, 0);
        List<String> lines = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).lines().toList();
        long pid = lines.isEmpty() ? -1 : pid(lines.getFirst());
        boolean isSeen = pid >= 0 && isSeen(pid, lines);
        return Failures.make().locked("The queue " + directory + " is open for writing in " + holder(pid, isSeen, lines)
                + "; close it there first. A queue is written by one process at a time; to read it beside that, use Tailer.open",
                isSeen ? pid : -1);
    }

    /** Describes the holder. The text may be an earlier holder's until the present holder has written its own. */
    private static String holder(long pid, boolean isSeen, List<String> lines) {
        if (pid < 0) {
            return "another process, which has not yet said which one";
        }
        return isSeen
                ? "the process with pid " + pid + ", started " + lines.get(1)
                : "another process, not seen from here: the last one that said who it is had pid " + pid
                        + ", in another container or on another machine, or it has ended since";
    }

    /** Whether there is a process that was started at the time in the text. */
    private static boolean isSeen(long pid, List<String> lines) {
        Optional<Instant> started = ProcessHandle.of(pid).flatMap(process -> process.info().startInstant());
        Instant said = lines.size() < 2 ? null : instant(lines.get(1));
        return started.isPresent() && said != null
                && Duration.between(started.get(), said).abs().compareTo(TOLERANCE) <= 0;
    }

    private static long pid(String line) {
        try {
            return Long.parseLong(line);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static @Nullable Instant instant(String line) {
        try {
            return Instant.parse(line);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Deletes the file. The lock is held until it is closed. */
    public void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Releases the lock. Closing twice is harmless. */
    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            HELD.remove(file);
            try (channel; NativeFile _ = identity) {
                // While the lock is held, so that no process reads our pid afterwards.
                channel.truncate(0);
            } catch (ClosedByInterruptException e) {
                // The thread is interrupted. The channel is closed all the same.
                return;
            }
        }
    }
}
