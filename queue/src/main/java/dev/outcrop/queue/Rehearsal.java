package dev.outcrop.queue;

import dev.outcrop.memory.Uninterrupted;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Has the JVM do once, while there is stack and heap, what it would do when records are appended or read for the first time: initialize classes,
 * which can never be used if that fails, and link calls, for which there may be no room between claiming and committing a record.
 */
final class Rehearsal {
    private static final List<Class<?>> USED = List.of(AppendBatch.class, Appender.class, AsyncAppender.class,
            Batch.class, Clock.class, ClosingSteps.class,
            Committer.class, Committer.Pending.class, Consumer.class, ConsumerGroup.class, Cursor.class, Delivery.class,
            Filler.class, Followers.class, GroupFile.class, GroupReader.class, InFlight.class, Locks.class,
            Readers.class, FlightRecording.class, QueueBounds.class, Syncer.class, Tailer.class, TailerFile.class,
            Uninterrupted.class);
    /** Only if somebody records: they make the Recorder begin. */
    private static final List<Class<?>> EVENTS = List.of(SegmentRollEvent.class, StallEvent.class, SyncEvent.class);

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
