package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The worst that a power cut can do: the database keeps all that was written, and the queue nothing that was not brought to the disk. A
 * copy of both is made while a pipeline runs, the queue's is cut back, and a pipeline goes on from there.
 */
@Tag("verify")
class PowerCutTest {
    private static final int RUNS = TestSize.choose("outcrop.powercut.runs", 1, 20);
    /** Of a run, while its records are appended. */
    private static final int CUTS = 4;
    /** The head of a record. */
    private static final int HEAD = 24;

    @TempDir
    private Path directory;

    /** Held while a record is appended. */
    private final Object appending = new Object();

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(2 << 20).keepBytes(1L << 40);
    }

    private static byte[] payload(long number) {
        return String.format("<%08d>%50s", number, "").getBytes(StandardCharsets.US_ASCII);
    }

    /** Appends at some pace until it is interrupted. */
    private void produce(Queue queue) {
        for (long i = 0; i < 15_000 && !Thread.currentThread().isInterrupted(); i++) {
            synchronized (appending) {
                long _ = queue.append(payload(i));
            }
            if (i % 20 == 0) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /** Copies both, the database first: the queue's disk only gains records meanwhile. */
    private Path cut(Queue queue, int round) throws IOException {
        Path copy = Files.createDirectory(directory.resolve("copy" + round));
        KilledProgram.copy(directory.resolve("db"), copy.resolve("db"));
        long durable;
        // Otherwise the copy might have a part of the first record that is not durable, which is not found, and records behind it.
        synchronized (appending) {
            durable = queue.durableOffset();
            KilledProgram.copy(directory.resolve("queue"), copy.resolve("queue"));
        }
        byte[] first = Arrays.copyOf(payload(durable), 10);
        try (Stream<Path> files = Files.list(copy.resolve("queue"))) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                byte[] content = Files.readAllBytes(file);
                int at = indexOf(content, first);
                if (at >= 0) {
                    Arrays.fill(content, at - HEAD, content.length, (byte) 0);
                    Files.write(file, content);
                }
            }
        }
        return copy;
    }

    private static int indexOf(byte[] content, byte[] part) {
        for (int i = 0; i <= content.length - part.length; i++) {
            if (content[i] == part[0] && Arrays.equals(content, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        return -1;
    }

    private interface Image {
        void check(Queue queue, RocksDB db, PipelineBuilder options) throws Exception;
    }

    private void cutPower(Durability durability, int rounds, Random random, Image image) throws Exception {
        try (Queue queue = Queue.open(directory.resolve("queue"), options());
                RocksDB db = Records.database(directory.resolve("db"));
                Pipeline pipeline = Pipeline.from(queue, "orders").map(Records.mapper()).batchBytes(2000)
                        .durability(durability).into(db)) {
            Thread producer = new Thread(() -> produce(queue));
            producer.start();
            for (int round = 0; round < rounds; round++) {
                Thread.sleep(random.nextInt(30));
                PipelineFixture.waitWhile(() -> pipeline.position() == 0);
                Path copy = cut(queue, round);
                try (Queue rest = Queue.open(copy.resolve("queue"), options());
                        RocksDB kept = Records.database(copy.resolve("db"))) {
                    image.check(rest, kept, Pipeline.from(rest, "orders").map(Records.mapper()));
                }
                KilledProgram.delete(copy);
            }
            producer.interrupt();
            producer.join();
        }
    }

    @Test
    void syncedNothingIsLostOrDoubled() throws Exception {
        Random random = new Random(TestSize.seed(getClass()));
        for (int run = 0; run < RUNS; run++) {
            cutPower(Durability.SYNCED, CUTS, random, (queue, db, options) -> {
                // The copy has the same id, so it cannot run beside the original. This does the steps of a start by hand.
                Position stored = new PositionStore(db, queue, "orders").load();
                assertThat(stored).isNotNull();
                assertThat(new ResumePoint(options, "pipeline of the copy", stored).position()).isEqualTo(stored);
                assertThat(Records.requireExact(db, queue, "orders", 0)).isPositive();
            });
            KilledProgram.delete(directory.resolve("queue"));
            KilledProgram.delete(directory.resolve("db"));
        }
    }

    /** The same without: so the cut is one. */
    @Test
    void otherwiseTheLossIsFound() throws Exception {
        cutPower(Durability.PAGE_CACHE, 1, new Random(1), (queue, db, options) -> {
            Position stored = new PositionStore(db, queue, "orders").load();
            assertThat(stored).isNotNull();
            assertThatThrownBy(() -> new ResumePoint(options, "pipeline of the copy", stored).position())
                    .isInstanceOf(PipelineException.class).hasMessageContaining("the queue has lost records");
        });
    }

    /** And once more with whole pipelines, the original closed. */
    @Test
    void aPipelineGoesOnAfterThePowerCut() throws Exception {
        Path[] copies = new Path[1];
        try (Queue queue = Queue.open(directory.resolve("queue"), options());
                RocksDB db = Records.database(directory.resolve("db"));
                Pipeline pipeline = Pipeline.from(queue, "orders").map(Records.mapper()).batchBytes(2000)
                        .durability(Durability.SYNCED).into(db)) {
            Thread producer = new Thread(() -> produce(queue));
            producer.start();
            PipelineFixture.waitWhile(() -> pipeline.position() == 0);
            copies[0] = cut(queue, 0);
            producer.interrupt();
            producer.join();
        }
        try (Queue rest = Queue.open(copies[0].resolve("queue"), options());
                RocksDB kept = Records.database(copies[0].resolve("db"));
                Pipeline pipeline = Pipeline.from(rest, "orders").map(Records.mapper()).into(kept)) {
            rest.append(payload(99));
            assertThat(pipeline.drain(Duration.ofMinutes(5))).isTrue();
            assertThat(Records.requireExact(kept, rest, "orders", 0)).isEqualTo(rest.nextOffset());
        }
    }
}
