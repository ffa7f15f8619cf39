package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.ChildJvm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Once its code is compiled, a pipeline leaves for the collector with a record, however large that is, only the object by which the mapper sees the payload; and
 * next to nothing with a batch. That object goes too where HotSpot compiles the mapper into the poll, which it does not do with one that adds to a batch.
 */
class GarbageTest {
    private static final int RECORDS = 50_000;
    private static final int ROUNDS = 15;

    @TempDir
    private Path directory;

    private long bytesARecord(String... options) throws Exception {
        ChildJvm jvm = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-Xbatch");
        for (String option : options) {
            jvm = jvm.option(option);
        }
        ChildJvm.Result result = jvm.run(Program.class, directory);
        String output = result.output();
        assertThat(result.exitCode()).as(output).isZero();
        assertThat(output).startsWith("bytes a record: ");
        System.out.println("GarbageTest: " + output.strip());
        return Long.parseLong(output.strip().substring("bytes a record: ".length()));
    }

    @Test
    void aRecordLeavesTheViewOfItsPayload() throws Exception {
        assertThat(bytesARecord()).isLessThanOrEqualTo(48);
    }

    /** Then it is also the bounds of a copy. */
    @Test
    void withoutEscapeAnalysisItLeavesLittleMore() throws Exception {
        assertThat(bytesARecord("-XX:-DoEscapeAnalysis")).isLessThanOrEqualTo(96);
    }

    /** Has a pipeline write again and again; prints the least garbage of many rounds. */
    static final class Program {
        private long pipelineThread;

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            try (Queue queue = Queue.open(directory.resolve("queue"), new QueueOptions().segmentSize(16 << 20));
                    RocksDB db = Records.database(directory.resolve("db"))) {
                System.out.println("bytes a record: " + new Program().least(queue, db));
            }
        }

        private long least(Queue queue, RocksDB db) throws InterruptedException {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            MemorySegment key = Arena.ofAuto().allocate(Long.BYTES);
            long least = Long.MAX_VALUE;
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                if (pipelineThread == 0) {
                    pipelineThread = Thread.currentThread().threadId();
                }
                key.set(Records.BIG_ENDIAN, 0, offset);
                writes.put(key, payload);
            }).into(db)) {
                byte[] payload = new byte[200];
                for (int round = 0; round < ROUNDS; round++) {
                    pipeline.pause();
                    for (int i = 0; i < RECORDS; i++) {
                        queue.append(payload);
                    }
                    long before = pipelineThread == 0 ? 0 : threads.getThreadAllocatedBytes(pipelineThread);
                    pipeline.resume();
                    if (!pipeline.drain(Duration.ofMinutes(5))) {
                        throw new AssertionError("not drained");
                    }
                    long bytes = (threads.getThreadAllocatedBytes(pipelineThread) - before) / RECORDS;
                    least = Math.min(least, bytes);
                }
            }
            return least;
        }
    }
}
