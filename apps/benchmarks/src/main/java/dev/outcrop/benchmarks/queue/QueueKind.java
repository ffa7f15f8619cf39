package dev.outcrop.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;

/** A queue, and the way in which a program uses it. */
public enum QueueKind {
    /** Segments, with our background thread. */
    OUTCROP("segment"),
    /** Segments; the appender does the work of the background thread. */
    OUTCROP_ALONE("segment, no background thread"),
    /** Segments; each read verifies the record. */
    OUTCROP_VERIFYING("segment, ReadVerification.ALWAYS"),
    /** No queue: the least cost of our records in Java. */
    BARE("Java without a queue"),
    /** No queue: a file, with one write for each record. */
    FILE_CHANNEL("JDK FileChannel"),
    /** No queue: a mapped file, with one copy for each record. */
    MAPPED("JDK mapped segment"),
    /** Passes the bytes of a record. */
    CHRONICLE("Chronicle writeBytes"),
    /** Copies the bytes of a record into an open document. */
    CHRONICLE_DOCUMENT("Chronicle writingDocument"),
    /** Passes the bytes of a record, and touches the next page while there is nothing else to do. */
    CHRONICLE_TOUCHING("Chronicle writeBytes, microTouch");

    /** The JVM arguments of Chronicle's own tests, and an argument that silences the JDK's warnings about Unsafe. */
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
            // Otherwise Chronicle reports its use over the network, and prints a banner.
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

    /** Returns the arguments of the JVMs for this kind. */
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
