package dev.outcrop.benchmarks.queue;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.ReadVerification;
import dev.outcrop.queue.RecordHandler;
import java.lang.foreign.MemorySegment;

/**
 * Our queue, with default options except for the size of its files, the background thread and durability. Consumers acknowledge the records
 * that they have read.
 */
final class OutcropAdapter implements QueueAdapter {
    /** The bytes that the format adds to a payload if the size of the payload is a multiple of 8. */
    private static final long RECORD_OVERHEAD = 24;
    private static final long SEGMENT_HEADER = 64;
    private static final long PAGE = 4096;

    private final QueueSetup setup;
    private final MemorySegment payload;
    private final Queue queue;

    OutcropAdapter(QueueSetup setup) {
        this.setup = setup;
        this.payload = QueueSetup.payload(setup.payloadBytes());
        this.queue = Queue.open(setup.directory(), new QueueOptions().segmentSize(setup.segmentBytes())
                .backgroundThread(setup.kind() != QueueKind.OUTCROP_ALONE)
                .verifyReads(setup.kind() == QueueKind.OUTCROP_VERIFYING
                        ? ReadVerification.ALWAYS
                        : ReadVerification.FIRST_READ)
                .durability(setup.isDurable() ? Durability.SYNCED : Durability.PAGE_CACHE));
        for (int group = 0; group < setup.groups(); group++) {
            // Create the groups first: a group sees at least the records that are appended after its creation.
            queue.group(name(group));
        }
    }

    /** Returns the size of a file with room for a number of records. */
    static long segmentFor(long records, int payloadBytes) {
        // Also room for one more record, with which the queue begins the file.
        long bytes = SEGMENT_HEADER + (records + 1) * (payloadBytes + RECORD_OVERHEAD);
        return Math.max(2 * PAGE, (bytes + PAGE - 1) & -PAGE);
    }

    private static String name(int group) {
        return "group-" + group;
    }

    @Override
    public Producer producer() {
        return new Appender();
    }

    @Override
    public Reader reader(int group) {
        return new Poller(group);
    }

    /** Moves to the second file. The background thread prepares all files except the first one. */
    @Override
    public int prepare(long bytes) throws InterruptedException {
        ProcessTime.awaitIdle();
        long used = SEGMENT_HEADER + setup.payloadBytes() + RECORD_OVERHEAD;
        queue.append(setup.segmentBytes() - used - RECORD_OVERHEAD, _ -> {
        });
        queue.append(payload);
        return 2;
    }

    @Override
    public void close() {
        queue.close();
    }

    private final class Appender implements Producer {
        @Override
        public void append() {
            queue.append(payload);
        }

        @Override
        public void appendDurably() {
            queue.with(Durability.SYNCED).append(payload);
        }
    }

    private final class Poller extends Reader {
        private final Consumer consumer;
        private final RecordHandler handler;
        private long last;

        Poller(int group) {
            this.consumer = queue.group(name(group)).consumer();
            this.handler = (offset, found, _) -> {
                sum += QueueSetup.sum(found, 0, found.byteSize());
                last = offset;
            };
        }

        @Override
        int read(int most) {
            int read = consumer.poll(most, handler);
            if (read > 0) {
                consumer.acknowledgeUpTo(last);
            }
            return read;
        }

        @Override
        public void close() {
            consumer.close();
        }
    }
}
