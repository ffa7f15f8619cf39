package dev.outcrop.testsupport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads the events of flight recordings. */
public final class FlightRecordings {

    private FlightRecordings() {
    }

    /** All events of the file in the order in which they began; the file has them in the order of threads' buffers. */
    public static List<RecordedEvent> read(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream().sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    /** Those of one kind, in the same order. */
    public static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream().filter(event -> event.getEventType().getName().equals(name)).toList();
    }
}
