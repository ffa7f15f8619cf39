package dev.outcrop.jruby;

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
 * Says whose the queue of a metadata file is. In this process that is the one that comes last: the one before is closed. Other processes
 * are kept out by an exclusive lock on the file, which the system lets go of when the process ends, however that comes about.
 */
final class PageLock implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    /**
     * Of this process. A held file is not opened a second time: to close any channel of a file lets go of all locks that the process has on
     * it (POSIX).
     */
    private static final Map<Path, Hold> HELD = new ConcurrentHashMap<>();
    private static final Path SYSTEM_LOCKS = Path.of("/proc/locks");

    private final Path path;
    private final Hold hold;
    private final Cleaner.Cleanable whenForgotten;

    /**
     * Knows its owner only as long as somebody else does: the collector finds one that was forgotten, and this lets go of the file then.
     */
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

        /** Makes room for somebody else, if the owner can be asked for it. */
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

    private PageLock(Path path, Hold hold) {
        this.path = path;
        this.hold = hold;
        this.whenForgotten = CLEANER.register(this, hold);
    }

    /**
     * Takes a file, which is created if need be, from others of this process, before it is opened.
     *
     * @param isTakenOver whether to close the queue of its holder; otherwise that one keeps it
     * @throws PageException if somebody keeps it
     */
    static PageLock reserve(Path path, boolean isTakenOver) throws IOException {
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException e) {
            // As it should be.
        }
        Hold mine = new Hold(path.toRealPath());
        Hold other = HELD.putIfAbsent(mine.file, mine);
        while (other != null) {
            other.giveWay(path, isTakenOver);
            // It may be on its way out in another thread.
            Thread.onSpinWait();
            other = HELD.putIfAbsent(mine.file, mine);
        }
        return new PageLock(path, mine);
    }

    /**
     * Keeps other processes from the file too. From now on no other channel of it may be closed.
     *
     * @throws PageException if one of them has it
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

    /** The holder of the lock on a file, as far as the system says so: Linux lists all locks, with pids and inodes. */
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

    /** Whom to ask when somebody else comes. */
    void owner(Pages pages) {
        hold.owner = new WeakReference<>(pages);
    }

    @Override
    public void close() {
        whenForgotten.clean();
    }
}
