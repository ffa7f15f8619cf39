package dev.outcrop.queue.internal.repair;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.GroupNames;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of a consumer group as it lies on the disk.
 *
 * @param found  what is in it
 * @param damage what is wrong with it; null if nothing is
 */
public record GroupCheck(Findings.Group found, @Nullable String damage) {
    private static final int SEQUENCE = 8;
    private static final int ID = 16;
    private static final int FLOOR = 24;
    private static final int VERSION = 36;
    private static final int CRC = 40;
    private static final int WORDS = 2048;
    private static final int SIZE = QueueLayout.PAGE + WORDS * Long.BYTES;
    private static final int BITS = 32;

    /** The groups' files, in the order of their names. */
    public static List<Path> files(Path queue) throws IOException {
        Path directory = queue.resolve("groups");
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + GroupNames.SUFFIX)) {
                files.forEach(found::add);
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        found.removeIf(path -> GroupNames.decode(String.valueOf(path.getFileName())) == null);
        found.sort(null);
        return found;
    }

    public static GroupCheck read(Path path, long queueId) throws IOException {
        if (!Files.isRegularFile(path)) {
            return new GroupCheck(new Findings.Group(path, name(path), 0, 0, 0, 0), "it is no file");
        }
        try (MappedFile file = MappedFile.openReadOnly(path)) {
            MemorySegment memory = file.memory();
            if (!Pages.areReadable(memory)) {
                return new GroupCheck(new Findings.Group(path, name(path), 0, 0, 0, 0), Pages.UNREADABLE);
            }
            long size = memory.byteSize();
            int slots = 0;
            boolean isForeign = false;
            long sequence = -1;
            long floor = 0;
            for (long at = 0; at <= QueueLayout.SLOT && at + QueueLayout.SLOT <= size; at += QueueLayout.SLOT) {
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
            for (int word = 0; size == SIZE && slots > 0 && word < WORDS; word++) {
                long content = memory.get(QueueLayout.LONG, QueueLayout.PAGE + (long) word * Long.BYTES);
                // The block of 32 offsets, from the floor's on, that this word is for.
                long block = floor / BITS + Math.floorMod(word - floor / BITS, WORDS);
                if (isWord(content, queueId, block)) {
                    words++;
                    ahead += Integer.bitCount((int) content & from(floor, block));
                }
            }
            return new GroupCheck(new Findings.Group(path, name(path), slots, floor, words, ahead),
                    damage(size, slots, isForeign));
        }
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

    /** The bits of a block that are not before the floor. */
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

    /** What the file of a new group holds that has acknowledged all before an offset. */
    public static void write(MemorySegment memory, long queueId, long floor) {
        memory.set(QueueLayout.LONG, QueueLayout.MAGIC, QueueLayout.GROUP_MAGIC);
        memory.set(QueueLayout.LONG, SEQUENCE, 0);
        memory.set(QueueLayout.LONG, ID, queueId);
        memory.set(QueueLayout.LONG, FLOOR, floor);
        memory.set(QueueLayout.INT, FLOOR + Long.BYTES, 0);
        memory.set(QueueLayout.INT, VERSION, QueueLayout.VERSION);
        memory.set(QueueLayout.INT, CRC, QueueLayout.crc(memory, 0, CRC));
    }

    public static int size() {
        return SIZE;
    }

    /** The name of a group, from that of its file; the file's own if it is none that a group can have. */
    private static String name(Path path) {
        String file = String.valueOf(path.getFileName());
        String encoded = file.substring(0, file.length() - GroupNames.SUFFIX.length());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < encoded.length(); i++) {
            if (encoded.charAt(i) != '%') {
                bytes.write(encoded.charAt(i));
                continue;
            }
            try {
                bytes.write(Integer.parseInt(encoded, i + 1, i + 3, 16));
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                return encoded;
            }
            i += 2;
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
