package dev.outcrop.queue.internal.groups;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.GroupLayout;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.Quarantine;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file of a consumer group, with its acknowledgements; {@link GroupLayout} has its format.
 *
 * <p>An acknowledgement is one store of one word. A slot is written once in a while: at the latest when a word is needed for later offsets,
 * because by then the slot's floor must have passed the word's earlier offsets. Called with the group's lock held, except {@link #force()}.
 */
public final class GroupFile {
    /** The name of a file until it is whole; no group has that name. */
    private static final String UNFINISHED = "group.new";

    private final MappedFile file;
    private final MemorySegment memory;
    private final long queueId;
    /** Held while the file is forced, so that it is not unmapped meanwhile. */
    private final Object forcing = new Object();
    private boolean isClosed;
    private volatile @Nullable IOException failure;
    private volatile @Nullable Failing failing;

    private long sequence;
    /** The floor in the newest slot; -1 if there is none. */
    private long floor = -1;
    /** The part that was called durable: a floor, and the acknowledgements from there up to an offset. */
    private long promisedFloor;
    private long promisedEnd;

    private GroupFile(MappedFile file, long queueId) {
        this.file = file;
        this.memory = file.memory();
        this.queueId = queueId;
    }

    /**
     * Makes the file of a new group, durably with its name. After a crash it is there whole, or not at all. Only for the process that
     * writes the queue, one thread at a time.
     */
    public static GroupFile create(Path path, long queueId, long floor) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(path.toString());
        }
        Path directory = Objects.requireNonNull(path.toAbsolutePath().getParent());
        Path unfinished = directory.resolve(UNFINISHED);
        Files.deleteIfExists(unfinished);
        MappedFile.create(unfinished, GroupLayout.SIZE);
        try {
            try (MappedFile file = MappedFile.open(unfinished)) {
                new GroupFile(file, queueId).reset(floor);
            }
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (Throwable e) {
            Files.deleteIfExists(unfinished);
            throw e;
        }
        try {
            QueueDirectory.fsyncDirectory(directory);
            return openNew(path, queueId, floor);
        } catch (Throwable e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    private static GroupFile openNew(Path path, long queueId, long floor) throws IOException {
        GroupFile made = new GroupFile(MappedFile.open(path), queueId);
        try {
            made.readSlot(0);
            made.readSlot(QueueLayout.SLOT);
            made.promisedFloor = floor;
            made.promisedEnd = floor;
            return made;
        } catch (Throwable e) {
            made.close();
            throw e;
        }
    }

    /** Deletes the file that {@link #create} leaves if the process is killed. */
    public static void deleteUnfinished(Path directory) throws IOException {
        Path unfinished = directory.resolve(UNFINISHED);
        if (Files.isRegularFile(unfinished, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(unfinished);
        }
    }

    /**
     * Opens the file of a group. Damaged parts count as not acknowledged.
     *
     * @param queue the directory with the quarantine, for a copy of a file without a slot of this queue
     * @param first offset of the first record
     * @param next  offset behind the last record; acknowledgements from there on belong to records that a power cut took
     */
    public static GroupFile open(Path queue, Path path, long queueId, long first, long next) throws IOException {
        Object _ = MappedFile.requireRegular(path);
        if (Files.size(path) < GroupLayout.SIZE) {
            Uninterrupted.run(() -> fillUp(path));
        }
        MappedFile mapped = MappedFile.open(path, GroupLayout.SIZE);
        try {
            if (!Pages.areReadable(mapped.memory())) {
                throw Failures.make().corrupt(path, 0, Pages.UNREADABLE);
            }
            GroupFile opened = new GroupFile(mapped, queueId);
            opened.readSlot(0);
            opened.readSlot(QueueLayout.SLOT);
            if (opened.floor < 0) {
                quarantine(queue, path, first);
            }
            opened.fit(first, next);
            return opened;
        } catch (Throwable e) {
            mapped.close();
            throw e;
        }
    }

    /** Copies a file to the quarantine before it is written anew, because a repair may find acknowledgements in it. */
    private static void quarantine(Path queue, Path path, long first) throws IOException {
        Path copy = new Quarantine(queue).copy(path, 0, Files.size(path));
        System.getLogger("dev.outcrop.queue.GroupFile").log(System.Logger.Level.WARNING,
                path + " has no whole slot of this queue: its group is given all records again, from " + first
                        + " on, but for those that the rest of the file acknowledges; the old file is in " + copy);
    }

    /** Fills up a truncated file: the missing part counts as not acknowledged. */
    private static void fillUp(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            ByteBuffer zeros = ByteBuffer.allocate((int) (GroupLayout.SIZE - channel.size()));
            long from = channel.size();
            while (zeros.hasRemaining()) {
                channel.write(zeros, from + zeros.position());
            }
            channel.force(true);
        }
    }

    private void readSlot(int at) {
        if (!GroupLayout.isWhole(memory, at)) {
            return;
        }
        int version = GroupLayout.version(memory, at);
        if (version != QueueLayout.VERSION) {
            throw Failures.make().refused("The consumer group in " + file.path() + " was written in version " + version
                    + " of the format; this library knows version " + QueueLayout.VERSION + ". Use a newer one");
        }
        long found = GroupLayout.sequence(memory, at);
        if (GroupLayout.queueId(memory, at) == queueId && (floor < 0 || found > sequence)) {
            sequence = found;
            floor = GroupLayout.floor(memory, at);
        }
    }

    /** Drops what the file says about records that are not there. */
    private void fit(long first, long next) throws IOException {
        // A killed process may have left the floor in memory only. Words before the floor are needless only when it is on the disk. Where
        // forcing it has failed, the system may take a page for clean until something is stored to it. The store is atomic, so that no
        // compiler leaves it out.
        for (long at = 0; at < GroupLayout.SIZE; at += Pages.SIZE) {
            long _ = (long) QueueLayout.COMMIT_WORD.getAndBitwiseOr(memory, at, 0L);
        }
        force();
        long fitting = Math.clamp(floor, first, next);
        boolean isChanged = false;
        promisedFloor = fitting;
        for (int i = 0; i < GroupLayout.WORDS; i++) {
            long block = firstBlock(i, fitting);
            long word = GroupLayout.word(memory, block);
            int bits = GroupLayout.bits(word, queueId, block);
            int kept = bits & GroupLayout.before(next, block);
            if ((kept & ~GroupLayout.before(fitting, block)) != 0) {
                // Perhaps closing the queue has called this word durable. The slot covers the offsets before the floor.
                promisedEnd = Math.max(promisedEnd, (block + 1) * GroupLayout.WORD_OFFSETS);
            }
            if (kept != bits || (bits == 0 && word != 0)) {
                // Also clears a word of earlier offsets: it would fit if these offsets came again after a power cut.
                GroupLayout.set(memory, queueId, block, kept);
                isChanged = true;
            }
        }
        if (isChanged) {
            force();
        }
        if (fitting != floor) {
            writeSlots(fitting);
        }
    }

    /** The first block of offsets for a word, from the block of an offset on. */
    private static long firstBlock(int word, long offset) {
        long block = offset / GroupLayout.WORD_OFFSETS;
        return block + (word - block & GroupLayout.WORDS - 1);
    }

    // --- Words ---

    private int bits(long block) {
        return GroupLayout.bits(GroupLayout.word(memory, block), queueId, block);
    }

    /** The floor in the file; the words say what is acknowledged from there on. */
    public long floor() {
        return floor;
    }

    /** The acknowledged offsets of a block that is less than {@link GroupLayout#WORDS} behind the block of the floor. */
    public int acknowledged(long block) {
        try {
            int bits = bits(block);
            Pages.awaitError(bits);
            return bits;
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    private RuntimeException cutOff(InternalError e) {
        return Failures.make().refused(
                "Nothing can be acknowledged: " + file.path() + " is shorter than it was, or its disk has failed."
                        + " Close the queue, see to that, and open it again",
                e);
    }

    /**
     * Acknowledges offsets of a block. Once this returns, the acknowledgement survives the end of the process.
     *
     * @param block   offsets divided by {@link GroupLayout#WORD_OFFSETS}, less than {@link GroupLayout#WORDS} behind the block of
     *                {@code reached}
     * @param mask    their bits
     * @param reached all before this offset are acknowledged
     * @throws QueueException if the disk fails where something that was called durable depends on it, or the file was truncated; the call
     *                        has no effect then
     */
    public void acknowledge(long block, int mask, long reached) {
        try {
            store(block, mask, reached);
            Pages.awaitError(mask);
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    private void store(long block, int mask, long reached) {
        if (block - floor / GroupLayout.WORD_OFFSETS >= GroupLayout.WORDS) {
            writeSlot(reached);
            // Stores the slot before the word that the slot frees: a kill between the two must not leave the reverse.
            VarHandle.releaseFence();
        }
        int bits = bits(block);
        if (bits == 0) {
            keepPromises(block - GroupLayout.WORDS, reached);
        }
        GroupLayout.set(memory, queueId, block, bits | mask);
    }

    /** Prepares overwriting the word of a block: if the word was called durable, the floor behind it must become durable first. */
    private void keepPromises(long block, long reached) {
        if (block * GroupLayout.WORD_OFFSETS >= promisedEnd
                || (block + 1) * GroupLayout.WORD_OFFSETS <= promisedFloor) {
            return;
        }
        try {
            if (reached != floor) {
                // Not twice: if both slots were half on the disk, neither would be whole.
                writeSlot(reached);
            }
            force();
        } catch (IOException e) {
            throw Failures.make().refused(
                    "Nothing more can be acknowledged: " + file.path() + " cannot be written to the disk ("
                            + FailureText.of(e) + "). Close the queue, see to the disk, and open it again",
                    e);
        }
        promisedFloor = reached;
    }

    // --- Slots ---

    private void writeSlot(long reached) {
        try {
            storeSlot(reached);
            Pages.awaitError(0);
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    private void storeSlot(long reached) {
        sequence++;
        floor = reached;
        GroupLayout.writeSlot(memory, (sequence & 1) * QueueLayout.SLOT, sequence, queueId, reached);
    }

    /** Writes both slots, so that no older floor counts if one is damaged; one after the other, so that one is whole at any time. */
    private void writeSlots(long reached) throws IOException {
        writeSlot(reached);
        force();
        writeSlot(reached);
        force();
    }

    /** Resets the group to an offset, durably. */
    public void reset(long start) throws IOException {
        if (floor >= 0 && start >= floor) {
            // First the floor: without it and the words, acknowledged records between the two would be delivered again.
            writeSlot(start);
            force();
        }
        try {
            memory.asSlice(GroupLayout.FIRST_WORD, GroupLayout.SIZE - GroupLayout.FIRST_WORD).fill((byte) 0);
            Pages.awaitError(0);
        } catch (InternalError e) {
            throw cutOff(e);
        }
        // Otherwise first the words: behind a lower floor they would acknowledge records that are wanted again.
        force();
        writeSlots(start);
        promisedFloor = start;
        promisedEnd = start;
    }

    // --- Being durable ---

    /** Called when the file cannot be forced. */
    interface Failing {
        void failed(IOException failure);
    }

    /** Sets what is called when the file cannot be forced. */
    public void failing(Failing told) {
        failing = told;
    }

    /**
     * Prepares {@link #force()}.
     *
     * @param reached all before this offset are acknowledged
     * @param end     acknowledgements from there up to this offset must become durable, too
     */
    public void beforeForce(long reached, long end) {
        if (reached != floor) {
            writeSlot(reached);
        }
        if (end > reached) {
            promisedEnd = Math.max(promisedEnd, end);
        }
    }

    /** Forces the file to the disk. Does nothing after {@link #close()}. Without the group's lock, which it would hold for long. */
    public void force() throws IOException {
        try {
            forceOnce();
        } catch (IOException e) {
            Failing told = failing;
            if (told != null) {
                told.failed(e);
            }
            throw e;
        }
    }

    private void forceOnce() throws IOException {
        synchronized (forcing) {
            if (isClosed) {
                return;
            }
            IOException before = failure;
            if (before != null) {
                // A page that could not be written once may be lost. The success of a second attempt would prove nothing.
                throw new IOException(before.getMessage(), before);
            }
            try {
                file.force(0, GroupLayout.SIZE);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }

    /** Notes that {@link #force()} has succeeded since {@link #beforeForce}. */
    public void afterForce(long reached) {
        promisedFloor = Math.max(promisedFloor, reached);
    }

    /** Writes the floor to the file, and unmaps it. */
    public void close(long reached) {
        try {
            if (reached != floor) {
                writeSlot(reached);
            }
        } finally {
            close();
        }
    }

    private void close() {
        synchronized (forcing) {
            isClosed = true;
            file.close();
        }
    }

    @Override
    public String toString() {
        return file.path().toString();
    }
}
