package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Uninterrupted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Finds damage that RocksDB never gets past. Manifests and write-ahead logs consist of blocks of records, each with its checksum, length and
 * type (db/log_format.h). Some types belong only to logs that reuse the file of an older log. If such a type follows other types, RocksDB
 * 11.8.1 reads the same record again and again (db/log_reader.cc). A single flipped bit makes such a type.
 */
public final class LogFormat {
    private static final Pattern WRITE_AHEAD_LOG = Pattern.compile("\\d{1,18}\\.log");
    private static final int BLOCK = 32 * 1024;
    private static final int HEADER = 7;
    /** Includes the number of the record's log. */
    private static final int RECYCLED_HEADER = 11;
    private static final int COMPRESSION = 9;
    /** RocksDB adds it to checksums, see util/crc32c.h. */
    private static final int MASK_DELTA = 0xa282ead8;

    private final Path file;
    private final boolean passesDamage;
    private final boolean isFollowed;
    private final CRC32C checksum = new CRC32C();
    /** Receives the readable parts of records. */
    private final Parts parts;
    /** The start of the next record. */
    private long position;
    private boolean isFirstRead;
    private boolean isFragmented;
    private boolean isRecycled;
    private @Nullable String endless;
    private boolean isDamaged;
    private boolean isComplete;
    /** Whether the next parts are not passed on, because they are compressed, belong to an older log, or come after damage. */
    private boolean isUnreadable;

    /** Receives the parts of records. */
    @FunctionalInterface
    public interface Parts {
        /** Receives a part, which may be the first or the last one of a record, or both. */
        void add(ByteBuffer part, boolean isFirst, boolean isLast);
    }

    /**
     * The beginning of a file.
     *
     * @param file         a manifest or log
     * @param passesDamage whether RocksDB reads on after damage
     * @param isFollowed   whether a secondary instance reads it: such an instance never gets past the records of an older log, either
     */
    public LogFormat(Path file, boolean passesDamage, boolean isFollowed) {
        this(file, passesDamage, isFollowed, (_, _, _) -> {
            // Only checked.
        });
    }

    /** The beginning of a manifest that a secondary instance reads. */
    public LogFormat(Path manifest, Parts parts) {
        this(manifest, false, true, parts);
    }

    /** The beginning of a file, with a receiver of its content. */
    public LogFormat(Path file, boolean passesDamage, boolean isFollowed, Parts parts) {
        this.file = file;
        this.passesDamage = passesDamage;
        this.isFollowed = isFollowed;
        this.parts = parts;
    }

    /** Returns the manifest that a database uses; none if CURRENT cannot be read, which RocksDB reports. */
    public static List<Path> manifest(Path database) {
        try {
            String name = Files.readString(database.resolve("CURRENT"), StandardCharsets.ISO_8859_1);
            return List.of(database.resolve(name.strip()).normalize());
        } catch (IOException | InvalidPathException e) {
            return List.of();
        }
    }

    /** Returns the logs in a directory, the oldest first; none if they cannot be listed, which RocksDB reports. */
    public static List<Path> logs(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(log -> WRITE_AHEAD_LOG.matcher(log.getFileName().toString()).matches())
                    .sorted(Comparator.comparingLong(LogFormat::number)).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the number in a log's name. */
    public static long number(Path log) {
        String name = log.getFileName().toString();
        return Long.parseLong(name, 0, name.indexOf('.'), 10);
    }

    /** Returns whether the file ended with a whole record at the last check, and had no damage before it. */
    public boolean isComplete() {
        return isRecycled || (isComplete && !isDamaged && !isFragmented && position > 0);
    }

    /** Returns whether the file may have records that were not passed on. */
    public boolean mayHaveMore() {
        return isUnreadable || isDamaged || isFragmented || !isComplete;
    }

    /** Returns the start of the first record that was not complete at the last check. */
    public long position() {
        return position;
    }

    /** Checks the new part of the file. Returns the problem with a record that RocksDB would read endlessly; null if there is none. */
    @Nullable
    public String check() {
        try {
            Uninterrupted.run(this::read);
        } catch (IOException e) {
            // The file is gone, or RocksDB reports why it cannot be read.
        }
        return endless;
    }

    private void read() throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
            for (long start = position - position % BLOCK;; start += BLOCK) {
                block.clear();
                while (block.hasRemaining() && channel.read(block, start + block.position()) >= 0) {
                    // A read may return fewer bytes than there are.
                }
                block.flip();
                if (!read(block, start) || block.limit() < BLOCK) {
                    return;
                }
                position = start + BLOCK;
            }
        }
    }

    /** Returns whether RocksDB reads on after this block. */
    private boolean read(ByteBuffer block, long start) {
        int at = (int) (position - start);
        while (block.limit() - at >= HEADER) {
            position = start + at;
            int type = block.get(at + 6) & 0xff;
            int header = HEADER;
            if (isRecyclable(type)) {
                if (isFollowed || (isFirstRead && !isRecycled)) {
                    endless = endless(type);
                    return false;
                }
                isRecycled = true;
                header = RECYCLED_HEADER;
                // Records left from an older log mark the end of the file.
                isUnreadable |= block.limit() - at < header || block.getInt(at + HEADER) != (int) number(file);
            }
            int end = at + header + (block.getShort(at + 4) & 0xffff);
            if (end > block.limit()) {
                return damaged(block);
            }
            if (type == 0 && end == at + HEADER) {
                isComplete = true;
                return true; // Preallocated space, up to the end of the block.
            }
            checksum.reset();
            checksum.update(block.slice(at + 6, end - at - 6));
            if ((int) checksum.getValue() != Integer.rotateRight(block.getInt(at) - MASK_DELTA, 17)) {
                return damaged(block);
            }
            read(type);
            if (type >= 1 && type <= 8 && !isUnreadable) {
                parts.add(block.slice(at + header, end - at - header), type % 4 == 1 || type % 4 == 2,
                        type % 4 == 1 || type % 4 == 0);
            }
            at = end;
            position = start + at;
        }
        isComplete = at == block.limit() || block.limit() == BLOCK;
        return true;
    }

    private boolean damaged(ByteBuffer block) {
        isDamaged |= block.limit() == BLOCK;
        isComplete = false;
        isFragmented = false;
        isUnreadable |= passesDamage;
        return passesDamage;
    }

    private static boolean isRecyclable(int type) {
        return (type >= 5 && type <= 8) || type == 11 || type == 131;
    }

    private void read(int type) {
        switch (type) {
            case 1, 5 -> {
                isFirstRead = true;
                isFragmented = false;
            }
            case 2, 6 -> isFragmented = true;
            case 4, 8 -> {
                isFirstRead |= isFragmented;
                isFragmented = false;
            }
            case COMPRESSION -> isUnreadable = true;
            default -> {
                // The middle of a record, or a record about the log itself.
            }
        }
    }

    private String endless(int type) {
        return "The record at offset " + position + " of " + file + " has type " + type
                + ", for a log that uses the file of an older one again, unlike those before it: the file is damaged, and"
                + " RocksDB would read this record forever. Restore the file from a backup, or move it away and repair"
                + " the database without it";
    }
}
