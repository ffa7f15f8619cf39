package dev.outcrop.benchmarks.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;

/**
 * No queue, but one mapped file: the least cost of our records in Java, or, without checksums, the JDK's own way. To append a record, a
 * thread claims a place by an atomic addition, copies the record, adds the checksum and publishes it. To read, a thread walks from header
 * to header and verifies nothing. There are no bounds, no further files, no groups, no acknowledgements, and nothing that could go wrong.
 */
final class BareFileAdapter implements QueueAdapter {
    private static final int CRC = 8;
    private static final int TIME = 16;
    private static final int HEADER = 24;
    private static final int PAGE = 4096;
    /** The size of a sparse file, which is more than threads append durably in a run. */
    private static final long DURABLE_BYTES = 1L << 30;
    private static final long KIND = 1L << 32;
    private static final long COMMITTED = 1L << 31;
    /** The distance between longs that are on separate cache lines. */
    private static final int ALONE = 32;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment payload;
    private final MemorySegment file;
    private final long base;
    private final int stride;
    private final boolean isChecked;
    /** The number of records in the upper half, and the number of bytes, divided by eight, in the lower half. */
    private final AtomicLongArray claimed = new AtomicLongArray(2 * ALONE);

    BareFileAdapter(QueueSetup setup) {
        this.payload = QueueSetup.payload(setup.payloadBytes());
        this.stride = HEADER + setup.payloadBytes();
        this.isChecked = setup.kind() == QueueKind.BARE;
        try {
            Files.createDirectories(setup.directory());
            try (FileChannel channel = FileChannel.open(setup.directory().resolve("records"),
                    StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                this.file = channel.map(FileChannel.MapMode.READ_WRITE, 0,
                        setup.isDurable() ? DURABLE_BYTES : setup.segmentBytes(), arena);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.base = file.address();
    }

    @Override
    public Producer producer() {
        return new Appender();
    }

    @Override
    public Reader reader(int group) {
        return new Walk();
    }

    @Override
    public int prepare(long bytes) {
        for (long page = 0; page < file.byteSize(); page += PAGE) {
            // An atomic operation, because the JIT compiler would remove a write of the same value.
            long _ = (long) WORD.getAndBitwiseOr(file, page, 0L);
        }
        return 0;
    }

    @Override
    public void close() {
        arena.close();
    }

    private final class Appender implements Producer {
        private final CRC32C checksum = new CRC32C();
        private final ByteBuffer bytes = EVERYTHING.asSlice(base, file.byteSize()).asByteBuffer();
        private final long now = System.currentTimeMillis();
        /** The position of the last record of this thread. */
        private int last;

        @Override
        public void append() {
            long claim = claimed.getAndAdd(ALONE, 1L << 32 | (stride >>> 3));
            long offset = claim >>> 32;
            int position = (int) claim << 3;
            if (position + (long) stride > file.byteSize()) {
                throw new IllegalStateException("Record " + offset + " does not fit into the file's " + file.byteSize()
                        + " bytes");
            }
            last = position;
            long at = base + position;
            MemorySegment.copy(payload, 0, EVERYTHING, at + HEADER, payload.byteSize());
            if (isChecked) {
                EVERYTHING.set(LONG, at + TIME, now);
                checksum.reset();
                bytes.limit(position + stride).position(position + TIME);
                checksum.update(bytes);
                EVERYTHING.set(LONG, at + CRC, KIND | (checksum.getValue() ^ offset));
            }
            // Release: a thread that sees the word sees the whole record.
            WORD.setRelease(EVERYTHING, at, (offset << 32) | COMMITTED | payload.byteSize());
        }

        @Override
        public void appendDurably() {
            append();
            file.asSlice(last, stride).force();
        }
    }

    private final class Walk extends Reader {
        private long at = base;
        private long offset;

        @Override
        int read(int most) {
            int read = 0;
            for (; read < most && at + stride <= base + file.byteSize(); read++) {
                // Acquire: pairs with the release of append.
                long word = (long) WORD.getAcquire(EVERYTHING, at);
                if (word >>> 31 != (offset << 1 | 1)) {
                    break;
                }
                int length = (int) word & Integer.MAX_VALUE;
                sum += QueueSetup.sum(EVERYTHING, at + HEADER, length);
                at += HEADER + length;
                offset++;
            }
            return read;
        }
    }
}
