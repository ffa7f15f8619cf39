package dev.outcrop.jruby.mmap;

import dev.outcrop.memory.Uninterrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive lock on a metadata file. Within this process, opening a file again closes the queue that has it open. A lock of the
 * operating system keeps out other processes. The operating system releases the lock when the process ends in any way.
 */
final class MetadataLock implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    /**
     * The locks of this process. A locked file must not be opened a second time: closing any channel of a file releases all locks that the
     * process has on the file (POSIX).
     */
    private static final Map<Path, Hold> HELD = new ConcurrentHashMap<>();
    private static final Path SYSTEM_LOCKS = Path.of("/proc/locks");

    private final Path path;
    private final Hold hold;
    private final Cleaner.Cleanable whenForgotten;

    /** Releases the file when the garbage collector finds an owner that was not closed. The reference to the owner is weak. */
    private static final class Hold implements Runnable {
        private final Path file;
        private volatile @Nullable WeakReference<Pages> owner;
        private @Nullable FileChannel channel;

        Hold(Path file) {
            this.file = file;
        }

        @Override
        public synchronized void run() {
            try (FileChannel _ = channel) {
                channel = null;
            } catch (IOException e) {
                throw new UncheckedIOException("The metadata file " + file + " cannot be closed: " + e.getMessage(), e);
            } finally {
                boolean _ = HELD.remove(file, this);
            }
        }

        /** Closes the owner, or fails if it keeps the file. */
        void giveWay(Path path, boolean isTakenOver) throws IOException {
            WeakReference<Pages> known = owner;
            Pages pages = known == null ? null : known.get();
            if (known != null && pages == null) {
                run();
            } else if (pages == null || !isTakenOver) {
                throw new PageException("the queue " + path
                        + " is being opened, or is open again, in another place of this program; close it there first");
            } else {
                pages.giveWay();
            }
        }
    }

    private MetadataLock(Path path, Hold hold) {
        this.path = path;
        this.hold = hold;
        this.whenForgotten = CLEANER.register(this, hold);
    }

    /**
     * Reserves a file within this process, before it is opened. Creates a missing file.
     *
     * @param isTakenOver whether to close the queue that has it
     * @throws PageException if another queue has it and keeps it
     */
    static MetadataLock reserve(Path path, boolean isTakenOver) throws IOException {
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException e) {
            // The file exists already.
        }
        Hold mine = new Hold(path.toRealPath());
        Hold other = HELD.putIfAbsent(mine.file, mine);
        while (other != null) {
            other.giveWay(path, isTakenOver);
            // Another thread may be closing it.
            Thread.onSpinWait();
            other = HELD.putIfAbsent(mine.file, mine);
        }
        return new MetadataLock(path, mine);
    }

    /**
     * Locks the file against other processes. From now on, no other channel of the file may be closed.
     *
     * @throws PageException if another process has it
     */
    void lock() throws IOException {
        try {
            if (Uninterrupted.get(this::tryLock) == null) {
                throw new PageException("the queue " + path + " is open in another process" + holder(hold.file)
                        + "; only one may have it open, close it there first");
            }
        } catch (OverlappingFileLockException e) {
            throw new PageException(
                    "the queue " + path + " is open in this process already, in another JRuby; close it there first");
        }
    }

    private @Nullable FileLock tryLock() throws IOException {
        FileChannel channel = FileChannel.open(hold.file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        synchronized (hold) {
            hold.channel = channel;
        }
        return channel.tryLock();
    }

    /** Returns the process that has locked a file, for a message. Linux lists all locks, with pids and inodes. */
    private static String holder(Path file) {
        try {
            Pattern line = Pattern
                    .compile(".* WRITE (\\d+) [^ ]*:" + Files.getAttribute(file, "unix:ino") + " .*");
            for (String lock : Files.readAllLines(SYSTEM_LOCKS)) {
                Matcher found = line.matcher(lock);
                if (found.matches() && !lock.contains("->")) {
                    return ", with pid " + found.group(1);
                }
            }
            return "";
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }

    /** Sets the pages that are closed when the file is opened again. */
    void owner(Pages pages) {
        hold.owner = new WeakReference<>(pages);
    }

    @Override
    public void close() {
        // Call the action directly: a cleaner runs it only once, even if it fails.
        hold.run();
        whenForgotten.clean();
    }
}
