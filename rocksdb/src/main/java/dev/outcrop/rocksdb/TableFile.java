package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the end of a table file says about its content. RocksDB's C API opens no table file by itself, so the property is looked for:
 * the block of properties comes last but for its index and the footer (table/meta_blocks.cc), its names share only what they have in
 * common with the one before, and numbers are varints, so that a first byte of 0 is the number 0.
 */
final class TableFile {
    /** More than all properties, the index of blocks and the footer need. */
    private static final int TAIL_BYTES = 1 << 20;
    /** The end of {@code rocksdb.merge.operands}, which differs from every name before it. */
    private static final byte[] MERGES = "merge.operands".getBytes(StandardCharsets.US_ASCII);
    /** The end of {@code rocksdb.num.range-deletions}. */
    private static final byte[] RANGE_DELETIONS = "range-deletions".getBytes(StandardCharsets.US_ASCII);

    private TableFile() {
    }

    /** Refuses files with merges where there is no operator: RocksDB ends the process when it reads them. */
    static void requireNoMerges(List<Path> files, String family, boolean hasMergeOperator) {
        for (Path file : files) {
            if (!hasMergeOperator && isPositive(file, MERGES)) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "The file " + file
                        + " holds merges, and the " + family + " has no merge operator;"
                        + " give it the one that the merges are for: new Options().mergeOperator(…)");
            }
        }
    }

    /**
     * Refuses files whose keys are not in the order of a column family with timestamps: RocksDB ends the process where it looks for the
     * timestamp of a key that is shorter than one.
     */
    static void requireOrder(List<Path> files, String family, Options options) {
        if (options.timestampSize() == 0) {
            return;
        }
        String order = options.comparatorName();
        byte[] name = NativeText.bytes(order);
        for (Path file : files) {
            byte[] tail = tail(file);
            boolean isThere = false;
            for (int at = 0; at + name.length <= tail.length && !isThere; at++) {
                isThere = isAt(tail, at, name);
            }
            if (tail.length > 0 && !isThere) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "The file " + file
                        + " is no table with the comparator " + order + ", which the " + family
                        + " has; write it with new Options().comparator(…) of the same name");
            }
        }
    }

    static boolean hasRangeDeletions(Path file) {
        return isPositive(file, RANGE_DELETIONS);
    }

    /** Whether a property is there and not 0. What is no table file, or cannot be read, RocksDB refuses itself. */
    private static boolean isPositive(Path file, byte[] property) {
        byte[] tail = tail(file);
        for (int at = tail.length - property.length - 1; at >= 0; at--) {
            if (isAt(tail, at, property)) {
                return tail[at + property.length] != 0;
            }
        }
        return false;
    }

    private static boolean isAt(byte[] bytes, int at, byte[] part) {
        for (int i = 0; i < part.length; i++) {
            if (bytes[at + i] != part[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] tail(Path file) {
        // Not through a channel, which would not read in a thread that was interrupted; RocksDB would.
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(Math.max(0, Files.size(file) - TAIL_BYTES));
            return in.readNBytes(TAIL_BYTES);
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
