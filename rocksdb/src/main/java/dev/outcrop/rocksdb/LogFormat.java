package dev.outcrop.rocksdb;

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

/**
 * Looks for damage that RocksDB never gets past. Manifests and write-ahead logs consist of blocks of records, each with its checksum,
 * length and type (db/log_format.h). Where a type says that the file of an older log is used again, but the records before it did not,
 * RocksDB 11.8.1 reads the same record again and again (db/log_reader.cc); one flipped bit makes such a type.
 */
final class LogFormat {
    private static final Pattern WRITE_AHEAD_LOG = Pattern.compile("\\d+\\.log");
    private static final int BLOCK = 32 * 1024;
    private static final int HEADER = 7;
    /** With the number of the log that the record is about. */
    private static final int RECYCLED_HEADER = 11;
    private static final int COMPRESSION = 9;
    /** What RocksDB adds to checksums, see util/crc32c.h. */
    private static final int MASK_DELTA = 0xa282ead8;

    private final Path file;
    private final boolean passesDamage;
    private final boolean isFollowed;
    private final CRC32C checksum = new CRC32C();
    /** What there is of the batch that is read. */
    private LoggedBatch batch = new LoggedBatch();
    private LoggedBatch lastBatch = new LoggedBatch();
    /** The sequence number that a database has reached before the last batch. */
    private long reached = -1;
    /** Whether there may be batches whose numbers are not known: behind damage, or compressed. */
    private boolean isUnknown;
    /** Where the next record begins. */
    private long position;
    private boolean isFirstRead;
    private boolean isFragmented;
    private boolean isRecycled;

    /**
     * The beginning of a file.
     *
     * @param file         a manifest or log
     * @param passesDamage whether RocksDB reads on behind damage
     * @param isFollowed   whether a secondary instance reads it: that never gets past the records of an older log, either
     */
    LogFormat(Path file, boolean passesDamage, boolean isFollowed) {
        this.file = file;
        this.passesDamage = passesDamage;
        this.isFollowed = isFollowed;
    }

    /** Checks the manifest that a database uses. */
    static void requireManifest(Path database) {
        // No manifest uses the file of an older one.
        manifest(database).forEach(manifest -> new LogFormat(manifest, false, true).require());
    }

    /** The manifest that a database uses; none if that cannot be read, of which RocksDB says why. */
    static List<Path> manifest(Path database) {
        try {
            String name = Files.readString(database.resolve("CURRENT"), StandardCharsets.ISO_8859_1);
            return List.of(database.resolve(name.strip()).normalize());
        } catch (IOException | InvalidPathException e) {
            return List.of();
        }
    }

    /**
     * Checks the logs that a database reads when it is opened.
     *
     * @return the sequence number that it has reached at least when all of them have been read, up to the first damage; -1 if not known
     */
    static long requireLogs(Path database, Options options) {
        boolean passesDamage = options.walRecoveryMode() == WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS;
        long last = -1;
        boolean isUnknown = false;
        for (Path file : logs(database, options)) {
            LogFormat log = new LogFormat(file, passesDamage, false);
            log.require();
            last = isUnknown ? last : Math.max(last, Math.max(log.reached, log.lastBatch.lastNumber()));
            isUnknown |= log.isUnknown || log.isFragmented;
        }
        return last;
    }

    /** Checks the logs that repairing reads, which passes what is damaged. */
    static void requireLogsToRepair(Path database, Options options) {
        logs(database, options).forEach(log -> new LogFormat(log, true, false).require());
    }

    /** The files of a database's log, the oldest first; none if they cannot be listed, of which RocksDB says why. */
    static List<Path> logs(Path database, Options options) {
        try (Stream<Path> files = Files.list(WriteAheadLog.logDirectory(database, options))) {
            return files.filter(log -> WRITE_AHEAD_LOG.matcher(log.getFileName().toString()).matches())
                    .sorted(Comparator.comparingInt((Path log) -> log.toString().length())
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Checks what has not been checked yet. */
    void require() {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
            for (long start = position - position % BLOCK;; start += BLOCK) {
                block.clear();
                while (block.hasRemaining() && channel.read(block, start + block.position()) >= 0) {
                    // A read may return less than there is.
                }
                block.flip();
                if (!read(block, start) || block.limit() < BLOCK) {
                    return;
                }
                position = start + BLOCK;
            }
        } catch (IOException e) {
            // It is gone meanwhile, or RocksDB says why it cannot be read.
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
                    throw endless(type);
                }
                isRecycled = true;
                header = RECYCLED_HEADER;
                // What an older log has left in the file ends it.
                isUnknown |= block.limit() - at < header || block.getInt(at + HEADER) != (int) number();
            }
            int end = at + header + (block.getShort(at + 4) & 0xffff);
            if (end > block.limit()) {
                return damaged();
            }
            if (type == 0 && end == at + HEADER) {
                return true; // Space that was taken before it was needed, up to the end of the block.
            }
            checksum.reset();
            checksum.update(block.slice(at + 6, end - at - 6));
            if ((int) checksum.getValue() != Integer.rotateRight(block.getInt(at) - MASK_DELTA, 17)) {
                return damaged();
            }
            read(type, block, at + header, end);
            at = end;
            position = start + at;
        }
        isUnknown |= at < block.limit() && block.limit() < BLOCK;
        return true;
    }

    private long number() {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('.')));
    }

    private boolean damaged() {
        isFragmented = false;
        isUnknown = true;
        return passesDamage;
    }

    private static boolean isRecyclable(int type) {
        return (type >= 5 && type <= 8) || type == 11 || type == 131;
    }

    private void read(int type, ByteBuffer block, int from, int to) {
        switch (type) {
            case 1, 5 -> {
                isFirstRead = true;
                isFragmented = false;
                batch.clear();
                batch.add(block, from, to);
                endBatch();
            }
            case 2, 6 -> {
                isFragmented = true;
                batch.clear();
                batch.add(block, from, to);
            }
            case 3, 7 -> batch.add(block, from, to);
            case 4, 8 -> {
                batch.add(block, from, to);
                if (isFragmented) {
                    endBatch();
                }
                isFirstRead |= isFragmented;
                isFragmented = false;
            }
            case COMPRESSION -> isUnknown = true;
            default -> {
                // The middle of a record, or one about the log itself.
            }
        }
    }

    private void endBatch() {
        if (!isUnknown) {
            LoggedBatch before = lastBatch;
            lastBatch = batch;
            batch = before;
            reached = Math.max(reached, lastBatch.firstNumber() - 1);
        }
    }

    private RocksDBException endless(int type) {
        return RocksDBException.of(Status.Code.CORRUPTION, Status.SubCode.NONE, "The record at offset " + position
                + " of " + file + " has type " + type + ", for a log that uses the file of an older one again, unlike"
                + " those before it: the file is damaged, and RocksDB would read this record for ever."
                + " Restore the file from a backup, or move it away and repair the database without it");
    }
}
