package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.GarbageStarts;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Once its code is compiled, a pipeline leaves nothing for the collector with a record, however large that is, if its mapper reads a view
 * of the record; whatever the JIT compiler does. To another mapper it gives an object by which that sees the payload.
 */
@Tag("verify")
class GarbageTest {
    private static final int ROUNDS = 15;
    private static final int RECORDS = TestSize.choose("outcrop.garbage.records", 20_000, 400_000);

    @TempDir
    private Path directory;

    /** Requires that a round leaves less. */
    private void requireLess(long bytes, Form form, int records, int payload, String... options) throws Exception {
        GarbageStarts.require(left -> left < bytes,
                start -> bytes(directory.resolve("start" + start), form, records, payload, options));
    }

    /** All bytes of a round. */
    private static long bytes(Path files, Form form, int records, int payload, String... options) throws Exception {
        ChildJvm jvm = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-Xbatch")
                .option("-XX:+UseSerialGC");
        for (String option : options) {
            jvm = jvm.option(option);
        }
        String output = jvm.lines(Program.class, files, form, records, payload).getFirst();
        assertThat(output).startsWith("bytes: ");
        System.out.println("GarbageTest: " + form + " of " + records + " records of " + payload + " B: "
                + output);
        return Long.parseLong(output.substring("bytes: ".length()));
    }

    @Test
    void aViewLeavesNothingThoughNoObjectIsRemoved() throws Exception {
        requireNone(Form.PUT, RECORDS, 64);
    }

    /** A few hundred bytes remain for each batch and poll. */
    private void requireNone(Form form, int records, int payload) throws Exception {
        requireLess(records / 50 + 1000L * (records * (payload + 20L) / (64 << 10)), form, records, payload,
                "-XX:-DoEscapeAnalysis");
    }

    @ParameterizedTest
    @CsvSource({"FAMILY, 300000, 64", "MERGE, 300000, 200", "PUT, 4000, 16384"})
    @Tag("nightly")
    void norInOtherForms(Form form, int records, int payload) throws Exception {
        requireNone(form, records, payload);
    }

    /** Made of another one, which escape analysis removes. */
    @Test
    void anotherMapperGetsOneObject() throws Exception {
        requireLess(49L * RECORDS, Form.SEGMENT, RECORDS, 200);
    }

    /** The work of a mapper. */
    enum Form {
        PUT,
        MERGE,
        FAMILY,
        SEGMENT
    }

    /** Has a pipeline write again and again; prints the least garbage of many rounds. */
    static final class Program {
        private final MemorySegment key = Arena.ofAuto().allocate(Long.BYTES);
        private long pipelineThread;

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            try (Queue queue = Queue.open(directory.resolve("queue"), new QueueOptions().segmentSize(16 << 20));
                    RocksDB db = Records.database(directory.resolve("db"))) {
                System.out.println("bytes: " + new Program().least(queue, db, Form.valueOf(arguments[1]),
                        Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3])));
            }
        }

        private PipelineBuilder mapping(Queue queue, RocksDB db, Form form) {
            PipelineSource source = Pipeline.from(queue, "orders");
            ColumnFamily family = db.createColumnFamily("other", new Options());
            return switch (form) {
                case PUT -> source.map((record, writes) -> {
                    MemorySegment in = record.memory();
                    writes.put(key(record.offset()), 0, Long.BYTES, in, record.at(0, record.size()), record.size());
                });
                case MERGE -> source.map((record, writes) -> {
                    MemorySegment in = record.memory();
                    key(record.get(Records.BIG_ENDIAN, 8));
                    writes.merge(in, record.at(8, 8), 8, in, record.at(16, 8), 8);
                });
                case FAMILY -> source.map((record, writes) -> {
                    MemorySegment in = record.memory();
                    writes.in(family).put(key(record.offset()), 0, Long.BYTES, in, record.at(8, 8), 8);
                    writes.in(family).delete(in, record.at(0, 8), 8);
                });
                case SEGMENT -> source.map((offset, payload, writes) -> writes.put(key(offset), payload));
            };
        }

        private MemorySegment key(long offset) {
            if (pipelineThread == 0) {
                pipelineThread = Thread.currentThread().threadId();
            }
            key.set(Records.BIG_ENDIAN, 0, offset);
            return key;
        }

        /** For the thread that maps and the one that writes, which is there from the first full batch on. */
        private long allocated(ThreadMXBean threads) {
            long mapping = pipelineThread == 0 ? 0 : threads.getThreadAllocatedBytes(pipelineThread);
            return mapping + Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
                    .filter(thread -> thread != null && thread.getThreadName().equals("outcrop-pipeline-write-orders"))
                    .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getThreadId())).sum();
        }

        private long least(Queue queue, RocksDB db, Form form, int records, int payloadBytes)
                throws InterruptedException {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long least = Long.MAX_VALUE;
            try (Pipeline pipeline = mapping(queue, db, form).into(db)) {
                byte[] payload = new byte[payloadBytes];
                for (int round = 0; round < ROUNDS; round++) {
                    pipeline.pause();
                    for (int i = 0; i < records; i++) {
                        queue.append(payload);
                    }
                    long before = allocated(threads);
                    pipeline.resume();
                    if (!pipeline.drain(Duration.ofMinutes(5))) {
                        throw new AssertionError("not drained");
                    }
                    least = Math.min(least, allocated(threads) - before);
                }
            }
            return least;
        }
    }
}
