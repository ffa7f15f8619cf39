package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The properties at the end of a table file. RocksDB's C API opens no table file by itself, so a property is searched for:
 * the block of properties comes last but for its index and the footer (table/meta_blocks.cc), its names share only what they have in
 * common with the one before, and numbers are varints, so that a first byte of 0 is the number 0.
 */
public final class TableFile {
    /** More than all properties, the index of blocks and the footer need. */
    private static final int TAIL_BYTES = 1 << 20;
    /** The end of {@code rocksdb.merge.operands}, which differs from every name before it. */
    private static final byte[] MERGES = "merge.operands".getBytes(StandardCharsets.US_ASCII);
    /** The end of {@code rocksdb.num.range-deletions}. */
    private static final byte[] RANGE_DELETIONS = "range-deletions".getBytes(StandardCharsets.US_ASCII);

    private TableFile() {
    }

    public static boolean hasMerges(Path file) {
        return isPositive(file, MERGES);
    }

    public static boolean hasRangeDeletions(Path file) {
        return isPositive(file, RANGE_DELETIONS);
    }

    /** Whether a table names its comparator so; also true for a file that cannot be read, which RocksDB refuses. */
    public static boolean mayHaveComparator(Path file, String comparator) {
        byte[] name = NativeText.bytes(comparator);
        byte[] tail = tail(file);
        boolean isThere = false;
        for (int at = 0; at + name.length <= tail.length && !isThere; at++) {
            isThere = isAt(tail, at, name);
        }
        return isThere || tail.length == 0;
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
