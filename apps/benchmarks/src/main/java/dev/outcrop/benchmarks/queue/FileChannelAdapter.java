package dev.outcrop.benchmarks.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * No queue, but the JDK's own way to store records in one file. One write appends a record and its length, which comes first. Large reads
 * read many records. {@code force} writes the records to the disk. There are no checksums, groups or acknowledgements. After a crash, the
 * file may end within a record.
 */
final class FileChannelAdapter implements QueueAdapter {
    private static final int HEADER = 8;
    private static final int READ_BYTES = 256 << 10;

    private final MemorySegment payload;
    private final Path file;
    private final FileChannel channel;

    FileChannelAdapter(QueueSetup setup) {
        this.payload = QueueSetup.payload(setup.payloadBytes());
        this.file = setup.directory().resolve("records");
        try {
            Files.createDirectories(setup.directory());
            this.channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Producer producer() {
        return new Appender();
    }

    @Override
    public Reader reader(int group) {
        return new FileReader();
    }

    /** Does nothing, because a write needs no prepared pages. */
    @Override
    public int prepare(long bytes) {
        return 0;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Appender implements Producer {
        private final MemorySegment record = Arena.global().allocate(HEADER + payload.byteSize(), Long.BYTES);
        private final ByteBuffer out = record.asByteBuffer();

        @Override
        public void append() {
            try {
                // Copies the caller's bytes, as all sides do.
                record.set(ValueLayout.JAVA_LONG, 0, payload.byteSize());
                MemorySegment.copy(payload, 0, record, HEADER, payload.byteSize());
                if (channel.write(out.clear()) != out.limit()) {
                    throw new IllegalStateException("Only a part of a record was written to " + file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void appendDurably() {
            append();
            try {
                channel.force(false);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final class FileReader extends Reader {
        private final FileChannel in;
        private final MemorySegment memory = Arena.global()
                .allocate(Math.max(READ_BYTES, 2 * (HEADER + payload.byteSize())), Long.BYTES);
        private final ByteBuffer bytes = memory.asByteBuffer().order(ByteOrder.nativeOrder()).limit(0);

        FileReader() {
            try {
                in = FileChannel.open(file, StandardOpenOption.READ);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        int read(int most) {
            int read = 0;
            while (read < most) {
                if (!isRecordThere() && !isMoreRead()) {
                    break;
                }
                if (!isRecordThere()) {
                    continue;
                }
                int length = (int) bytes.getLong(bytes.position());
                int at = bytes.position() + HEADER;
                sum += QueueSetup.sum(EVERYTHING, memory.address() + at, length);
                bytes.position(at + length);
                read++;
            }
            return read;
        }

        private boolean isRecordThere() {
            return bytes.remaining() >= HEADER
                    && bytes.remaining() >= HEADER + bytes.getLong(bytes.position());
        }

        /** Returns false at the end of the file. */
        private boolean isMoreRead() {
            try {
                bytes.compact();
                int read = in.read(bytes);
                bytes.flip();
                return read > 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
