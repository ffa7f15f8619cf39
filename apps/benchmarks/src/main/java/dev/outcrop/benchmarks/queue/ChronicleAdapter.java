package dev.outcrop.benchmarks.queue;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.core.Memory;
import net.openhft.chronicle.core.OS;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.LargeRollCycles;
import net.openhft.chronicle.queue.util.MicroTouched;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * Chronicle Queue in its best form:
 * <ul>
 * <li>blocks of 1 GB, as in its own benchmark program, so that everything is in one mapping and no iteration maps anything;
 * <li>the roll cycle {@code HUGE_DAILY}, with one file a day and an index entry for every 1,024th record only;
 * <li>each thread has its own appender and tailer, and keeps them;
 * <li>raw bytes in native memory that is kept. They are passed to writeBytes, or copied by address into the open document, and read by
 * address from the open document, as in its benchmark program;
 * <li>tailers without names, which do not store their position;
 * <li>{@link SyncMode#NONE}; if records must be durable, {@link SyncMode#SYNC}, which does nothing by itself, and {@code sync()} after each
 * record.
 * </ul>
 */
final class ChronicleAdapter implements QueueAdapter {
    private static final long BLOCK = 1L << 30;
    private static final long PAGE = 4096;
    private static final Memory MEMORY = OS.memory();

    private final MemorySegment payload;
    private final ChronicleQueue queue;
    private final boolean isDocument;

    ChronicleAdapter(QueueSetup setup) {
        this.payload = QueueSetup.payload(setup.payloadBytes());
        this.isDocument = setup.kind() == QueueKind.CHRONICLE_DOCUMENT;
        this.queue = SingleChronicleQueueBuilder.single(setup.directory().toFile()).blockSize(BLOCK)
                .rollCycle(LargeRollCycles.HUGE_DAILY)
                .syncMode(setup.isDurable() ? SyncMode.SYNC : SyncMode.NONE).build();
    }

    @Override
    public Producer producer() {
        return new Appender();
    }

    @Override
    public Reader reader(int group) {
        return new Tail();
    }

    /** Touches the pages, like {@code MicroToucher}, which touches the next page, and the enterprise edition, which touches many. */
    @Override
    public int prepare(long bytes) {
        try (Appender one = new Appender()) {
            // The first append opens the file.
            one.append();
            Bytes<?> written = Objects.requireNonNull(one.appender.wire()).bytes();
            BytesStore<?, ?> mapped = Objects.requireNonNull(written.bytesStore());
            long end = written.writePosition() + bytes;
            for (long page = written.writePosition() & -PAGE; page < end; page += PAGE) {
                if (!mapped.inside(page, Long.BYTES)) {
                    throw new IllegalStateException("Chronicle has mapped only " + page + " bytes of " + end);
                }
                mapped.compareAndSwapLong(page, 0, 0);
            }
        }
        return 1;
    }

    @Override
    public void close() {
        queue.close();
    }

    private final class Appender implements Producer {
        private final ExcerptAppender appender = queue.createAppender();
        private final Bytes<Void> bytes = Bytes.allocateDirect(payload.byteSize());
        private final BytesStore<?, ?> source = bytes;

        Appender() {
            MEMORY.copyMemory(payload.address(), bytes.addressForWrite(0), payload.byteSize());
            bytes.writeSkip(payload.byteSize());
        }

        @Override
        public void append() {
            if (!isDocument) {
                appender.writeBytes(source);
                return;
            }
            try (DocumentContext document = appender.writingDocument()) {
                Bytes<?> target = Objects.requireNonNull(document.wire()).bytes();
                MEMORY.copyMemory(payload.address(), target.addressForWrite(target.writePosition()),
                        payload.byteSize());
                target.writeSkip(payload.byteSize());
            }
        }

        @Override
        public void appendDurably() {
            append();
            appender.sync();
        }

        @Override
        public void idle() {
            if (appender instanceof MicroTouched touched) {
                touched.microTouch();
            }
        }

        @Override
        public void close() {
            appender.close();
            bytes.releaseLast();
        }
    }

    private final class Tail extends Reader {
        private final ExcerptTailer tailer = queue.createTailer();

        @Override
        int read(int most) {
            int read = 0;
            while (read < most) {
                try (DocumentContext document = tailer.readingDocument()) {
                    if (!document.isPresent()) {
                        break;
                    }
                    Bytes<?> bytes = Objects.requireNonNull(document.wire()).bytes();
                    sum += QueueSetup.sum(EVERYTHING, bytes.addressForRead(bytes.readPosition()),
                            bytes.readRemaining());
                    read++;
                }
            }
            return read;
        }

        @Override
        public void close() {
            tailer.close();
        }
    }
}
