package dev.outcrop.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;

/** A queue, and the way in which a program uses it. */
enum QueueKind {
    /** Segments, with our background thread. */
    OUTCROP("segment"),
    /** Segments; an appender does what the background thread would do. */
    OUTCROP_ALONE("segment, no background thread"),
    /** Segments; each record is verified each time that it is read. */
    OUTCROP_VERIFYING("segment, ReadVerification.ALWAYS"),
    /** No queue, but the least that our records cost in Java. */
    BARE("Java without a queue"),
    /** Bytes that are handed over. */
    CHRONICLE("Chronicle writeBytes"),
    /** Bytes that the caller copies into an open document. */
    CHRONICLE_DOCUMENT("Chronicle writingDocument"),
    /** Bytes that are handed over; the next page is touched while there is nothing else to do. */
    CHRONICLE_TOUCHING("Chronicle writeBytes, microTouch");

    private final String label;

    QueueKind(String label) {
        this.label = label;
    }

    boolean isOutcrop() {
        return this == OUTCROP || this == OUTCROP_ALONE || this == OUTCROP_VERIFYING;
    }

    private boolean isChronicle() {
        return !isOutcrop() && this != BARE;
    }

    /** Arguments of its JVMs. */
    List<String> jvmArgs() {
        List<String> arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m"));
        if (isChronicle()) {
            arguments.addAll(ChronicleJvm.ARGUMENTS);
        }
        return arguments;
    }

    /** The name of the form in the table. */
    @Override
    public String toString() {
        return label;
    }
}
