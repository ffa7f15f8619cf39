package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue's use of the system does not grow with its throughput, nor the heap with its content. */
@EnabledOnOs(OS.LINUX)
class DescriptorsTest {
    private static final int ROLLS = TestSize.choose("outcrop.rolls", 200, 1000);
    private static final int SEGMENT_SIZE = 16 << 10;

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void descriptorsAndMappingsStayFlatOverManyRolls(boolean inBackground) throws Exception {
        Path directory = temporary.toRealPath().resolve("queue");
        QueueOptions options = new QueueOptions().segmentSize(SEGMENT_SIZE).backgroundThread(inBackground)
                .maxBytes(2 * SEGMENT_SIZE);
        byte[] record = new byte[SEGMENT_SIZE / 5];
        long mostMappings = 0;
        long mostDescriptors = 0;
        long mostFiles = 0;
        try (Queue queue = Queue.open(directory, options); Consumer consumer = queue.group("reader").consumer()) {
            while (queue.statistics().rolls() < ROLLS) {
                queue.append(record);
                assertThat(consumer.poll(1, Polls.SKIP)).isEqualTo(1);
                consumer.acknowledgeUpTo(Long.MAX_VALUE);
                if (queue.nextOffset() % 50 == 0) {
                    queue.sync();
                    // The background thread gives files back when it gets to it, but it does.
                    Polls.waitWhile(() -> inBackground && segments(directory) > 12);
                    mostMappings = Math.max(mostMappings, SystemUse.mappings(directory));
                    mostDescriptors = Math.max(mostDescriptors, SystemUse.descriptors(directory));
                    mostFiles = Math.max(mostFiles, segments(directory));
                }
            }
        }
        // The file "queue", the group's, the segments that are in use, some to come, and some that are being given back.
        assertThat(mostMappings).isBetween(3L, 20L);
        assertThat(mostFiles).isBetween(1L, 18L);
        assertThat(mostDescriptors).isBetween(1L, 4L);
        assertThat(SystemUse.mappings(directory)).isZero();
        assertThat(SystemUse.descriptors(directory)).isZero();
    }

    @Test
    void openingAndClosingLeavesNothing() throws Exception {
        Path directory = temporary.toRealPath().resolve("queue");
        for (int i = 0; i < 50; i++) {
            try (Queue queue = Queue.open(directory, new QueueOptions().segmentSize(SEGMENT_SIZE))) {
                queue.with(Durability.SYNCED).append(new byte[1000]);
                queue.group("group " + i % 5).consumer().close();
            }
            assertThat(SystemUse.mappings(directory)).isZero();
            assertThat(SystemUse.descriptors(directory)).isZero();
        }
    }

    @Test
    void failingToOpenLeavesNothing() throws Exception {
        Path directory = temporary.toRealPath().resolve("queue");
        QueueOptions options = new QueueOptions().segmentSize(SEGMENT_SIZE);
        try (Queue queue = Queue.open(directory, options)) {
            queue.append(new byte[1000]);
            queue.group("first");
            queue.group("second");
        }
        Path group = directory.resolve("groups").resolve("second.group");
        try (MappedFile file = MappedFile.open(group)) {
            // A version that is not known.
            for (int slot = 0; slot < 2 * QueueLayout.SLOT; slot += QueueLayout.SLOT) {
                file.memory().set(QueueLayout.INT, slot + 36, 99);
                file.memory().set(QueueLayout.INT, slot + 40, QueueLayout.crc(file.memory(), slot, 40));
            }
        }
        assertThatThrownBy(() -> Queue.open(directory, options)).isInstanceOf(QueueException.class)
                .hasMessageContaining("version 99");
        assertThat(SystemUse.mappings(directory)).isZero();
        assertThat(SystemUse.descriptors(directory)).isZero();
    }

    private static long segments(Path directory) throws IOException {
        return (long) Sample.files(directory, ".segment").size() + Sample.files(directory, ".spare").size();
    }

    /** Puts a million records into a queue, and takes them out, with a heap that has no room for them. */
    static final class Deep {
        private static final int RECORDS = 1_000_000;
        private static final long MIB = 1 << 20;

        static void main(String[] arguments) {
            try (Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(4 << 20));
                    Consumer consumer = queue.group("reader").consumer()) {
                byte[] record = new byte[80];
                long before = 0;
                for (int i = 0; i < RECORDS; i++) {
                    if (i == RECORDS / 10) {
                        before = used();
                    }
                    queue.append(record);
                }
                System.out.println("grown " + Math.max(0, used() - before) / MIB);
                int[] read = {0};
                while (consumer.poll(1000, (_, _, _) -> read[0]++) > 0) {
                    consumer.acknowledgeUpTo(Long.MAX_VALUE);
                }
                System.out.println("read " + read[0]);
                System.out.println("grown " + Math.max(0, used() - before) / MIB);
            }
        }

        private static long used() {
            Runtime runtime = Runtime.getRuntime();
            System.gc();
            return runtime.totalMemory() - runtime.freeMemory();
        }
    }

    @Test
    @Tag("verify")
    void theHeapDoesNotGrowWithTheDepth() throws Exception {
        assertThat(ChildJvm.withNativeAccess().option("-XX:+UseSerialGC").option("-Xmx24m")
                .lines(Deep.class, temporary.resolve("queue"))).containsExactly("grown 0", "read 1000000", "grown 0");
    }
}
