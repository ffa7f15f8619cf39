package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentHeader;
import dev.outcrop.queue.internal.repair.GapFiller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding records behind a gap, and filling it. */
@SuppressWarnings("NullAway.Init") // before each test
class GapFillerTest {
    static {
        // Which users of the lowest floors alone do themselves.
        QueueFailures.install();
    }

    private static final int SIZE = 8192;
    private static final long BASE = (1L << 32) - 2;

    @TempDir
    private Path directory;
    private SegmentFile segment;

    @BeforeEach
    void begin() throws IOException {
        Path path = directory.resolve("1.spare");
        MappedFile.create(path, SIZE);
        segment = SegmentFile.begin(MappedFile.open(path), path, new SegmentHeader(1, 2, BASE, SIZE, 3), 0);
    }

    @AfterEach
    void end() {
        segment.close();
    }

    private int commit(int position, long offset, int length) {
        segment.commit(position, offset, length, QueueLayout.KIND_RECORD, 4);
        return position + (int) QueueLayout.recordBytes(length);
    }

    private GapFiller.@Nullable Found fill(int position, long offset, long millis, long endOffset) {
        GapFiller.Found end = GapFiller.end(segment, position, offset, endOffset);
        if (end != null) {
            GapFiller.withdraw(segment, position, offset, end, millis);
        }
        return end;
    }

    /** Offsets, kinds and positions from the start on. */
    private List<String> read() {
        List<String> found = new ArrayList<>();
        int position = QueueLayout.HEADER;
        for (long offset = BASE; position <= SIZE - QueueLayout.PAYLOAD; offset++) {
            long word = segment.commitWord(position);
            int length = QueueLayout.length(word);
            if (!segment.isCommitted(word, offset) || !segment.isWhole(position, offset, length)) {
                break;
            }
            found.add(offset - BASE + " " + segment.kind(position) + " " + length + " " + segment.time(position));
            position += (int) QueueLayout.recordBytes(length);
        }
        return found;
    }

    @Test
    void recordsBehindTheHoleAreFoundByTheirTags() {
        int hole = commit(64, BASE, 10);
        int behind = commit(hole + 1000, BASE + 3, 7);
        assertThat(GapFiller.find(segment, hole, BASE + 1, -1)).isEqualTo(new GapFiller.Found(hole + 1000, BASE + 3));
        assertThat(fill(hole, BASE + 1, 5, -1)).isEqualTo(new GapFiller.Found(hole + 1000, BASE + 3));
        assertThat(read()).containsExactly("0 1 10 4", "1 2 0 5", "2 2 952 5", "3 1 7 4");
        assertThat(fill(behind, BASE + 4, 5, -1)).isNull();
        assertThat(fill(64, BASE, 5, -1)).as("no hole").isEqualTo(new GapFiller.Found(64, BASE));
        assertThat(read()).hasSize(4);
    }

    @Test
    void holeBeforeAnotherSegmentIsFilledToTheEnd() {
        int hole = commit(64, BASE, 0);
        assertThat(fill(hole, BASE + 1, 5, BASE + 4)).isEqualTo(new GapFiller.Found(SIZE, BASE + 4));
        assertThat(read()).containsExactly("0 1 0 4", "1 2 0 5", "2 2 0 5", "3 2 " + (SIZE - hole - 3 * 24) + " 5");
        assertThat(fill(hole, BASE + 1, 5, BASE + 1)).isNotNull();
    }

    @Test
    void moreRecordsThanThereIsRoomForAreNotMadeUp() {
        int room = (SIZE - 64) / 24;
        assertThat(fill(64, BASE, 5, BASE + room + 1)).isNull();
        assertThat(fill(64, BASE, 5, Long.MAX_VALUE)).isNull();
        assertThat(fill(64, BASE, 5, BASE - 1)).isNull();
        assertThat(read()).isEmpty();
        assertThat(fill(64, BASE, 5, BASE + room)).isEqualTo(new GapFiller.Found(SIZE, BASE + room));
        assertThat(read()).hasSize(room);
    }

    @Test
    void whatCannotBeHereIsNoRecord() {
        // Earlier offsets, as in a copy of a file in a payload; offsets too near for so many records; offsets of the next segment.
        commit(64 + 240, BASE - 5, 0);
        commit(64 + 480, BASE + 21, 0);
        commit(64 + 720, BASE + 30, 0);
        assertThat(GapFiller.find(segment, 64, BASE, BASE + 29)).isNull();
        assertThat(GapFiller.find(segment, 64, BASE, BASE + 30)).isEqualTo(new GapFiller.Found(64 + 720, BASE + 30));
        commit(64 + 480, BASE + 20, 0);
        assertThat(GapFiller.find(segment, 64, BASE, -1)).isEqualTo(new GapFiller.Found(64 + 480, BASE + 20));
    }

    @Test
    void blockInAWrongPlaceTakesNoRecordAway() {
        commit(64 + 96, BASE + 4, 0);
        int next = commit(commit(64 + 240, BASE + 2, 0), BASE + 3, 0);
        assertThat(GapFiller.find(segment, 64, BASE, -1)).isEqualTo(new GapFiller.Found(64 + 240, BASE + 2));
        // It is the only one, or there is none between.
        segment.clearCommitWord(64 + 240);
        segment.clearCommitWord(next - 24);
        assertThat(GapFiller.find(segment, 64, BASE, -1)).isEqualTo(new GapFiller.Found(64 + 96, BASE + 4));
        commit(next, BASE + 5, 0);
        assertThat(GapFiller.find(segment, 64, BASE, -1)).isEqualTo(new GapFiller.Found(64 + 96, BASE + 4));
        // The kept records are not found again, and there is room for a withdrawn record in front of the rest.
        commit(commit(commit(next, BASE + 4, 0), BASE + 5, 0), BASE + 6, 0);
        assertThat(GapFiller.find(segment, 64 + 96 + 24, BASE + 5, -1))
                .isEqualTo(new GapFiller.Found(next + 2 * 24, BASE + 6));
    }

    @Test
    void recordOfAnotherUseOfTheFileIsNone() throws IOException {
        commit(64 + 24, BASE + 1, 5);
        SegmentHeader next = new SegmentHeader(1, 3, BASE, SIZE, 3);
        next.write(segment.file.memory());
        SegmentFile again = SegmentFile.existing(MappedFile.open(segment.path), 0);
        assertThat(GapFiller.find(again, 64, BASE, -1)).isNull();
        again.close();
        assertThat(GapFiller.find(segment, 64, BASE, -1)).isEqualTo(new GapFiller.Found(64 + 24, BASE + 1));
    }

    @Test
    void endRecordIsFoundToo() {
        segment.writeEnd(64 + 48, BASE + 2, 6);
        assertThat(fill(64, BASE, 5, BASE + 2)).isEqualTo(new GapFiller.Found(64 + 48, BASE + 2));
        assertThat(read()).containsExactly("0 2 0 5", "1 2 0 5", "2 3 0 6");
    }

    @Test
    void onlyWhatCouldBeTakenForALaterRecordIsForgotten() {
        int end = commit(64, BASE, 10);
        commit(end, BASE + 1, 0);
        commit(end + 240, BASE + 11, 0);
        commit(end + 480, BASE + 5, 0);
        commit(end + 720, BASE, 0);
        GapFiller.forget(segment, end, BASE + 1);
        assertThat(segment.commitWord(end)).isZero();
        assertThat(segment.commitWord(end + 240)).isZero();
        assertThat(segment.commitWord(end + 480)).isZero();
        assertThat(segment.isCommitted(segment.commitWord(end + 720), BASE)).as("of an earlier offset").isTrue();
        assertThat(read()).containsExactly("0 1 10 4");
    }
}
