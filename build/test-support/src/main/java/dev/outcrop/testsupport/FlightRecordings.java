package dev.outcrop.testsupport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads the events of flight recordings. */
public final class FlightRecordings {

    private FlightRecordings() {
    }

    /** Returns all events of the file in the order of their start times. The file has them in the order of the threads' buffers. */
    public static List<RecordedEvent> read(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream().sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    /**
     * Records while some work runs: the named events without a threshold, and the events that are on by default.
     *
     * @param file where the recording goes; a stream of events instead may show an event before its texts, with null in their place
     */
    public static List<RecordedEvent> during(Path file, Runnable work, String... names) throws IOException {
        try (Recording recording = new Recording()) {
            for (String name : names) {
                recording.enable(name).withoutThreshold();
            }
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return read(file);
    }

    /** Returns the events of one kind, in the same order. */
    public static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
    }
}
