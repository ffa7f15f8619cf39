package dev.outcrop.queue;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.repair.GroupCheck;
import dev.outcrop.queue.internal.tailers.TailerCursor;
import dev.outcrop.queue.internal.tailers.TailerFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a queue that another process may be writing, as a tailer does. Writes only the file of a tailer. */
final class SurveyReader {
    /** No writer takes that long to fill the file of a new group. */
    private static final long MAKING_NANOS = 2_000_000_000;
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private final Path directory;
    private final List<QueueCheck.Segment> segments = new ArrayList<>();
    private final List<Backlog> groups = new ArrayList<>();
    private QueueFile.@Nullable Slot slot;
    private long first;
    private long next;
    // Of the segment that is being read.
    private @Nullable SegmentFile in;
    private long base;
    private long records;
    private long withdrawn;
    private long end;

    private SurveyReader(Path directory) {
        this.directory = directory;
    }

    /** The backlog of a group: the bytes from its first record that is not acknowledged to the end, and the time of that record. */
    private static final class Backlog {
        final String name;
        /** All before this offset is acknowledged. */
        final long position;
        /** How many records behind that are acknowledged, too. */
        final long ahead;
        final long records;
        long bytes;
        /** {@link Long#MAX_VALUE} if there is none. */
        long time = Long.MAX_VALUE;

        Backlog(GroupCheck group, long first, long next) {
            this.name = group.name();
            this.position = Math.clamp(group.reached(), first, next);
            this.ahead = group.ahead() - (group.reached() - group.floor());
            this.records = Math.max(0, next - position - ahead);
        }

        QueueSurvey.Group shown(long now) {
            return new QueueSurvey.Group(name, position, ahead,
                    new Lag(records, bytes, Duration.ofMillis(Math.max(0, now - Math.min(now, time)))));
        }
    }

    static QueueSurvey read(Path directory) throws IOException {
        SurveyReader survey = new SurveyReader(directory);
        try (TailerFile registration = TailerFile.register(directory);
                TailerCursor cursor = new TailerCursor(directory, registration, null)) {
            try {
                survey.read(cursor);
            } catch (InternalError e) {
                throw cursor.cutOff(e);
            }
        }
        return survey.shown(System.currentTimeMillis());
    }

    private QueueSurvey shown(long now) {
        QueueFile.Slot said = Objects.requireNonNull(slot);
        return new QueueSurvey(directory, said.segmentSize(), first, next, said.synced(), segments,
                groups.stream().map(group -> group.shown(now)).toList());
    }

    private void read(TailerCursor cursor) throws IOException {
        cursor.go(0);
        QueueFile.Slot said = Objects.requireNonNull(cursor.slot());
        slot = said;
        List<GroupCheck> found = new ArrayList<>();
        for (Path path : GroupCheck.files(directory)) {
            GroupCheck check = group(path, said.queueId());
            if (check != null) {
                found.add(check);
            }
        }
        // After that, so that all that the groups have acknowledged is before the end.
        cursor.go(Long.MAX_VALUE);
        next = cursor.offset();
        cursor.go(0);
        // Some may have been given back meanwhile.
        first = Math.min(cursor.offset(), next);
        found.forEach(group -> groups.add(new Backlog(group, first, next)));
        while (cursor.offset() < next && cursor.advance()) {
            count(cursor);
        }
        endSegment(next);
    }

    /** Reads a group's file; null if the group was deleted meanwhile. */
    private static @Nullable GroupCheck group(Path path, long queueId) throws IOException {
        long start = System.nanoTime();
        boolean isInterrupted = false;
        try {
            while (true) {
                GroupCheck check = GroupCheck.readBesideWriter(path, queueId);
                String damage = check.damage();
                if (damage == null) {
                    return check;
                }
                // The writer may just be making the group.
                if (System.nanoTime() - start > MAKING_NANOS) {
                    throw Failures.make().corrupt(path, 0, damage);
                }
                isInterrupted |= Uninterrupted.park(path, LOOK_AGAIN_NANOS);
            }
        } catch (NoSuchFileException _) {
            return null;
        } finally {
            Uninterrupted.interruptAgain(isInterrupted);
        }
    }

    private void count(TailerCursor cursor) {
        SegmentFile from = cursor.foundIn();
        long offset = cursor.offset() - 1;
        if (from != in) {
            endSegment(offset);
            in = from;
            base = offset;
        }
        if (cursor.hasFound()) {
            records++;
        } else {
            withdrawn++;
        }
        long bytes = QueueLayout.recordBytes(cursor.foundLength());
        end = cursor.foundPosition() + bytes;
        for (Backlog group : groups) {
            if (group.records > 0 && offset >= group.position) {
                group.bytes += bytes;
                if (offset == group.position) {
                    group.time = cursor.foundTime();
                }
            }
        }
    }

    private void endSegment(long endOffset) {
        SegmentFile left = in;
        if (left != null) {
            segments.add(new QueueCheck.Segment(left.path, base, endOffset, records, withdrawn, end, left.generation));
            in = null;
            records = 0;
            withdrawn = 0;
        }
    }
}
