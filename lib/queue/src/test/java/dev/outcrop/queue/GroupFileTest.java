package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.GroupLayout;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.groups.GroupFile;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a group, damaged and undamaged, as the library and as the document see it. */
class GroupFileTest {
    static {
        // Which users of the lowest floors alone do themselves.
        QueueFailures.install();
    }

    private static final long QUEUE_ID = 0x0123_4567_89AB_CDEFL;
    private static final long MANY = 1L << 40;

    @TempDir
    private Path directory;
    private final long seed = TestSize.seed(getClass());
    private final Random random = new Random(seed);

    private Path path() {
        return directory.resolve("a.group");
    }

    /** Acknowledges as a group does, with the floor behind it. */
    private static final class Acknowledging {
        final GroupFile file;
        final BitSet acknowledged = new BitSet();
        int floor;

        Acknowledging(GroupFile file, int floor) {
            this.file = file;
            this.floor = floor;
            acknowledged.set(0, floor);
        }

        void acknowledge(int offset) {
            file.acknowledge(offset / 32, 1 << offset, floor);
            acknowledged.set(offset);
            floor = acknowledged.nextClearBit(floor);
        }
    }

    /** Returns which of the first records a file acknowledges. */
    private BitSet read(Path path, long first, long next, int count) throws IOException {
        GroupFile file = GroupFile.open(directory, path, QUEUE_ID, first, next);
        BitSet found = new BitSet();
        found.set(0, (int) file.floor());
        for (int offset = (int) file.floor(); offset < count; offset++) {
            if (offset / 32 - file.floor() / 32 < GroupLayout.WORDS
                    && (file.acknowledged(offset / 32) >>> offset & 1) != 0) {
                found.set(offset);
            }
        }
        file.close(file.floor());
        return found;
    }

    /** Acknowledges some thousands of offsets, a little out of order. */
    private Acknowledging someAcknowledged(int from, int count) throws IOException {
        Acknowledging group = new Acknowledging(GroupFile.create(path(), QUEUE_ID, from), from);
        for (int i = 0; i < count; i++) {
            int offset = from + i - i % 100 + i * 37 % 100;
            if (random.nextInt(50) != 0) {
                group.acknowledge(offset);
            }
        }
        return group;
    }

    @Test
    void remembers() throws IOException {
        Acknowledging group = someAcknowledged(1234, 20_000);
        assertThat(read(path(), 0, MANY, 30_000)).as("without closing, seed %d", seed).isEqualTo(group.acknowledged);
        group.file.close(group.floor);
        assertThat(read(path(), 0, MANY, 30_000)).as("seed %d", seed).isEqualTo(group.acknowledged);
        assertThat(Files.size(path())).isEqualTo(20_480);
    }

    @Test
    void remembersOverManyRounds() throws IOException {
        Acknowledging group = new Acknowledging(GroupFile.create(path(), QUEUE_ID, 0), 0);
        int next = 0;
        while (next < 400_000) {
            // At random within the window, now and then the first that is missing.
            int limit = (group.floor & -32) + GroupLayout.OFFSETS;
            int offset = random.nextInt(3) == 0 ? group.floor : Math.min(limit - 1, next + random.nextInt(3));
            if (!group.acknowledged.get(offset)) {
                group.acknowledge(offset);
            }
            next = Math.max(next, offset);
            if (random.nextInt(100_000) == 0) {
                group.file.beforeForce(group.floor, next + 1);
                group.file.force();
                group.file.afterForce(group.floor);
            }
        }
        assertThat(read(path(), 0, MANY, 600_000)).as("seed %d", seed).isEqualTo(group.acknowledged);
    }

    @Test
    void aDamagedBitOnlyDeliversAgain() throws IOException {
        Acknowledging group = someAcknowledged(0, 60_000);
        group.file.close(group.floor);
        byte[] whole = Files.readAllBytes(path());
        for (int i = 0; i < 600; i++) {
            byte[] damaged = whole.clone();
            // Half of them in the slots, whose bytes are few.
            int at = i % 2 == 0
                    ? random.nextInt(2) * 512 + random.nextInt(44)
                    : 4096 + random.nextInt(whole.length - 4096);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            assertOnlyLess(damaged, group.acknowledged, "bit in byte " + at);
        }
    }

    @Test
    void manyDamagedBytesOnlyDeliverAgain() throws IOException {
        Acknowledging group = someAcknowledged(40_000, 60_000);
        group.file.close(group.floor);
        byte[] whole = Files.readAllBytes(path());
        for (int i = 0; i < 100; i++) {
            byte[] damaged = whole.clone();
            int from = random.nextInt(whole.length);
            int length = 1 + random.nextInt(whole.length - from);
            byte[] garbage = new byte[length];
            if (random.nextBoolean()) {
                random.nextBytes(garbage);
            }
            System.arraycopy(garbage, 0, damaged, from, length);
            assertOnlyLess(damaged, group.acknowledged, "bytes from " + from + " to " + (from + length));
        }
    }

    private void assertOnlyLess(byte[] damaged, BitSet acknowledged, String what) throws IOException {
        Files.write(path(), damaged);
        BitSet found = read(path(), 0, MANY, 120_000);
        found.andNot(acknowledged);
        assertThat(found.isEmpty()).as("%s, seed %d: %s", what, seed, found).isTrue();
    }

    @Test
    void aDamagedSlotAfterAMoveDoesNotUndoIt() throws IOException {
        Acknowledging group = someAcknowledged(0, 20_000);
        group.file.reset(100);
        group.file.close(100);
        byte[] whole = Files.readAllBytes(path());
        BitSet expected = new BitSet();
        expected.set(0, 100);
        assertThat(read(path(), 0, MANY, 30_000)).isEqualTo(expected);
        for (int slot : new int[]{0, 512}) {
            for (int at = slot; at < slot + 44; at++) {
                byte[] damaged = whole.clone();
                damaged[at] ^= 1;
                Files.write(path(), damaged);
                assertThat(read(path(), 0, MANY, 30_000)).as("byte %d", at).isEqualTo(expected);
            }
        }
    }

    @Test
    void aFileThatWasCutOffOnlyDeliversAgain() throws IOException {
        Acknowledging group = someAcknowledged(0, 5000);
        group.file.close(group.floor);
        byte[] whole = Files.readAllBytes(path());
        for (int size : new int[]{0, 1, 43, 44, 511, 600, 4096, 4100, 5000, whole.length - 1}) {
            Files.write(path(), Arrays.copyOf(whole, size));
            BitSet found = read(path(), 0, MANY, 6000);
            found.andNot(group.acknowledged);
            assertThat(found.isEmpty()).as("%d bytes, seed %d", size, seed).isTrue();
        }
        Files.write(path(), Arrays.copyOf(whole, whole.length + 100));
        assertThat(read(path(), 0, MANY, 6000)).isEqualTo(group.acknowledged);
    }

    @Test
    void whatAKillLeavesOfANewFileIsInNobodysWay() throws IOException {
        Path unfinished = directory.resolve("group.new");
        Files.write(unfinished, new byte[100]);
        GroupFile.create(path(), QUEUE_ID, 5).close(5);
        assertThat(unfinished).doesNotExist();
        assertThatThrownBy(() -> GroupFile.create(path(), QUEUE_ID, 6)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(GroupFile.open(directory, path(), QUEUE_ID, 0, MANY).floor()).isEqualTo(5);
        Files.write(unfinished, new byte[100]);
        GroupFile.deleteUnfinished(directory);
        assertThat(unfinished).doesNotExist();
        Files.createDirectory(unfinished);
        GroupFile.deleteUnfinished(directory);
        assertThat(unfinished).as("not ours").isDirectory();
    }

    @Test
    void theFileOfAnotherQueueSaysNothing() throws IOException {
        Acknowledging group = someAcknowledged(0, 5000);
        group.file.close(group.floor);
        byte[] foreign = Files.readAllBytes(path());
        GroupFile file = GroupFile.open(directory, path(), QUEUE_ID + 1, 17, MANY);
        assertThat(directory.resolve("quarantine").resolve("a.group-0.bytes")).hasBinaryContent(foreign);
        assertThat(file.floor()).isEqualTo(17);
        for (int block = 0; block < GroupLayout.WORDS; block++) {
            assertThat(file.acknowledged(block)).isZero();
        }
        file.close(17);
    }

    @Test
    void aLaterVersionIsRefused() throws IOException {
        GroupFile.create(path(), QUEUE_ID, 5).close(5);
        byte[] bytes = Files.readAllBytes(path());
        MemorySegment memory = MemorySegment.ofArray(bytes);
        for (int slot : new int[]{0, 512}) {
            memory.set(QueueLayout.INT.withByteAlignment(1), slot + 36, 2);
            memory.set(QueueLayout.INT.withByteAlignment(1), slot + 40, QueueLayout.crc(memory, slot, 40));
        }
        Files.write(path(), bytes);
        assertThatThrownBy(() -> GroupFile.open(directory, path(), QUEUE_ID, 0, MANY))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("a.group").hasMessageContaining("version 2");
    }

    @Test
    void recordsThatAPowerCutTookAreNotAcknowledged() throws IOException {
        Acknowledging group = someAcknowledged(0, 5000);
        group.file.close(group.floor);
        BitSet expected = (BitSet) group.acknowledged.clone();
        expected.clear(777, 5000);
        assertThat(read(path(), 0, 777, 6000)).as("seed %d", seed).isEqualTo(expected);
        // Others have got their offsets by now.
        assertThat(read(path(), 0, MANY, 6000)).as("seed %d", seed).isEqualTo(expected);
    }

    @Test
    void aFloorBehindTheEndIsTheEnd() throws IOException {
        Acknowledging group = new Acknowledging(GroupFile.create(path(), QUEUE_ID, 0), 0);
        for (int offset = 0; offset < 5000; offset++) {
            group.acknowledge(offset);
        }
        group.file.close(group.floor);
        BitSet expected = new BitSet();
        expected.set(0, 1000);
        assertThat(read(path(), 0, 1000, 6000)).isEqualTo(expected);
        assertThat(read(path(), 0, MANY, 6000)).isEqualTo(expected);
        expected.set(0, 2000);
        assertThat(read(path(), 2000, MANY, 6000)).isEqualTo(expected);
    }

    /** Written from the document alone. */
    @Test
    void looksAsTheDocumentSays() throws IOException {
        GroupFile file = GroupFile.create(path(), QUEUE_ID, 64);
        file.acknowledge(70_000 / 32, 1 << (70_000 % 32), 64 + 65_536);
        file.acknowledge(70_003 / 32, 1 << (70_003 % 32), 64 + 65_536);
        file.close(64 + 65_536);
        MemorySegment memory = MemorySegment.ofArray(Files.readAllBytes(path()));
        long newest = 0;
        long floor = 0;
        for (int slot : new int[]{0, 512}) {
            assertThat(Files.readAllBytes(path())).startsWith("OUTCROPG".getBytes(StandardCharsets.US_ASCII));
            assertThat(memory.get(QueueLayout.LONG.withByteAlignment(1), slot + 16)).isEqualTo(QUEUE_ID);
            assertThat(memory.get(QueueLayout.INT.withByteAlignment(1), slot + 36)).isEqualTo(1);
            long sequence = memory.get(QueueLayout.LONG.withByteAlignment(1), slot + 8);
            if (sequence > newest) {
                newest = sequence;
                floor = memory.get(QueueLayout.LONG.withByteAlignment(1), slot + 24);
            }
        }
        assertThat(floor).isEqualTo(65_600);
        int w = 70_000 / 32 % 2048;
        long word = memory.get(QueueLayout.LONG.withByteAlignment(1), 4096 + 8L * w);
        int bits = (1 << (70_000 % 32)) | (1 << (70_003 % 32));
        assertThat((int) word).isEqualTo(bits);
        long x = QUEUE_ID ^ 70_000 / 32;
        x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
        x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
        x = x ^ x >>> 31;
        assertThat((int) (word >>> 32)).isEqualTo((int) x ^ bits * 0x9E3779B1);
    }
}
