package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Appending leaves nothing for the collector once its code is compiled, in whatever form the payload comes; several at once leave the
 * object that holds them together.
 */
class AppendGarbageTest {
    private static final int BATCH_OBJECT = 24;

    @TempDir
    private Path directory;

    /** In a JVM of its own for each form, as in a program that uses one. */
    @ParameterizedTest
    @EnumSource
    void nothingIsLeft(Form form) throws Exception {
        ChildJvm.Result result = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-Xbatch")
                .run(Program.class, directory, form);
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().strip())
                .isEqualTo("bytes: " + (form == Form.BATCH ? Program.APPENDS * BATCH_OBJECT : 0));
    }

    /** In what form a payload is appended. */
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

    /** What is appended. */
    static final class Sources {
        final MemorySegment segment = Arena.global().allocate(64);
        final byte[] array = new byte[64];
        final RecordWriter writer = to -> to.copyFrom(segment);
        final ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        final List<MemorySegment> batch = List.of(segment, segment);
    }

    /** Appends in rounds, a few of them to each file; prints the least garbage of a round. */
    static final class Program {
        private static final int APPENDS = 2_000;
        private static final int ROUNDS = 60;

        private Program() {
        }

        public static void main(String[] arguments) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            Form form = Form.valueOf(arguments[1]);
            Sources from = new Sources();
            long least = Long.MAX_VALUE;
            try (Queue queue = Queue.open(Path.of(arguments[0]).resolve("queue"),
                    new QueueOptions().segmentSize(1 << 20).keepBytes(1 << 22))) {
                for (int round = 0; round < ROUNDS; round++) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < APPENDS; i++) {
                        form.append(queue, from);
                    }
                    least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                }
            }
            System.out.println("bytes: " + least);
        }
    }
}
