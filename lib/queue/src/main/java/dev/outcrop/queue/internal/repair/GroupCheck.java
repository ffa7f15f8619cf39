package dev.outcrop.queue.internal.repair;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.GroupNames;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a consumer group's file, as it lies on the disk.
 *
 * @param file    its path
 * @param name    the group's
 * @param slots   how many of its two slots are whole
 * @param floor   the offset before which a slot says that all is acknowledged
 * @param words   how many words of acknowledgements are whole
 * @param ahead   how many records from the floor on are acknowledged
 * @param reached the first offset that is not acknowledged
 * @param damage  of the file; null if there is none
 */
public record GroupCheck(Path file, String name, int slots, long floor, long words, long ahead, long reached,
        @Nullable String damage) {
    private static final int SEQUENCE = 8;
    private static final int ID = 16;
    private static final int FLOOR = 24;
    private static final int VERSION = 36;
    private static final int CRC = 40;
    private static final int WORDS = 2048;
    private static final int SIZE = QueueLayout.PAGE + WORDS * Long.BYTES;
    private static final int BITS = 32;
    private static final int MOST_ATTEMPTS = 1000;

    /** Lists the files of the groups, in the order of their names. */
    public static List<Path> files(Path queue) throws IOException {
        Path directory = queue.resolve("groups");
        List<Path> found = Files.isDirectory(directory)
                ? QueueDirectory.list(directory, "*" + GroupNames.SUFFIX)
                : new ArrayList<>();
        found.removeIf(path -> GroupNames.decode(String.valueOf(path.getFileName())) == null);
        return found;
    }

    public static GroupCheck read(Path path, long queueId) throws IOException {
        if (!FoundSegment.isRegular(path)) {
            return unread(path, FoundSegment.NOT_REGULAR);
        }
        try (MappedFile file = MappedFile.openReadOnly(path, SIZE)) {
            MemorySegment memory = file.memory();
            if (!Pages.areReadable(memory)) {
                return unread(path, Pages.UNREADABLE);
            }
            return read(path, memory, Files.size(path), queueId);
        }
    }

    /** Reads a file that another process may be writing, as it was at one moment. */
    public static GroupCheck readBesideWriter(Path path, long queueId) throws IOException {
        try (MappedFile file = MappedFile.openReadOnly(path, SIZE); Arena arena = Arena.ofConfined()) {
            MemorySegment memory = file.memory();
            MemorySegment copy = arena.allocate(memory.byteSize(), Long.BYTES);
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                MemorySegment.copy(memory, 0, copy, 0, copy.byteSize());
                // Before the second look at the slots: a word is reused only after a slot has passed it.
                VarHandle.fullFence();
                long slots = Math.min(2L * QueueLayout.SLOT, copy.byteSize());
                if (MemorySegment.mismatch(memory, 0, slots, copy, 0, slots) < 0) {
                    break;
                }
            }
            return read(path, copy, Files.size(path), queueId);
        }
    }

    private static GroupCheck read(Path path, MemorySegment memory, long size, long queueId) {
        int slots = 0;
        boolean isForeign = false;
        long sequence = -1;
        long floor = 0;
        for (long at = 0; at <= QueueLayout.SLOT
                && at + QueueLayout.SLOT <= memory.byteSize(); at += QueueLayout.SLOT) {
            MemorySegment slot = memory.asSlice(at, QueueLayout.SLOT);
            if (!isWhole(slot)) {
                continue;
            }
            if (slot.get(QueueLayout.LONG, ID) != queueId) {
                isForeign = true;
                continue;
            }
            slots++;
            if (slot.get(QueueLayout.LONG, SEQUENCE) > sequence) {
                sequence = slot.get(QueueLayout.LONG, SEQUENCE);
                floor = slot.get(QueueLayout.LONG, FLOOR);
            }
        }
        long words = 0;
        long ahead = 0;
        long reached = floor;
        long first = floor / BITS;
        for (long block = first; size == SIZE && slots > 0 && block < first + WORDS; block++) {
            long content = memory.get(QueueLayout.LONG,
                    QueueLayout.PAGE + Math.floorMod(block, (long) WORDS) * Long.BYTES);
            if (isWord(content, queueId, block)) {
                words++;
                int bits = (int) content & from(floor, block);
                ahead += Integer.bitCount(bits);
                if (reached / BITS == block) {
                    reached += Integer.numberOfTrailingZeros(~(bits >>> (int) (reached % BITS)));
                }
            }
        }
        return new GroupCheck(path, name(path), slots, floor, words, ahead, reached, damage(size, slots, isForeign));
    }

    private static GroupCheck unread(Path path, String damage) {
        return new GroupCheck(path, name(path), 0, 0, 0, 0, 0, damage);
    }

    private static boolean isWhole(MemorySegment slot) {
        return slot.get(QueueLayout.LONG, QueueLayout.MAGIC) == QueueLayout.GROUP_MAGIC
                && slot.get(QueueLayout.INT, VERSION) == QueueLayout.VERSION
                && slot.get(QueueLayout.INT, CRC) == QueueLayout.crc(slot, 0, CRC);
    }

    private static boolean isWord(long content, long queueId, long block) {
        int high = (int) QueueLayout.mix(queueId ^ block) ^ ((int) content * 0x9E3779B1);
        return (int) (content >>> 32) == high;
    }

    /** The bits of a block from the floor on. */
    private static int from(long floor, long block) {
        return block == floor / BITS ? -1 << (int) (floor % BITS) : -1;
    }

    private static @Nullable String damage(long size, int slots, boolean isForeign) {
        if (isForeign) {
            return "it belongs to another queue";
        }
        if (slots == 0) {
            return "neither of its slots is whole";
        }
        return size == SIZE ? null : "it has " + size + " bytes instead of " + SIZE;
    }

    /** Writes the file of a new group that has acknowledged all before an offset. */
    public static void write(MemorySegment memory, long queueId, long floor) {
        memory.set(QueueLayout.LONG, QueueLayout.MAGIC, QueueLayout.GROUP_MAGIC);
        memory.set(QueueLayout.LONG, SEQUENCE, 0);
        memory.set(QueueLayout.LONG, ID, queueId);
        memory.set(QueueLayout.LONG, FLOOR, floor);
        memory.set(QueueLayout.INT, FLOOR + Long.BYTES, 0);
        memory.set(QueueLayout.INT, VERSION, QueueLayout.VERSION);
        QueueLayout.writeCrc(memory, 0, CRC);
    }

    public static int size() {
        return SIZE;
    }

    /** The name of the group with a file; the file's own name if no group can have it. */
    private static String name(Path path) {
        String file = String.valueOf(path.getFileName());
        return Objects.requireNonNullElse(GroupNames.decode(file), file);
    }
}
