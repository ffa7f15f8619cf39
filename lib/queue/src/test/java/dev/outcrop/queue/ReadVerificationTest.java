package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bits that flip while the queue is closed are never delivered; those that flip while it is open are found when the options say so. */
class ReadVerificationTest extends QueueFixture {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;
    /** Three full segments, and a last one. */
    private static final int END = 3 * PER_SEGMENT + 10;
    private static final int ROUNDS = TestSize.choose("outcrop.flipped.records", 5, 400);
    private static final int READERS = 4;

    private static Queue open(Path path, ReadVerification verification) {
        return Queue.open(path, new QueueOptions().segmentSize(Sample.SEGMENT_SIZE).keepBytes(Long.MAX_VALUE)
                .verifyReads(verification));
    }

    private Path filled(String name) {
        Path path = temporary.resolve(name);
        try (Queue queue = open(path, ReadVerification.FIRST_READ)) {
            Sample.append(queue, END);
        }
        return path;
    }

    private static void flip(Path path, long offset) throws IOException {
        Sample.flip(Sample.segment(path, offset / PER_SEGMENT * PER_SEGMENT),
                Sample.position(offset) + QueueLayout.PAYLOAD + 50, 3);
    }

    /**
     * The offsets that a consumer is given, each of a record as it was appended, and behind them that of the damage, made negative, if
     * there is any.
     */
    private static List<Long> read(Consumer consumer, int max) {
        List<Long> offsets = new ArrayList<>();
        try {
            Polls.all(consumer, max, (offset, payload, _) -> {
                assertThat(Payloads.intact(payload)).isEqualTo(new Payloads.Id(1, offset));
                offsets.add(offset);
            });
        } catch (QueueCorruptException e) {
            offsets.add(-e.offset());
        }
        return offsets;
    }

    private static List<Long> upTo(long damaged) {
        return fromTo(0, damaged);
    }

    private static List<Long> fromTo(long from, long damaged) {
        return LongStream.concat(LongStream.range(from, damaged), LongStream.of(-damaged)).boxed().toList();
    }

    @ParameterizedTest
    @EnumSource
    void whatFlipsWhileTheQueueIsClosedIsNeverDelivered(ReadVerification verification) throws IOException {
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Path path = filled("queue-" + round);
            // Any bit of any record but those of the last segment, which opening reads.
            int damaged = 1 + random.nextInt(3 * PER_SEGMENT - 1);
            int bit = random.nextInt(8 * Sample.RECORD);
            Sample.flip(Sample.segment(path, (long) damaged / PER_SEGMENT * PER_SEGMENT),
                    Sample.position(damaged) + bit / 8, bit % 8);
            try (Queue queue = open(path, verification)) {
                for (String name : new String[]{"first", "second"}) {
                    try (Consumer consumer = queue.group(name).consumer()) {
                        assertThat(read(consumer, 1 + random.nextInt(100)))
                                .as("seed " + seed + ", round " + round + ", bit " + bit + " of record " + damaged)
                                .isEqualTo(upTo(damaged));
                        assertThatThrownBy(consumer::poll).isInstanceOf(QueueCorruptException.class);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void readersThatBeginElsewhereHaveCheckedNothingBefore(ReadVerification verification) throws IOException {
        Path path = filled("queue");
        flip(path, 5);
        flip(path, PER_SEGMENT + 20);
        try (Queue queue = open(path, verification)) {
            ConsumerGroup middle = queue.group("middle");
            ConsumerGroup start = queue.group("start");
            middle.seek(10);
            assertThat(read(middle.consumer(), 7)).isEqualTo(fromTo(10, PER_SEGMENT + 20));
            assertThat(read(start.consumer(), 7)).isEqualTo(upTo(5));
            start.seek(6);
            assertThat(read(start.consumer(), 7).getLast()).isEqualTo(-(PER_SEGMENT + 20L));
            start.seek(PER_SEGMENT + 21L);
            assertThat(read(start.consumer(), 7)).isEqualTo(range(PER_SEGMENT + 21L, END));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatFlipsInUseIsFoundAlwaysOrWhenTheQueueIsOpenedAgain(ReadVerification verification) throws IOException {
        Path path = temporary.resolve("queue");
        try (Queue queue = open(path, verification); Consumer consumer = queue.group("group").consumer()) {
            Sample.append(queue, END);
            flip(path, 7);
            if (verification == ReadVerification.ALWAYS) {
                assertThat(read(consumer, 100)).isEqualTo(upTo(7));
            } else {
                List<Long> offsets = new ArrayList<>();
                consumer.poll(10, (offset, _, _) -> offsets.add(offset));
                assertThat(offsets).isEqualTo(range(0, 10));
            }
        }
        try (Queue queue = open(path, verification); Consumer consumer = queue.group("group").consumer()) {
            assertThat(read(consumer, 100)).isEqualTo(upTo(7));
        }
    }

    /** Only damage shows that records are not verified a second time. */
    @Test
    void firstReadIsTheOnlyOneThatChecks() throws IOException {
        Path path = filled("queue");
        try (Queue queue = open(path, ReadVerification.FIRST_READ)) {
            assertThat(read(queue.group("first").consumer(), 100)).isEqualTo(range(0, END));
            flip(path, 3);
            List<Long> offsets = new ArrayList<>();
            queue.group("second").consumer().poll(5, (offset, _, _) -> offsets.add(offset));
            assertThat(offsets).isEqualTo(range(0, 5));
        }
        assertThat(QueueFiles.verify(path).isSound()).isFalse();
    }

    /** Groups begin at random places, again and again, and share what they have verified. */
    @Test
    void readersAtTheSameTimeNeverSeeADamagedRecord() throws Exception {
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        for (int round = 0; round < Math.max(2, ROUNDS / 4); round++) {
            Path path = filled("queue-" + round);
            List<Long> damaged = random.longs(4, 1, 3L * PER_SEGMENT).distinct().sorted().boxed().toList();
            for (long offset : damaged) {
                flip(path, offset);
            }
            try (Queue queue = open(path, ReadVerification.FIRST_READ);
                    ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
                List<Future<?>> readers = new ArrayList<>();
                for (int i = 0; i < READERS; i++) {
                    ConsumerGroup group = queue.group("group-" + i);
                    Random own = new Random(random.nextLong());
                    readers.add(threads.submit(() -> readFromRandomPlaces(group, own, damaged, seed)));
                }
                Polls.awaitAll(readers);
            }
        }
    }

    private static void readFromRandomPlaces(ConsumerGroup group, Random random, List<Long> damaged, long seed) {
        try (Consumer consumer = group.consumer()) {
            for (int i = 0; i < 30; i++) {
                long from = group.seek(random.nextLong(END));
                long end = damaged.stream().filter(offset -> offset >= from).findFirst().orElse((long) END);
                List<Long> expected = new ArrayList<>(range(from, end));
                if (end < END) {
                    expected.add(-end);
                }
                assertThat(read(consumer, 1 + random.nextInt(20))).as("seed " + seed + ", from " + from)
                        .isEqualTo(expected);
            }
        }
    }
}
