package dev.outcrop.cli.pipe;

import dev.outcrop.rocksdb.ColumnFamily;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Collects the items of a {@link Chunk}. */
final class ChunkBuilder {
    /** A chunk ends after so many bytes. */
    private static final int ENOUGH = 64 << 10;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * ENOUGH);
    private final DataOutputStream items = new DataOutputStream(bytes);
    private int entries;
    private int refused;

    void entry(boolean isMerge, byte[] key, byte[] value) {
        add(isMerge ? Chunk.MERGE : Chunk.PUT, key, value);
        entries++;
    }

    /** Adds a rejected record, with the reason. */
    void refused(String reason, byte[] record) {
        add(Chunk.REFUSED, reason.getBytes(StandardCharsets.UTF_8), record);
        refused++;
    }

    private void add(byte kind, byte[] first, byte[] second) {
        try {
            items.writeByte(kind);
            items.writeInt(first.length);
            items.writeInt(second.length);
            items.write(first);
            items.write(second);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of memory: it does not happen
        }
    }

    boolean isFull() {
        return bytes.size() >= ENOUGH;
    }

    int entries() {
        return entries;
    }

    int refused() {
        return refused;
    }

    /** Makes the record of the queue, and clears this. */
    byte[] take(String family, String source, Mark mark) {
        byte[] ofFamily = ColumnFamily.bytesOf(family);
        byte[] ofSource = source.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream record = new ByteArrayOutputStream(
                Chunk.NAMES + ofFamily.length + ofSource.length + bytes.size());
        DataOutputStream out = new DataOutputStream(record);
        try {
            out.writeLong(Chunk.MAGIC);
            out.writeInt(Chunk.VERSION);
            out.writeInt(entries);
            out.writeInt(refused);
            out.writeInt(mark.checksum());
            out.writeLong(mark.position());
            out.writeLong(mark.lines());
            out.writeInt(ofFamily.length);
            out.writeInt(ofSource.length);
            out.write(ofFamily);
            out.write(ofSource);
            bytes.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of memory: it does not happen
        }
        bytes.reset();
        entries = 0;
        refused = 0;
        return record.toByteArray();
    }
}
