package dev.outcrop.queue.internal.files;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes the checksums of records for one thread that appends to a segment or reads it: at once, or part by part while a record is copied.
 */
public final class ChecksumCursor {
    /** How often the thread meets others when it appends. */
    public final Contention contention = new Contention();
    /** The id of the thread. */
    final long thread;
    private final ByteBuffer bytes;
    private final CRC32C sum;
    /** The position of the record that the checksum was begun for; -1 if there is none. */
    private int begun = -1;
    /** The checksum is computed up to here. */
    private int end;

    ChecksumCursor(long thread, ByteBuffer bytes, CRC32C sum) {
        this.thread = thread;
        this.bytes = bytes;
        this.sum = sum;
    }

    /** With the padding, whatever is in it: eight bytes at once cost as much as a single one. */
    public int crc(int position, int length) {
        sum.reset();
        bytes.limit(position + (int) QueueLayout.recordBytes(length)).position(position + QueueLayout.TIME);
        sum.update(bytes);
        return (int) sum.getValue();
    }

    /** Begins the checksum of a record, unless that was done. The time of the record is there. */
    void begin(int position) {
        if (begun != position) {
            sum.reset();
            begun = position;
            end = position + QueueLayout.TIME;
        }
    }

    /** Goes on with it: the record is there up to a position, and does not change any more. */
    void addTo(int position) {
        bytes.limit(position).position(end);
        sum.update(bytes);
        end = position;
    }

    /** As {@link #crc}, and goes on with a checksum of this record if there is one. */
    int restOfCrc(int position, int length) {
        begin(position);
        addTo(position + (int) QueueLayout.recordBytes(length));
        begun = -1;
        return (int) sum.getValue();
    }
}
