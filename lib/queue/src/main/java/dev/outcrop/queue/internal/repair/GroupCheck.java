package dev.outcrop.queue.internal.repair;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.GroupLayout;
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
        try (MappedFile file = MappedFile.openReadOnly(path, GroupLayout.SIZE)) {
            MemorySegment memory = file.memory();
            if (!Pages.areReadable(memory)) {
                return unread(path, Pages.UNREADABLE);
            }
            return read(path, memory, Files.size(path), queueId);
        }
    }

    /** Reads a file that another process may be writing, as it was at one moment. */
    public static GroupCheck readBesideWriter(Path path, long queueId) throws IOException {
        try (MappedFile file = MappedFile.openReadOnly(path, GroupLayout.SIZE); Arena arena = Arena.ofConfined()) {
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
            if (!GroupLayout.isWhole(memory, at) || GroupLayout.version(memory, at) != QueueLayout.VERSION) {
                continue;
            }
            if (GroupLayout.queueId(memory, at) != queueId) {
                isForeign = true;
                continue;
            }
            slots++;
            if (GroupLayout.sequence(memory, at) > sequence) {
                sequence = GroupLayout.sequence(memory, at);
                floor = GroupLayout.floor(memory, at);
            }
        }
        long words = 0;
        long ahead = 0;
        long reached = floor;
        long first = floor / GroupLayout.WORD_OFFSETS;
        for (long block = first; size == GroupLayout.SIZE && slots > 0 && block < first + GroupLayout.WORDS; block++) {
            long word = GroupLayout.word(memory, block);
            if (GroupLayout.isOf(word, queueId, block)) {
                words++;
                int bits = (int) word & ~GroupLayout.before(floor, block);
                ahead += Integer.bitCount(bits);
                if (reached / GroupLayout.WORD_OFFSETS == block) {
                    reached += Integer.numberOfTrailingZeros(~(bits >>> (int) (reached % GroupLayout.WORD_OFFSETS)));
                }
            }
        }
        return new GroupCheck(path, name(path), slots, floor, words, ahead, reached, damage(size, slots, isForeign));
    }

    private static GroupCheck unread(Path path, String damage) {
        return new GroupCheck(path, name(path), 0, 0, 0, 0, 0, damage);
    }

    private static @Nullable String damage(long size, int slots, boolean isForeign) {
        if (isForeign) {
            return "it belongs to another queue";
        }
        if (slots == 0) {
            return "neither of its slots is whole";
        }
        return size == GroupLayout.SIZE ? null : "it has " + size + " bytes instead of " + GroupLayout.SIZE;
    }

    /** The name of the group with a file; the file's own name if no group can have it. */
    private static String name(Path path) {
        String file = String.valueOf(path.getFileName());
        return Objects.requireNonNullElse(GroupNames.decode(file), file);
    }
}
