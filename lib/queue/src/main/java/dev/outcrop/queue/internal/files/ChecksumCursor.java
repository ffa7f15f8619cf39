package dev.outcrop.queue.internal.files;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Computes the checksums of records for one thread. */
public final class ChecksumCursor {
    /** How often the thread meets others when it appends. */
    public final Contention contention = new Contention();
    /** The id of the thread. */
    final long thread;
    private final ByteBuffer bytes;
    private final CRC32C sum;

    ChecksumCursor(long thread, ByteBuffer bytes, CRC32C sum) {
        this.thread = thread;
        this.bytes = bytes;
        this.sum = sum;
    }

    /** Returns the checksum with the padding, because eight bytes cost as much as one. */
    public int crc(int position, int length) {
        sum.reset();
        bytes.limit(position + (int) QueueLayout.recordBytes(length)).position(position + QueueLayout.TIME);
        sum.update(bytes);
        return (int) sum.getValue();
    }
}
