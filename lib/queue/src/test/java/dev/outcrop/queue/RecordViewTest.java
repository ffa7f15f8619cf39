package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records that are read in place, and what does not end in others' bytes when they are kept. */
class RecordViewTest extends OpenQueue {
    private static final int RECORDS = 500;

    private @Nullable RecordView kept;

    @BeforeEach
    void fill() {
        for (long i = 0; i < RECORDS; i++) {
            queue.append(Payloads.of(1, i, 16 + (int) i % 50));
        }
    }

    @Test
    void allFormsReadTheSame() {
        MemorySegment buffer = Arena.ofAuto().allocate(66);
        List<Long> offsets = new ArrayList<>();
        try (Consumer consumer = queue.group("group").consumer()) {
            while (consumer.visit(7, record -> {
                long offset = record.offset();
                byte[] bytes = Payloads.of(1, offset, 16 + (int) offset % 50);
                MemorySegment expected = MemorySegment.ofArray(bytes);
                assertThat(record.size()).isEqualTo(bytes.length);
                assertThat(record.deliveries()).isEqualTo(1);
                assertThat(record.time()).isPositive();
                assertThat(record.get(ValueLayout.JAVA_BYTE, bytes.length - 1)).isEqualTo(bytes[bytes.length - 1]);
                assertThat(record.get(ValueLayout.JAVA_SHORT, 2))
                        .isEqualTo(expected.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2));
                assertThat(record.get(ValueLayout.JAVA_INT, 12))
                        .isEqualTo(expected.get(ValueLayout.JAVA_INT_UNALIGNED, 12));
                assertThat(record.get(ValueLayout.JAVA_LONG, 8))
                        .isEqualTo(expected.get(ValueLayout.JAVA_LONG_UNALIGNED, 8));
                assertThat(record.get(buffer)).isEqualTo(bytes.length);
                assertThat(buffer.asSlice(0, bytes.length).mismatch(expected)).isEqualTo(-1);
                assertThat(record.segment().mismatch(expected)).isEqualTo(-1);
                assertThat(record.segment().isReadOnly()).isTrue();
                assertThat(record.memory().asSlice(record.at(0, bytes.length), bytes.length).mismatch(expected))
                        .isEqualTo(-1);
                assertThat(record.memory().get(ValueLayout.JAVA_BYTE, record.at(9, 1))).isEqualTo(bytes[9]);
                assertThat(record.memory().isReadOnly()).isTrue();
                offsets.add(offset);
                consumer.acknowledge(offset);
            }) > 0) {
                // And the next ones.
            }
        }
        assertThat(offsets).hasSize(RECORDS).isSorted();
        assertThat(queue.group("group").lag().records()).isZero();
    }

    @Test
    void nothingIsReadOutsideOfThePayload() {
        MemorySegment small = Arena.ofAuto().allocate(15);
        try (Consumer consumer = queue.group("group").consumer()) {
            int shown = consumer.visit(1, record -> {
                for (long at : new long[]{-1, 9, 16, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    assertThatThrownBy(() -> record.get(ValueLayout.JAVA_LONG_UNALIGNED, at))
                            .isInstanceOf(IndexOutOfBoundsException.class);
                }
                assertThatThrownBy(() -> record.get(ValueLayout.JAVA_BYTE, 16))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                for (long[] part : new long[][]{{-1, 1}, {0, -1}, {0, 17}, {16, 1}, {1, Long.MAX_VALUE}}) {
                    assertThatThrownBy(() -> record.at(part[0], part[1])).isInstanceOf(IndexOutOfBoundsException.class);
                }
                assertThat(record.at(16, 0)).isEqualTo(record.at(0, 16) + 16);
                assertThat(record.get(small)).isEqualTo(16);
                assertThat(small.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
                assertThatThrownBy(() -> record.get(small.asReadOnly())).isInstanceOf(IllegalArgumentException.class);
            });
            assertThat(shown).isEqualTo(1);
        }
    }

    @Test
    void whatIsKeptThrows() throws InterruptedException {
        List<MemorySegment> segments = new ArrayList<>();
        try (Consumer consumer = queue.group("group").consumer()) {
            assertThat(consumer.visit(300, Duration.ZERO, record -> {
                kept = record;
                segments.add(record.segment());
                segments.add(record.memory());
            })).isEqualTo(300);
            // An object for each file, and not for each record.
            assertThat(segments.stream().filter(each -> each.scope().isAlive())).isEmpty();
            assertThat(segments.stream().mapToLong(MemorySegment::byteSize).filter(size -> size == 8192).count())
                    .isEqualTo(300);
            assertThat(segments.stream().filter(each -> each.byteSize() == 8192).distinct()).hasSizeBetween(2, 6);
            RecordView view = Objects.requireNonNull(kept);
            assertEnded(view);
            assertThat(segments).allSatisfy(segment -> assertThatIllegalStateException()
                    .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)));
            consumer.visit(1, record -> {
                assertThatThrownBy(() -> CompletableFuture.runAsync(record::offset).join())
                        .isInstanceOf(CompletionException.class).hasCauseInstanceOf(WrongThreadException.class);
                assertThat(segments).allSatisfy(segment -> assertThatIllegalStateException()
                        .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)));
            });
            assertEnded(view);
        }
    }

    private static void assertEnded(RecordView view) {
        assertThatIllegalStateException().isThrownBy(view::offset);
        assertThatIllegalStateException().isThrownBy(view::size);
        assertThatIllegalStateException().isThrownBy(view::checksum);
        assertThatIllegalStateException().isThrownBy(view::segment);
        assertThatIllegalStateException().isThrownBy(view::memory);
        assertThatIllegalStateException().isThrownBy(() -> view.at(0, 1));
        assertThatIllegalStateException().isThrownBy(() -> view.get(ValueLayout.JAVA_BYTE, 0));
        assertThatIllegalStateException().isThrownBy(() -> view.get(Arena.ofAuto().allocate(100)));
    }

    @Test
    void aVisitorThatThrowsGivesBackWhatItWasShown() {
        try (Consumer consumer = queue.group("group").consumer()) {
            assertThatThrownBy(() -> consumer.visit(400, record -> {
                kept = record;
                if (record.offset() == 350) {
                    throw new IllegalArgumentException("on purpose");
                }
            })).hasMessage("on purpose");
            assertEnded(Objects.requireNonNull(kept));
            assertThat(queue.group("group").inFlight()).isZero();
            assertThat(Polls.offsets(consumer)).hasSize(RECORDS);
        }
    }

    @Test
    void aRecordIsKnownByItsChecksum() {
        Map<Long, Integer> checksums = new HashMap<>();
        long first = queue.append(new byte[16]);
        long second = queue.append(new byte[16]);
        long third = queue.append(new byte[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        for (int i = 0; i < 2; i++) {
            try (Tailer tailer = Tailer.open(directory())) {
                for (long offset = first; offset <= third; offset++) {
                    tailer.seek(offset);
                    assertThat(tailer.poll()).isTrue();
                    int checksum = tailer.view().checksum();
                    // Also when the queue was closed and opened again.
                    assertThat(checksums.merge(offset, checksum, (before, now) -> before)).isEqualTo(checksum);
                }
            }
            reopen();
        }
        assertThat(checksums.get(second)).isNotEqualTo(checksums.get(first)).isNotEqualTo(checksums.get(third));
    }

    @Test
    void aTailersViewEndsWhenItGoesOn() {
        RecordView view;
        try (Tailer tailer = Tailer.open(directory())) {
            for (long i = 0; i < RECORDS; i++) {
                assertThat(tailer.poll()).isTrue();
                view = tailer.view();
                assertThat(view.offset()).isEqualTo(i);
                assertThat(view.get(ValueLayout.JAVA_BYTE, 8)).isEqualTo((byte) i);
                assertThat(Payloads.intact(view.segment())).isEqualTo(new Payloads.Id(1, i));
                assertThat(view.memory().get(ValueLayout.JAVA_BYTE, view.at(8, 1))).isEqualTo((byte) i);
            }
            view = tailer.view();
            assertThat(tailer.poll()).isFalse();
            assertEnded(view);
            assertThatIllegalStateException().isThrownBy(tailer::view);
            tailer.seek(3);
            assertThat(tailer.poll()).isTrue();
            assertThat(tailer.view().offset()).isEqualTo(3);
        }
        assertEnded(view);
    }
}
