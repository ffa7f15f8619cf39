package dev.outcrop.queue;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.GarbageStarts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compiled appends leave no garbage, in any form of the payload; several at once leave the object of the batch. */
@Tag("verify")
class AppendGarbageTest {
    private static final int BATCH_OBJECT = 24;

    @TempDir
    private Path directory;

    /** In a JVM of its own for each form, as in a program that uses one. */
    @ParameterizedTest
    @OneOf(7)
    @EnumSource
    void nothingIsLeft(Form form) throws Exception {
        assertNothingIsLeft(form, 64);
    }

    @ParameterizedTest
    @OneOf(5)
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"WRITER", "BATCH"})
    void nothingIsLeftOfLargePayloads(Form form) throws Exception {
        assertNothingIsLeft(form, 8 << 10);
    }

    private void assertNothingIsLeft(Form form, int length) throws Exception {
        String expected = "bytes: " + (form == Form.BATCH ? Program.appends(length) * BATCH_OBJECT : 0);
        GarbageStarts.require(List.of(expected)::equals, start -> Children.forGarbage().lines(Program.class,
                directory.resolve("queue" + start), form, length));
    }

    /** As many threads as a segment has cursors. They take turns, so that each finds what the others have left. */
    @Test
    void nothingIsLeftOfManyProducers() throws Exception {
        GarbageStarts.require(List.of("bytes: 0")::equals, start -> Children.forGarbage()
                .lines(ManyProducers.class, directory.resolve("queue" + start)));
    }

    enum Form {
        SEGMENT,
        ARRAY,
        BUFFER,
        PARTS,
        WRITER,
        BATCH,
        VIEW;

        private void append(Queue queue, Sources from) {
            long _ = switch (this) {
                case SEGMENT -> queue.append(from.segment);
                case ARRAY -> queue.append(from.array);
                case BUFFER -> queue.append(from.buffer);
                case PARTS -> queue.append(from.segment, from.segment);
                case WRITER -> queue.append(from.array.length, from.writer);
                case BATCH -> queue.append(from.batch);
                case VIEW -> queue.with(Durability.PAGE_CACHE).append(from.segment);
            };
        }
    }

    static final class Sources {
        final MemorySegment segment;
        final byte[] array;
        final RecordWriter writer;
        final ByteBuffer buffer;
        final List<MemorySegment> batch;

        Sources(int length) {
            segment = Arena.global().allocate(length);
            array = new byte[length];
            writer = to -> to.copyFrom(segment);
            buffer = ByteBuffer.allocateDirect(length);
            batch = List.of(segment, segment);
        }
    }

    /** Appends in rounds, a few of them to each file; prints the least garbage of a round. */
    static final class Program {
        /** The number of small records. */
        private static final int APPENDS = 120_000;
        /** The number of large records, which take longer. */
        private static final int LARGE_APPENDS = 30_000;
        /** The bytes of a round, which must be a part of a file. */
        private static final int BYTES = 128_000;

        static int appends(int length) {
            return BYTES / length;
        }

        public static void main(String[] arguments) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            Form form = Form.valueOf(arguments[1]);
            int length = Integer.parseInt(arguments[2]);
            Sources from = new Sources(length);
            long least = Long.MAX_VALUE;
            try (Queue queue = Queue.open(Path.of(arguments[0]),
                    new QueueOptions().segmentSize(1 << 20).keepBytes(1 << 22))) {
                for (int round = 0; round < (length > 1000 ? LARGE_APPENDS : APPENDS) / appends(length); round++) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < appends(length); i++) {
                        form.append(queue, from);
                    }
                    least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                }
            }
            System.out.println("bytes: " + least);
        }
    }

    /** Many threads append, one after the other, again and again; prints the least garbage of a round. */
    static final class ManyProducers {
        private static final int PRODUCERS = 48;
        private static final int ROUNDS = 400;

        public static void main(String[] arguments) throws Exception {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            MemorySegment payload = Arena.global().allocate(64);
            long[] garbage = new long[ROUNDS];
            List<ExecutorService> producers = new ArrayList<>();
            try (Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(1 << 20))) {
                for (int i = 0; i < PRODUCERS; i++) {
                    producers.add(Executors.newSingleThreadExecutor());
                }
                for (int round = 0; round < ROUNDS; round++) {
                    for (ExecutorService producer : producers) {
                        garbage[round] += producer.submit(() -> {
                            long before = threads.getCurrentThreadAllocatedBytes();
                            queue.append(payload);
                            return threads.getCurrentThreadAllocatedBytes() - before;
                        }).get();
                    }
                }
            } finally {
                producers.forEach(ExecutorService::shutdown);
            }
            System.out.println("bytes: " + Arrays.stream(garbage).min().orElseThrow());
        }
    }
}
