package dev.outcrop.queue.internal.append;

import jdk.jfr.FlightRecorder;

/** JDK Flight Recorder, which needs a tenth of a second to begin with the first event that anybody makes, recorded or not. */
public final class FlightRecording {
    private FlightRecording() {
    }

    /** Whether there may be anybody who records events. If not, none should be made: an append would wait for the Recorder to begin. */
    public static boolean isThere() {
        return FlightRecorder.isInitialized();
    }
}
