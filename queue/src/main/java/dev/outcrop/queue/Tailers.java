package dev.outcrop.queue;

import dev.outcrop.memory.MappedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** What the process that writes the queue knows of those who tail it. */
final class Tailers {
    /** Of which it was said that they cannot be read. */
    private static final Set<Path> UNREADABLE = new HashSet<>();

    private Tailers() {
    }

    /**
     * The offset before which no living tailer needs anything. To be asked after {@code retired} is written and before a segment is given
     * back; only those that end at or before the answer may be. Removes what tailers have left that live no more. Costs the look into an
     * empty directory if there are none.
     *
     * @param directory the queue's, as {@link Path#toRealPath} gives it
     * @return {@link Long#MAX_VALUE} if there are none
     */
    static synchronized long lowestNeeded(Path directory) throws IOException {
        // Behind the write of "retired": a tailer that this overlooks sees that. Pairs with that in TailerFile.
        VarHandle.fullFence();
        long lowest = Long.MAX_VALUE;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(TailerFile.directory(directory),
                "*" + TailerFile.SUFFIX)) {
            for (Path path : files) {
                lowest = Math.min(lowest, needed(path));
            }
        } catch (NoSuchFileException e) {
            // There has never been one.
            return lowest;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return lowest;
    }

    private static long needed(Path path) throws IOException {
        Long here = TailerFile.neededHere(path);
        if (here != null) {
            return here;
        }
        try {
            return isHeld(path) ? read(path) : Long.MAX_VALUE;
        } catch (NoSuchFileException e) {
            // It has ended just now.
            return Long.MAX_VALUE;
        } catch (IOException e) {
            // One file that nobody can read must not keep all others from being given back, nor the queue from being opened.
            if (UNREADABLE.add(path)) {
                UNREADABLE.removeIf(Files::notExists);
                System.getLogger(Tailers.class.getName()).log(System.Logger.Level.WARNING, "The tailer's file " + path
                        + " cannot be read or deleted, and holds nothing back. If its process lives, let the user read it who"
                        + " writes the queue; if not, delete it", e);
            }
            return Long.MAX_VALUE;
        }
    }

    /** Whether the process that made a file holds its lock; if not, the file is gone when this returns. */
    private static boolean isHeld(Path path) throws IOException {
        // Shared, which needs no right to write: the file may be another user's.
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            if (channel.tryLock(0, Long.MAX_VALUE, true) == null) {
                return true;
            }
            // With the lock: whoever has just made the file and has not got it yet finds that the file is gone, and makes another.
            Files.deleteIfExists(path);
            return false;
        } catch (OverlappingFileLockException e) {
            // Other classes of this process.
            return true;
        }
    }

    private static long read(Path path) throws IOException {
        // Mapped, because a read of the file might see half of a store.
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
