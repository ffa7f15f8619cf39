package dev.outcrop.benchmarks.demo;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The records that a side stores, in key order. They come from a file that the command line has made.
 *
 * <pre>
 * record:  +------------------+--------------------+-----------+-------------+   next record
 *          | key length (int) | value length (int) | key bytes | value bytes |   without padding
 *          +------------------+--------------------+-----------+-------------+   integers big-endian
 * </pre>
 *
 * @param keys   the keys; {@code keys.get(i)} belongs to {@code values.get(i)}
 * @param values the values
 */
record DemoRecords(List<MemorySegment> keys, List<MemorySegment> values) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Reads a file into native memory, so that no later access waits for the disk. */
    static DemoRecords read(Path file, Arena arena) throws IOException {
        MemorySegment all;
        try (FileChannel channel = FileChannel.open(file); Arena mapping = Arena.ofConfined()) {
            MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), mapping);
            all = arena.allocate(mapped.byteSize(), Long.BYTES).copyFrom(mapped);
        }
        List<MemorySegment> keys = new ArrayList<>();
        List<MemorySegment> values = new ArrayList<>();
        for (long at = 0; at < all.byteSize();) {
            int keyLength = all.get(INT, at);
            int valueLength = all.get(INT, at + Integer.BYTES);
            long key = at + 2 * Integer.BYTES;
            keys.add(all.asSlice(key, keyLength));
            values.add(all.asSlice(key + keyLength, valueLength));
            at = key + keyLength + valueLength;
        }
        return new DemoRecords(List.copyOf(keys), List.copyOf(values));
    }

    int size() {
        return keys.size();
    }

    /** Returns only the first records. */
    DemoRecords first(int count) {
        int end = Math.min(count, size());
        return new DemoRecords(keys.subList(0, end), values.subList(0, end));
    }

    /** Returns the bytes of all keys and values. */
    long bytes() {
        long bytes = 0;
        for (int i = 0; i < size(); i++) {
            bytes += keys.get(i).byteSize() + values.get(i).byteSize();
        }
        return bytes;
    }

    /** Returns the key of a record as text, for messages. */
    String name(int index) {
        return text(keys.get(index));
    }

    /** Returns bytes as text, for messages. */
    static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
