package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.StartArchive;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Processes that append and consume are killed at random moments, again and again: nothing is lost that they were told is in the queue, and
 * nothing comes that was not appended just so. {@code -Doutcrop.crash.rounds=} says how many of each are killed,
 * {@code -Doutcrop.seed=} repeats the moments, as far as that can be. Producers and consumers are killed at the same time, because
 * their processes mostly start.
 */
@Tag("verify")
class CrashTest extends QueueFixture {
    private static final int ROUNDS = TestSize.choose("outcrop.crash.rounds", 3, 1000);
    private static final int MOST_ROUNDS = ROUNDS + 20;
    private static final int MOST_SEGMENTS = 20;
    private static final long OPENING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MOST_PROGRESS = 2000;
    private static final long SEED = TestSize.seed(CrashTest.class);

    /** For a few starts, an archive takes longer than it saves. */
    private static List<String> fast = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"));

    private final Random random = new Random(SEED);

    @BeforeAll
    static void prepareStarts(@TempDir Path jars) throws Exception {
        if (!TestSize.isNightly()) {
            return;
        }
        fast = new StartArchive(jars, QueueClasses.class, jars.resolve("queue")).options();
    }

    /** Lets a child run until it has done so much; in one of four rounds only while it opens the queue. */
    private void killAtRandom(int round, RunningJvm child, Report report, LongSupplier progress, Runnable meanwhile)
            throws IOException {
        if (Math.floorMod(SEED + round, 4) == 0) {
            await(child, () -> report.get(ProduceProgram.RUNS) != 0, meanwhile);
            long end = System.nanoTime() + random.nextLong(OPENING_NANOS);
            await(child, () -> System.nanoTime() - end >= 0, meanwhile);
        } else {
            long enough = random.nextLong(MOST_PROGRESS);
            await(child, () -> report.get(ProduceProgram.IS_OPEN) != 0 && progress.getAsLong() >= enough, meanwhile);
        }
        assertThat(child.isAlive()).as("until it is killed").isTrue();
        child.kill();
    }

    private static void await(RunningJvm child, BooleanSupplier condition, Runnable meanwhile) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ChildJvm.MOST_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw child.hung();
            }
            if (!child.isAlive()) {
                throw new AssertionError("The child has ended with " + child.exitValue());
            }
            meanwhile.run();
        }
    }

    // --- A producer ---

    /** Which record of which producer was read at each offset. */
    private static final class Seen {
        final Map<Integer, Long> next = new HashMap<>();
        final List<Integer> crcs = new ArrayList<>();
        final List<Long> offsets = new ArrayList<>();

        /** Reads the present records, and checks that the records of each producer come in order, each once, and none is torn. */
        void readOn(Tailer tailer) {
            while (tailer.poll()) {
                Payloads.Id payload = Payloads.intact(tailer.segment());
                long expected = next.getOrDefault(payload.producer(), 0L);
                if (payload.number() != expected) {
                    throw new AssertionError("record " + tailer.offset() + " is " + payload + ", not " + expected);
                }
                next.put(payload.producer(), expected + 1);
                offsets.add(tailer.offset());
                crcs.add(crc(tailer.segment().toArray(ValueLayout.JAVA_BYTE)));
            }
        }

        private static int crc(byte[] bytes) {
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            return (int) crc.getValue();
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void nothingThatWasAppendedIsLost() throws IOException {
        Queue.open(directory(), new QueueOptions().segmentSize(ProduceProgram.SEGMENT_SIZE)).close();
        Map<Integer, Long> appended = new HashMap<>();
        long durable = 0;
        Seen seen = new Seen();
        // Reads the children's records while they append, before any recovery.
        try (Tailer tailer = Tailer.open(directory())) {
            // More, where all were killed before they had something on the disk.
            for (int round = 0; round < ROUNDS || (round < MOST_ROUNDS && durable <= ROUNDS / 2); round++) {
                Report report = new Report(temporary.resolve("report" + round), ProduceProgram.REPORT_BYTES);
                int number = round * ProduceProgram.PRODUCERS;
                try (RunningJvm child = RunningJvm.start(fast, ProduceProgram.class, directory(),
                        temporary.resolve("report" + round), number, random.nextLong())) {
                    killAtRandom(round, child, report,
                            () -> report.get(ProduceProgram.APPENDED) + report.get(ProduceProgram.APPENDED + 1), () -> {
                                seen.readOn(tailer);
                                LockSupport.parkNanos(100_000);
                            });
                }
                for (int i = 0; i < ProduceProgram.PRODUCERS; i++) {
                    long told = report.get(ProduceProgram.APPENDED + i);
                    assertThat(told).isGreaterThanOrEqualTo(report.get(ProduceProgram.DURABLE + i));
                    appended.put(number + i, told);
                    durable += report.get(ProduceProgram.DURABLE + i);
                }
                if (random.nextInt(10) == 0) {
                    checkAll(appended);
                }
            }
            Queue.open(directory()).close();
            seen.readOn(tailer);
        }
        Seen all = checkAll(appended);
        assertThat(seen.offsets).as("what was seen while it was appended").isEqualTo(all.offsets);
        assertThat(seen.crcs).isEqualTo(all.crcs);
        System.out.println("CrashTest: " + all.offsets.size() + " records, " + durable + " of them durable, in "
                + QueueFiles.verify(directory()).segments().size() + " segments");
        assertThat(durable).isGreaterThan(ROUNDS / 2);
    }

    /** Opens the queue, reads all of it, and compares it with what was appended. */
    private Seen checkAll(Map<Integer, Long> appended) {
        long next;
        try (Queue queue = Queue.open(directory())) {
            next = queue.nextOffset();
        }
        Seen all = new Seen();
        try (Tailer tailer = Tailer.open(directory())) {
            all.readOn(tailer);
            assertThat(tailer.nextOffset()).isEqualTo(next);
        }
        appended.forEach((producer, told) -> {
            // One more may be there, of which it was not told.
            assertThat(all.next.getOrDefault(producer, 0L)).as("records of producer " + producer).isIn(told, told + 1);
        });
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.damages()).isEmpty();
        assertThat(check.notes()).isEmpty();
        return all;
    }

    // --- A producer and a consumer ---

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void groupsGoOnWhereTheyWere() throws IOException, InterruptedException {
        Path file = temporary.resolve("acknowledged");
        Report acknowledged = new Report(file, (long) MOST_ROUNDS * ConsumeProgram.MOST);
        List<Long> appended = new ArrayList<>();
        long consumed = 0;
        for (int round = 0; round < ROUNDS || (round < MOST_ROUNDS && consumed <= ROUNDS); round++) {
            Report report = new Report(temporary.resolve("report" + round), ConsumeProgram.REPORT_BYTES);
            try (RunningJvm child = RunningJvm.start(fast, ConsumeProgram.class, directory(),
                    temporary.resolve("report" + round), file, round, random.nextLong())) {
                killAtRandom(round, child, report, () -> report.get(ConsumeProgram.CONSUMED),
                        () -> LockSupport.parkNanos(100_000));
            }
            assertThat(report.get(ConsumeProgram.DELIVERED_AGAIN)).as("delivered after it was acknowledged").isZero();
            appended.add(report.get(ConsumeProgram.APPENDED));
            consumed += report.get(ConsumeProgram.CONSUMED);
        }
        consumeRest(acknowledged);
        for (int producer = 0; producer < appended.size(); producer++) {
            for (long sequence = 0; sequence < appended.get(producer); sequence++) {
                Payloads.Id payload = new Payloads.Id(producer, sequence);
                if (acknowledged.getByte(ConsumeProgram.index(payload)) == 0) {
                    throw new AssertionError(payload + " was never delivered");
                }
            }
        }
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.isSound()).as(check.toString()).isTrue();
        assertThat(check.segments()).hasSizeLessThan(MOST_SEGMENTS);
        System.out.println("CrashTest: " + appended.stream().mapToLong(Long::longValue).sum() + " records appended, "
                + consumed + " consumed by children, the queue now begins with "
                + check.segments().getFirst().baseOffset());
        assertThat(consumed).isGreaterThan(ROUNDS);
    }

    private void consumeRest(Report acknowledged) throws IOException, InterruptedException {
        try (Queue queue = Queue.open(directory(), ConsumeProgram.options());
                Consumer consumer = queue.group(ConsumeProgram.GROUP).consumer()) {
            for (Delivery delivery = consumer.poll(); delivery != null; delivery = consumer.poll()) {
                long index = ConsumeProgram.index(Payloads.intact(delivery.segment()));
                assertThat(acknowledged.getByte(index)).isNotEqualTo(ConsumeProgram.ACKNOWLEDGED);
                acknowledged.setByte(index, ConsumeProgram.ACKNOWLEDGED);
                delivery.acknowledge();
                delivery.close();
            }
            // They go in the background.
            Polls.waitWhile(() -> Sample.files(directory(), ".segment").size() >= MOST_SEGMENTS);
        }
    }

    /** Loads what a queue needs, for a {@link StartArchive}. Argument: a directory for a queue, which is new. */
    static final class QueueClasses {
        static void main(String[] arguments) throws IOException {
            new Report(Path.of(arguments[0] + ".report"), ProduceProgram.REPORT_BYTES).set(ProduceProgram.RUNS, 1);
            try (Queue queue = Queue.open(Path.of(arguments[0]), ConsumeProgram.options());
                    Consumer consumer = queue.group(ConsumeProgram.GROUP).consumer()) {
                queue.append(Payloads.of(0, 0, 100));
                queue.with(Durability.SYNCED).append(Payloads.of(0, 1, 100));
                for (Delivery delivery = consumer.poll(); delivery != null; delivery = consumer.poll()) {
                    Payloads.Id _ = Payloads.intact(delivery.segment());
                    delivery.acknowledge();
                    delivery.close();
                }
            }
        }
    }

    /**
     * Appends until it is killed, with two threads, of which one waits for the disk with each record and one now and then, and reports each
     * record that it was told is appended, and that it is durable. Arguments: directory, file of the report, number of the first producer,
     * seed.
     */
    static final class ProduceProgram {
        /** The report: whether the program runs, whether the queue is open, and the count of each producer. */
        static final int RUNS = 0;
        static final int IS_OPEN = 1;
        static final int APPENDED = 2;
        static final int DURABLE = 4;
        static final int PRODUCERS = 2;
        static final int REPORT_BYTES = 4096;
        static final long SEGMENT_SIZE = 64 << 10;

        private static final int EVERY = 16;
        private static final int MOST = 20_000;

        public static void main(String[] arguments) throws Exception {
            Report report = new Report(Path.of(arguments[1]), REPORT_BYTES);
            report.set(RUNS, 1);
            Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(SEGMENT_SIZE));
            report.set(IS_OPEN, 1);
            for (int i = 0; i < PRODUCERS; i++) {
                int producer = i;
                long number = Long.parseLong(arguments[2]) + i;
                SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[3]) + i);
                new Thread(() -> produce(queue, report, producer, number, random)).start();
            }
        }

        private static void produce(Queue queue, Report report, int producer, long number, SplittableRandom random) {
            for (int sequence = 0; sequence < MOST; sequence++) {
                int length = random.nextInt(Payloads.SHORTEST, random.nextInt(20) == 0 ? 8000 : 300);
                byte[] payload = Payloads.of((int) number, sequence, length);
                if (producer == 0) {
                    queue.with(Durability.SYNCED).append(payload);
                } else {
                    queue.append(payload);
                }
                // First: it may be killed before it can tell the other.
                report.set(APPENDED + producer, sequence + 1);
                if (producer == 0) {
                    report.set(DURABLE, sequence + 1);
                } else if (sequence % EVERY == EVERY - 1) {
                    queue.sync();
                    report.set(DURABLE + producer, sequence + 1);
                }
            }
            // It has got very far; to be killed is all that is left to do.
            while (true) {
                LockSupport.park();
            }
        }
    }

    /**
     * Appends with one thread and consumes with another until it is killed, in a queue that is bounded, so that files are used again.
     * Acknowledges in random order, and reports before and after. Arguments: directory, file of the report, file of what is acknowledged,
     * number of the producer, seed.
     */
    static final class ConsumeProgram {
        static final int RUNS = 0;
        static final int IS_OPEN = 1;
        static final int APPENDED = 2;
        /** How many records were acknowledged, by this child. */
        static final int CONSUMED = 3;
        /** 0, or one more than the offset of a record that was delivered although it was acknowledged. */
        static final int DELIVERED_AGAIN = 4;
        static final int REPORT_BYTES = 4096;

        /** The reports of a record: that it is going to be acknowledged, and that it is. */
        static final int PERHAPS = 1;
        static final int ACKNOWLEDGED = 2;

        static final long SEGMENT_SIZE = 16 << 10;
        static final int MOST = 20_000;
        static final String GROUP = "group";

        private static final int HELD = 50;

        /** The place of the report of a record's acknowledgement. */
        static long index(Payloads.Id payload) {
            return (long) payload.producer() * MOST + payload.number();
        }

        static QueueOptions options() {
            return new QueueOptions().segmentSize(SEGMENT_SIZE).maxRecords(1000);
        }

        public static void main(String[] arguments) throws Exception {
            Report report = new Report(Path.of(arguments[1]), REPORT_BYTES);
            report.set(RUNS, 1);
            long number = Long.parseLong(arguments[3]);
            Report acknowledged = new Report(Path.of(arguments[2]), (number + 1) * MOST);
            Queue queue = Queue.open(Path.of(arguments[0]), options());
            // Before anything is appended: without a group nothing would be held back.
            Consumer consumer = queue.group(GROUP).consumer();
            report.set(IS_OPEN, 1);
            long seed = Long.parseLong(arguments[4]);
            new Thread(() -> produce(queue, report, number, new SplittableRandom(seed))).start();
            new Thread(() -> consume(consumer, report, acknowledged, new SplittableRandom(seed + 1))).start();
        }

        private static void produce(Queue queue, Report report, long number, SplittableRandom random) {
            for (int sequence = 0; sequence < MOST; sequence++) {
                queue.append(Payloads.of((int) number, sequence, random.nextInt(Payloads.SHORTEST, 300)));
                report.set(APPENDED, sequence + 1);
            }
            // It has got very far; to be killed is all that is left to do.
            while (true) {
                LockSupport.park();
            }
        }

        private record Held(Delivery delivery, long index) {
        }

        private static void consume(Consumer consumer, Report report, Report acknowledged, SplittableRandom random) {
            List<Held> held = new ArrayList<>();
            long count = 0;
            while (true) {
                Delivery delivery = held.size() < HELD ? consumer.poll() : null;
                if (delivery != null) {
                    long index = index(Payloads.intact(delivery.segment()));
                    if (acknowledged.getByte(index) == ACKNOWLEDGED) {
                        report.set(DELIVERED_AGAIN, delivery.offset() + 1);
                    }
                    held.add(new Held(delivery, index));
                }
                if (delivery == null && held.isEmpty()) {
                    LockSupport.parkNanos(50_000);
                }
                if (held.size() == HELD || (delivery == null && !held.isEmpty())) {
                    Held one = held.remove(random.nextInt(held.size()));
                    acknowledged.setByte(one.index, PERHAPS);
                    one.delivery.acknowledge();
                    acknowledged.setByte(one.index, ACKNOWLEDGED);
                    one.delivery.close();
                    report.set(CONSUMED, ++count);
                }
            }
        }
    }
}
