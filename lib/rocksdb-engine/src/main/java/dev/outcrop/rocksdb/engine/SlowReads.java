package dev.outcrop.rocksdb.engine;

import java.util.List;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends {@link SlowReadEvent}s. The class of the events would start the recorder, which takes long, so it is not initialized
 * before a recording.
 */
public final class SlowReads {
    private SlowReads() {
    }

    /**
     * Begins an event, or returns null if no recording wants it. This costs a load and a branch before the first recording, and a little
     * more later.
     */
    public static @Nullable SlowReadEvent begin() {
        if (!FlightRecorder.isInitialized()) {
            return null;
        }
        try {
            return SlowReadEvent.beginIfRecorded();
        } catch (LinkageError | StackOverflowError e) {
            // The stack ran out in the first event. Reads go on without events.
            return null;
        }
    }

    /** Ends an event, if there is one. */
    public static void end(@Nullable SlowReadEvent event, FamilyHandle family, long keySize) {
        if (event != null) {
            event.end(family, 1, 1, keySize);
        }
    }

    /** Ends the event of a call that read many keys, if there is one. */
    public static void end(@Nullable SlowReadEvent event, FamilyHandle family, List<byte[]> keys) {
        if (event != null) {
            event.end(family, 1, keys.size(), keys.stream().mapToLong(key -> key.length).sum());
        }
    }
}
