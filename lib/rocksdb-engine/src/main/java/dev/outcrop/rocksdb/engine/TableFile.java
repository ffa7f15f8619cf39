package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The properties at the end of a table file. RocksDB's C API cannot open a single table file, so this class searches the bytes for a
 * property. Only the index and the footer come after the block of properties (table/meta_blocks.cc). Each name in the block leaves out the
 * beginning that it shares with the previous name. Numbers are varints, so a first byte of 0 is the number 0.
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

    /** Returns whether a table names this comparator. Also true for a file that cannot be read, because RocksDB refuses such a file. */
    public static boolean mayHaveComparator(Path file, String comparator) {
        byte[] name = NativeText.bytes(comparator);
        byte[] tail = tail(file);
        boolean isThere = false;
        for (int at = 0; at + name.length <= tail.length && !isThere; at++) {
            isThere = isAt(tail, at, name);
        }
        return isThere || tail.length == 0;
    }

    /** Returns whether a property exists and is not 0. RocksDB itself refuses files that are no table files or cannot be read. */
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
        // Not through a channel: a channel does not read in an interrupted thread, but RocksDB does.
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(Math.max(0, Files.size(file) - TAIL_BYTES));
            return in.readNBytes(TAIL_BYTES);
        } catch (IOException e) {
            return new byte[0];
        }
    }
}
