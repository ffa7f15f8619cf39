package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.Failures;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file {@code queue}, with two slots that are written in turn. Not thread-safe. */
public final class QueueFile implements AutoCloseable {
    public static final String NAME = "queue";

    private static final int SEQUENCE = 8;
    private static final int ID = 16;
    private static final int SIZE = 24;
    private static final int RETIRED = 32;
    private static final int SYNCED = 40;
    private static final int CLEAN = 48;

    private final MappedFile file;
    private final boolean isWhole;
    private Slot slot;

    private QueueFile(MappedFile file, Slot slot) {
        this.file = file;
        this.isWhole = slot.isBehindOther(file.memory());
        this.slot = slot;
    }

    /** The content of a slot. */
    public record Slot(long sequence, long queueId, long segmentSize, long retired, long synced, long cleanPosition) {
        /** The records before this offset that are not retired are on the disk; 0 if there are none. */
        public long promised() {
            return synced > retired ? synced : 0;
        }

        public Slot withRetired(long offset) {
            return new Slot(sequence + 1, queueId, segmentSize, offset, synced, cleanPosition);
        }

        public Slot withSynced(long offset, long clean) {
            return new Slot(sequence + 1, queueId, segmentSize, retired, offset, clean);
        }

        public void write(MemorySegment memory) {
            MemorySegment at = memory.asSlice(sequence % 2 * QueueLayout.SLOT, QueueLayout.SLOT);
            at.set(QueueLayout.LONG, QueueLayout.MAGIC, QueueLayout.QUEUE_MAGIC);
            at.set(QueueLayout.LONG, SEQUENCE, sequence);
            at.set(QueueLayout.LONG, ID, queueId);
            at.set(QueueLayout.LONG, SIZE, segmentSize);
            at.set(QueueLayout.LONG, RETIRED, retired);
            at.set(QueueLayout.LONG, SYNCED, synced);
            at.set(QueueLayout.LONG, CLEAN, cleanPosition);
            at.set(QueueLayout.INT, QueueLayout.HEADER_VERSION, QueueLayout.VERSION);
            QueueLayout.writeCrc(at, 0, QueueLayout.HEADER_CRC);
        }

        /** Returns the slot that counts, or null if neither is whole. */
        public static @Nullable Slot read(MemorySegment memory) {
            Slot first = at(memory, 0);
            Slot second = at(memory, 1);
            return first == null || (second != null && second.sequence > first.sequence) ? second : first;
        }

        private static @Nullable Slot at(MemorySegment memory, int index) {
            if (memory.byteSize() < 2L * QueueLayout.SLOT) {
                return null;
            }
            MemorySegment at = memory.asSlice((long) index * QueueLayout.SLOT, QueueLayout.SLOT);
            return at.get(QueueLayout.LONG, QueueLayout.MAGIC) == QueueLayout.QUEUE_MAGIC
                    && at.get(QueueLayout.INT, QueueLayout.HEADER_VERSION) == QueueLayout.VERSION
                    && at.get(QueueLayout.INT, QueueLayout.HEADER_CRC) == QueueLayout.crc(at, 0,
                            QueueLayout.HEADER_CRC)
                    && QueueLayout.isSegmentSize(at.get(QueueLayout.LONG, SIZE))
                            ? new Slot(at.get(QueueLayout.LONG, SEQUENCE), at.get(QueueLayout.LONG, ID),
                                    at.get(QueueLayout.LONG, SIZE), at.get(QueueLayout.LONG, RETIRED),
                                    at.get(QueueLayout.LONG, SYNCED), at.get(QueueLayout.LONG, CLEAN))
                            : null;
        }

        /** Whether the other slot is the one before this. */
        private boolean isBehindOther(MemorySegment memory) {
            Slot other = at(memory, (int) (sequence + 1 & 1));
            return other != null && other.sequence == sequence - 1;
        }
    }

    /** Makes the file of a new queue, durably except for its name. */
    public static void create(Path path, long queueId, long segmentSize) throws IOException {
        create(path, new Slot(0, queueId, segmentSize, 0, 0, 0));
    }

    /** Makes the file for segments that exist. */
    public static void create(Path path, Slot slot) throws IOException {
        // Under another name first, so that a file of this name is always whole.
        Path unfinished = path.resolveSibling(NAME + ".new");
        Files.deleteIfExists(unfinished);
        MappedFile.create(unfinished, QueueLayout.PAGE);
        try (MappedFile file = MappedFile.open(unfinished)) {
            slot.write(file.memory());
            file.force(0, QueueLayout.PAGE);
        }
        Files.move(unfinished, path, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    /** Opens the file of a queue that this process writes, and forces it to the disk. */
    public static QueueFile open(Path path) throws IOException {
        MappedFile file = MappedFile.open(path, QueueLayout.PAGE);
        try {
            if (!Pages.areReadable(file.memory())) {
                throw Failures.make().corrupt(path, 0, Pages.UNREADABLE);
            }
            if (file.memory().byteSize() < QueueLayout.PAGE) {
                throw Failures.make().corrupt(path, file.memory().byteSize(),
                        "it has " + file.memory().byteSize() + " bytes instead of " + QueueLayout.PAGE);
            }
            // Also initializes the code that prepares pages, so that no append has to.
            file.populate(0, QueueLayout.PAGE);
            Slot slot = Slot.read(file.memory());
            if (slot == null) {
                throw Failures.make().corrupt(path, 0,
                        "it does not begin with a queue's identity of version " + QueueLayout.VERSION
                                + ", with segments of at most " + QueueLayout.LARGEST_SEGMENT + " bytes");
            }
            // A killed process may have stored this slot without forcing it, and files will be deleted because of it. Where forcing has
            // failed, the system may take the page for clean until something is stored to it. The store is atomic, so that no compiler
            // leaves it out.
            long _ = (long) QueueLayout.COMMIT_WORD.getAndBitwiseOr(file.memory(), 0L, 0L);
            file.force(0, QueueLayout.PAGE);
            return new QueueFile(file, slot);
        } catch (Throwable e) {
            file.close();
            throw e;
        }
    }

    /** Reads the file of a queue that another process may have open; null if it is damaged. */
    public static @Nullable Slot read(Path path) throws IOException {
        try (MappedFile file = MappedFile.openReadOnly(path, QueueLayout.PAGE)) {
            return Pages.areReadable(file.memory()) ? Slot.read(file.memory()) : null;
        }
    }

    public Slot slot() {
        return slot;
    }

    /** Whether a name still leads to this file; see {@link MappedFile#isAt}. */
    boolean isAt(Path name) {
        return file.isAt(name);
    }

    /**
     * Whether both slots were whole at the opening, one directly behind the other. If not, one may be damaged, and the other one out of
     * date.
     */
    public boolean isWhole() {
        return isWhole;
    }

    /** Changes the file, durably. */
    public void write(Slot next) throws IOException {
        try {
            next.write(file.memory());
            Pages.awaitError(0);
        } catch (InternalError e) {
            throw new IOException(file.path() + " cannot be written: it is shorter than it was, or the disk has failed",
                    e);
        }
        file.force(0, QueueLayout.PAGE);
        slot = next;
    }

    @Override
    public void close() {
        file.close();
    }
}
