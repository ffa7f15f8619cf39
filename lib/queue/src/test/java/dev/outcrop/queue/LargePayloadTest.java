package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads that are copied in parts: as they were appended, and with the checksum that a later opening computes. */
class LargePayloadTest extends QueueFixture {
    private static final int PART = 4096;

    private Queue open(ReadVerification verification) {
        return Queue.open(directory(),
                new QueueOptions().segmentSize(4 << 20).keepBytes(Long.MAX_VALUE).verifyReads(verification));
    }

    private static byte[] payload(long number, int length) {
        return Payloads.of(1, number, length);
    }

    /** Reads all in an opening that has appended none of them, so each checksum is computed, and goes through all files. */
    private void assertWhole(List<byte[]> expected) {
        for (ReadVerification verification : ReadVerification.values()) {
            try (Queue queue = open(verification)) {
                ConsumerGroup group = queue.group(verification.name());
                group.seekToBeginning();
                List<byte[]> found = new ArrayList<>();
                try (Consumer consumer = group.consumer()) {
                    Polls.all(consumer, 1000, (_, record, _) -> found.add(record.toArray(ValueLayout.JAVA_BYTE)));
                }
                assertThat(found).usingElementComparator(Arrays::compare).isEqualTo(expected);
            }
        }
        assertThat(QueueFiles.verify(directory()).isSound()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {PART - 1, PART, PART + 1, PART + 9, 2 * PART, 2 * PART + 1, 5 * PART - 3, 100 * PART + 17})
    void isWholeHoweverItIsAppended(int length) {
        List<byte[]> appended = new ArrayList<>();
        try (Queue queue = open(ReadVerification.FIRST_READ); Arena arena = Arena.ofConfined()) {
            for (int number = 0; number < 4; number++) {
                byte[] bytes = payload(number, length);
                switch (number) {
                    case 0 -> queue.append(bytes);
                    case 1 -> queue.append(arena.allocate(length).copyFrom(MemorySegment.ofArray(bytes)));
                    case 2 -> queue.append(ByteBuffer.allocateDirect(length).put(bytes).flip());
                    default -> queue.append(length, to -> to.copyFrom(MemorySegment.ofArray(bytes)));
                }
                appended.add(bytes);
            }
            queue.append(appended.stream().map(MemorySegment::ofArray).toList());
            appended.addAll(List.copyOf(appended));
        }
        assertWhole(appended);
    }

    @Test
    void isWholeWhereverItsTwoPartsMeet() {
        List<byte[]> appended = new ArrayList<>();
        try (Queue queue = open(ReadVerification.FIRST_READ)) {
            for (int length : new int[]{PART + 1, 3 * PART, 4 * PART + 5}) {
                for (int first : new int[]{0, 1, 7, 100, PART - 1, PART, PART + 1, length - PART, length - 1, length}) {
                    byte[] bytes = payload(appended.size(), length);
                    MemorySegment all = MemorySegment.ofArray(bytes);
                    queue.append(all.asSlice(0, first), all.asSlice(first));
                    appended.add(bytes);
                }
            }
        }
        assertWhole(appended);
    }

    @Test
    void appendsOfAWriterAreWholeAndSoIsItsOwn() {
        byte[] outer = payload(1, 3 * PART);
        byte[] inner = payload(2, 2 * PART + 5);
        try (Queue queue = open(ReadVerification.FIRST_READ)) {
            queue.append(outer.length, to -> {
                to.asSlice(0, PART).copyFrom(MemorySegment.ofArray(outer).asSlice(0, PART));
                queue.append(inner);
                to.asSlice(PART).copyFrom(MemorySegment.ofArray(outer).asSlice(PART));
            });
        }
        assertWhole(List.of(outer, inner));
    }

    /** The first part is copied and added to the checksum, the second cannot be: the record is withdrawn, and as whole as others. */
    @Test
    void isWithdrawnIfItsSecondPartCannotBeRead() {
        byte[] before = payload(1, 2 * PART);
        byte[] behind = payload(2, 2 * PART);
        MemorySegment first = MemorySegment.ofArray(payload(3, 2 * PART));
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(3 * PART);
        }
        try (Queue queue = open(ReadVerification.FIRST_READ)) {
            queue.append(before);
            assertThatThrownBy(() -> queue.append(first, closed)).isInstanceOf(IllegalStateException.class);
            queue.append(behind);
        }
        assertWhole(List.of(before, behind));
        assertThat(QueueFiles.verify(directory()).segments().getFirst().withdrawn()).isOne();
    }
}
