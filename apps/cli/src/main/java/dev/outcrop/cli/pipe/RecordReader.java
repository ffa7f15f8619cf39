package dev.outcrop.cli.pipe;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Splits an input into records, and knows the position after each record. It reads when the buffer has no whole record. Only then does it
 * skip bytes, so {@link #taken} is always a position after a record that was {@linkplain #pass passed}.
 */
final class RecordReader {
    /** The size of the longest record. */
    static final int LONGEST = 8 << 20;
    /** How many bytes of a longer record are kept. */
    private static final int KEPT = 64 << 10;
    private static final int BUFFER = 64 << 10;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final ReadableByteChannel channel;
    private final RecordEnd ends;
    private final CRC32C checksum = new CRC32C();
    private byte[] buffer = new byte[BUFFER];
    /** The checksum covers the buffer up to this index, which is not beyond the start. */
    private int summed;
    private int start;
    private int scanned;
    private int limit;
    /** The end of the record that was found; -1 if no record was found. */
    private int found = -1;
    private long position;
    private long lines;
    private byte last = '\n';
    /** The beginning of a record that is too long. The bytes of the record before the start were skipped. */
    private byte @Nullable [] beginning;
    private long passedOver;
    private long passedLines;

    /**
     * A part of the input.
     *
     * @param content   the bytes without the line end, only the first bytes if the record is too long; valid until the record is passed
     * @param line      the number of its first line, from 1 on
     * @param isTooLong whether it is longer than {@link #LONGEST}
     * @param isUnended whether the input has ended within a quotation
     */
    record Raw(MemorySegment content, long line, boolean isTooLong, boolean isUnended) {
        byte[] bytes() {
            return content.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    RecordReader(ReadableByteChannel channel, RecordEnd ends) {
        this.channel = channel;
        this.ends = ends;
    }

    /**
     * Returns the next record; null if the buffer has no whole record. Returns the same record until it is {@linkplain #pass passed}. The
     * last record needs no line end.
     */
    @Nullable
    Raw next(boolean isLast) {
        int from = start + byteOrderMark();
        if (found < 0) {
            if (limit - start < BYTE_ORDER_MARK.length && position == 0 && !isLast) {
                // A byte order mark may be incomplete.
                return null;
            }
            scanned = Math.max(scanned, from);
            found = ends.find(buffer, scanned, limit);
            scanned = limit;
        }
        boolean isUnended = false;
        int to;
        if (found >= 0) {
            to = found - 1;
        } else if (isLast && (limit > from || beginning != null)) {
            isUnended = ends.isWithin();
            ends.reset();
            found = limit;
            to = limit;
        } else {
            return null;
        }
        byte[] cut = beginning;
        if (cut != null) {
            return new Raw(MemorySegment.ofArray(cut), lines + 1, true, isUnended);
        }
        if (to > from && buffer[to - 1] == '\r') {
            to--;
        }
        return new Raw(MemorySegment.ofArray(buffer).asSlice(from, to - from), lines + 1, false, isUnended);
    }

    /** Returns the length of the UTF-8 byte order mark, which belongs to no record. */
    private int byteOrderMark() {
        return position == 0 && beginning == null && Arrays.equals(buffer, start,
                Math.min(limit, start + BYTE_ORDER_MARK.length), BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length)
                        ? BYTE_ORDER_MARK.length
                        : 0;
    }

    /** Passes the record that was found. */
    void pass() {
        // If found is start, the record was too long and has ended with the input.
        last = found > start ? buffer[found - 1] : 0;
        lines += passedLines + lineFeeds(start, found) + (last == '\n' ? 0 : 1);
        position += passedOver + found - start;
        start = found;
        scanned = found;
        found = -1;
        beginning = null;
        passedOver = 0;
        passedLines = 0;
    }

    private long lineFeeds(int from, int to) {
        long count = 0;
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\n') {
                count++;
            }
        }
        return count;
    }

    /** Returns the number of bytes up to the end of the last record that was passed. */
    long position() {
        return position;
    }

    /** Returns the number of lines up to the same place. */
    long lines() {
        return lines;
    }

    /** Returns the position after the last record that was passed. */
    Position taken() {
        sum(start);
        return new Position(position, lines, (int) checksum.getValue());
    }

    private void sum(int to) {
        checksum.update(buffer, summed, to - summed);
        summed = to;
    }

    /** Reads more bytes. Returns false if there are none yet. */
    boolean fill() throws IOException {
        sum(start);
        System.arraycopy(buffer, start, buffer, 0, limit - start);
        limit -= start;
        scanned -= start;
        start = 0;
        summed = 0;
        if (limit == LONGEST) {
            passOver();
        } else if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * limit);
        }
        int read = channel.read(ByteBuffer.wrap(buffer, limit, buffer.length - limit));
        limit += Math.max(0, read);
        return read > 0;
    }

    private void passOver() {
        if (beginning == null) {
            beginning = Arrays.copyOf(buffer, KEPT);
        }
        passedOver += limit;
        passedLines += lineFeeds(0, limit);
        sum(limit);
        summed = 0;
        scanned = 0;
        limit = 0;
    }

    /** Skips the part that was taken before. Returns whether that part is unchanged. */
    boolean skip(Position known) throws IOException {
        while (position < known.bytes()) {
            if (start == limit && !fill()) {
                return false;
            }
            int count = (int) Math.min(limit - start, known.bytes() - position);
            position += count;
            start += count;
            scanned = start;
            last = buffer[start - 1];
        }
        lines = known.lines();
        return taken().equals(known);
    }

    /**
     * Passes the line end of an input that ended without a line end before but has one now. Returns false if the last line, which was
     * taken, has become longer.
     */
    boolean endLine() throws IOException {
        if (last == '\n') {
            return true;
        }
        while (limit - start < 2 && fill()) {
            // A line end may have two bytes.
        }
        if (limit == start) {
            return true;
        }
        int size = buffer[start] == '\n' ? 1 : 2;
        if (start + size > limit || buffer[start + size - 1] != '\n'
                || (size == 2 && buffer[start] != '\r')) {
            return false;
        }
        position += size;
        start += size;
        scanned = start;
        last = '\n';
        return true;
    }
}
