package dev.outcrop.queue;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.Locks;
import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.append.AppendBatch;
import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Committer;
import dev.outcrop.queue.internal.append.Cursor;
import dev.outcrop.queue.internal.append.Filler;
import dev.outcrop.queue.internal.append.FlightRecording;
import dev.outcrop.queue.internal.append.Followers;
import dev.outcrop.queue.internal.append.QueueBounds;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.append.SegmentRollEvent;
import dev.outcrop.queue.internal.append.StallEvent;
import dev.outcrop.queue.internal.append.SyncEvent;
import dev.outcrop.queue.internal.append.Syncer;
import dev.outcrop.queue.internal.files.GroupNames;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.groups.Acknowledgements;
import dev.outcrop.queue.internal.groups.Batch;
import dev.outcrop.queue.internal.groups.DeadLetterEvent;
import dev.outcrop.queue.internal.groups.DeadLetters;
import dev.outcrop.queue.internal.groups.Deadlines;
import dev.outcrop.queue.internal.groups.Group;
import dev.outcrop.queue.internal.groups.GroupFile;
import dev.outcrop.queue.internal.groups.GroupMoves;
import dev.outcrop.queue.internal.groups.GroupReader;
import dev.outcrop.queue.internal.groups.InFlight;
import dev.outcrop.queue.internal.groups.Member;
import dev.outcrop.queue.internal.groups.Membership;
import dev.outcrop.queue.internal.groups.Returns;
import dev.outcrop.queue.internal.groups.WaitingLine;
import dev.outcrop.queue.internal.tailers.TailerCursor;
import dev.outcrop.queue.internal.tailers.TailerFile;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Has the JVM do once, while there is stack and heap, what it would do when records are appended or read for the first time: initialize
 * classes, which can never be used if that fails, and link calls, for which there may be no room between claiming and committing a record.
 */
final class Rehearsal {
    private static final List<Class<?>> USED = List.of(Acknowledgements.class, AppendBatch.class, Appender.class,
            AsyncAppender.class,
            Batch.class, Clock.class, ClosingSteps.class,
            Committer.class, Committer.Pending.class, Consumer.class, ConsumerGroup.class, Failures.class, Group.class,
            Member.class, Membership.class, Nanos.class, QueueFailures.class, TailerCursor.class, Cursor.class,
            DeadLetters.class,
            Deadlines.class, Delivery.class,
            Filler.class, Followers.class, GroupFile.class, GroupMoves.class, GroupNames.class,
            GroupReader.class,
            InFlight.class,
            Locks.class,
            Readers.class, RecordView.class, Returns.class, WaitingLine.class, FlightRecording.class, QueueBounds.class,
            Syncer.class,
            Tailer.class, TailerFile.class,
            Uninterrupted.class);
    /** Only if somebody records: they make the Recorder begin. */
    private static final List<Class<?>> EVENTS = List.of(DeadLetterEvent.class, SegmentRollEvent.class,
            StallEvent.class, SyncEvent.class);

    private static volatile boolean isDone;
    private static volatile boolean areEventsReady;

    private Rehearsal() {
    }

    /** When a queue or a tailer is opened. */
    static void run() {
        if (!isDone) {
            initialize(USED);
            long _ = new Clock(0).millis();
            SegmentFile.rehearse();
            isDone = true;
        }
        if (!areEventsReady && FlightRecording.isThere()) {
            initialize(EVENTS);
            areEventsReady = true;
        }
    }

    private static void initialize(List<Class<?>> classes) {
        for (Class<?> each : classes) {
            try {
                Class<?> _ = MethodHandles.lookup().ensureInitialized(each);
            } catch (IllegalAccessException e) {
                throw new LinkageError(each + " is of this package", e);
            }
        }
    }
}
