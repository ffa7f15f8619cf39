package dev.outcrop.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;

/** A queue, and the way in which a program uses it. */
public enum QueueKind {
    /** Segments, with our background thread. */
    OUTCROP("segment"),
    /** Segments; the appender does the work of the background thread. */
    OUTCROP_ALONE("segment, no background thread"),
    /** Segments; each record is verified each time that it is read. */
    OUTCROP_VERIFYING("segment, ReadVerification.ALWAYS"),
    /** No queue, but the least cost of our records in Java. */
    BARE("Java without a queue"),
    /** No queue: a file, to which each record is written. */
    FILE_CHANNEL("JDK FileChannel"),
    /** No queue: a mapped file, into which each record is copied. */
    MAPPED("JDK mapped segment"),
    /** Bytes that are handed over. */
    CHRONICLE("Chronicle writeBytes"),
    /** Bytes that the caller copies into an open document. */
    CHRONICLE_DOCUMENT("Chronicle writingDocument"),
    /** Bytes that are handed over; the next page is touched while there is nothing else to do. */
    CHRONICLE_TOUCHING("Chronicle writeBytes, microTouch");

    /** The arguments of the JVMs of Chronicle's own tests, and one that silences the JDK about Unsafe. */
    public static final List<String> CHRONICLE_JVM = List.of(
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
            "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            // Otherwise it reports its use over the network, and prints a banner.
            "-Dchronicle.analytics.disable=true",
            "-Dchronicle.announcer.disable=true");

    private final String label;

    QueueKind(String label) {
        this.label = label;
    }

    boolean isOutcrop() {
        return this == OUTCROP || this == OUTCROP_ALONE || this == OUTCROP_VERIFYING;
    }

    private boolean isChronicle() {
        return this == CHRONICLE || this == CHRONICLE_DOCUMENT || this == CHRONICLE_TOUCHING;
    }

    /** Returns the arguments of its JVMs. */
    List<String> jvmArgs() {
        List<String> arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m"));
        if (isChronicle()) {
            arguments.addAll(CHRONICLE_JVM);
        }
        return arguments;
    }

    /** The name of the form in the table. */
    @Override
    public String toString() {
        return label;
    }
}
