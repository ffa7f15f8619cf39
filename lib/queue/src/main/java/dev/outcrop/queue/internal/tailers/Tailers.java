package dev.outcrop.queue.internal.tailers;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tailers of a queue, as its writer sees them. */
public final class Tailers {
    /** Files that were reported as unreadable. */
    private static final Set<Path> UNREADABLE = new HashSet<>();

    /** The process, and a random number. */
    private static final Pattern NAME = Pattern
            .compile("(\\d{1,18})-\\d+(?:\\" + TailerFile.SUFFIX + "|\\" + TailerPosition.UNFINISHED + ")");
    private static final Duration ROUNDED = Duration.ofSeconds(2);

    private Tailers() {
    }

    /**
     * The offset before which no living or named tailer needs a record. Asked after {@code retired} is written and before a segment is
     * given back; only segments that end at or before the result may be given back. Deletes the files of ended tailers.
     *
     * @param directory the queue's, as {@link Path#toRealPath} gives it
     * @return {@link Long#MAX_VALUE} if there are none
     */
    public static synchronized long lowestNeeded(Path directory) throws IOException {
        // After the write of "retired": a tailer that this overlooks sees that write. Pairs with the fence in TailerFile.
        VarHandle.fullFence();
        long lowest = Long.MAX_VALUE;
        if (Files.isDirectory(TailerFile.directory(directory))) {
            for (Path path : QueueDirectory.list(TailerFile.directory(directory),
                    "*{" + TailerFile.SUFFIX + "," + TailerPosition.SUFFIX + "}")) {
                lowest = Math.min(lowest, needed(path));
            }
        }
        return lowest;
    }

    /** The offset before which the tailer of a file needs nothing. */
    static synchronized long needed(Path path) throws IOException {
        Long here = TailerFile.neededHere(path);
        if (here != null) {
            return here;
        }
        try {
            return isForGood(path) || Uninterrupted.get(() -> isHeld(path)) ? read(path) : Long.MAX_VALUE;
        } catch (NoSuchFileException e) {
            // It has just ended.
            return Long.MAX_VALUE;
        } catch (IOException e) {
            if (!(e instanceof AccessDeniedException) && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                // Too few descriptors, for example. The next look will tell.
                return 0;
            }
            // An unreadable file must not keep segments without an end, nor the queue from being opened. But as long as its process lives,
            // its records must be kept.
            boolean isAlive = isForGood(path) || mayLive(path);
            if (UNREADABLE.add(path)) {
                UNREADABLE.removeIf(Files::notExists);
                System.getLogger("dev.outcrop.queue.Tailers").log(System.Logger.Level.WARNING, "The tailer's file "
                        + path
                        + " cannot be read or deleted by the user who writes the queue. "
                        + (isAlive
                                ? "Its process lives, so all files of the queue are kept until that has ended; to give back what"
                                        + " it has read, let that user read its file"
                                : "No process of its number lives here, so it holds nothing back; delete it"),
                        e);
            }
            return isAlive ? 0 : Long.MAX_VALUE;
        }
    }

    /**
     * Whether the process that made a file may still live, as far as one can tell without its lock: a process has the number in the file's
     * name, and is not younger than the file.
     */
    public static boolean mayLive(Path path) {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
        if (!name.matches()) {
            return false;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(name.group(1)));
        if (process.isEmpty()) {
            return false;
        }
        Optional<Instant> start = process.get().info().startInstant();
        try {
            // Both are rounded.
            return start.isEmpty()
                    || !start.get().minus(ROUNDED).isAfter(Files.getLastModifiedTime(path).toInstant());
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether a file is named after a process that has ended, as far as one can tell; see {@link #mayLive}. */
    static boolean isLeft(Path path) {
        return NAME.matcher(String.valueOf(path.getFileName())).matches()
                && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && !mayLive(path);
    }

    /** Whether a file also counts while it is not open: the position of a named tailer. */
    private static boolean isForGood(Path path) {
        return path.toString().endsWith(TailerPosition.SUFFIX);
    }

    /** Whether the process that made a file holds its lock. If not, the file is deleted. */
    private static boolean isHeld(Path path) throws IOException {
        Object _ = MappedFile.requireRegular(path);
        // Shared, which needs no right to write another user's file.
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
                return true;
            }
            // With the lock: a thread that has just made the file and waits for its lock then makes another file.
            Files.deleteIfExists(path);
            return false;
        } catch (OverlappingFileLockException e) {
            // Other classes of this process.
            return true;
        }
    }

    private static long read(Path path) throws IOException {
        // Mapped, because a read might see half of a store.
        try (MappedFile file = MappedFile.openReadOnly(path)) {
            MemorySegment memory = file.memory();
            if (memory.byteSize() < TailerFile.SIZE
                    || memory.get(QueueLayout.LONG, QueueLayout.MAGIC) != TailerFile.MAGIC) {
                // It is being made.
                return 0;
            }
            return (long) QueueLayout.COMMIT_WORD.getAcquire(memory, (long) TailerFile.NEEDED);
        }
    }
}
