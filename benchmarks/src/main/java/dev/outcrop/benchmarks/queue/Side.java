package dev.outcrop.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;

/** Whose queue a program uses, and in which way. */
enum Side {
    /** Segments, with our background thread. */
    OUTCROP("segment"),
    /** Segments; whoever appends does what the background thread would do. */
    OUTCROP_ALONE("segment, no background thread"),
    /** Bytes that are handed over. */
    CHRONICLE("Chronicle writeBytes"),
    /** Bytes that the caller copies into an open document. */
    CHRONICLE_DOCUMENT("Chronicle writingDocument"),
    /** Bytes that are handed over; the next page is touched while there is nothing else to do. */
    CHRONICLE_TOUCHING("Chronicle writeBytes, microTouch");

    /** What Chronicle's build gives to the JVMs of its own tests, and what silences the JDK about Unsafe. */
    private static final List<String> CHRONICLE_FLAGS = List.of(
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
            // Otherwise it tells its maker over the network that it runs, and prints a banner.
            "-Dchronicle.analytics.disable=true",
            "-Dchronicle.announcer.disable=true");

    private final String label;

    Side(String label) {
        this.label = label;
    }

    boolean isOutcrop() {
        return this == OUTCROP || this == OUTCROP_ALONE;
    }

    /** Arguments of its JVMs. */
    List<String> jvmArgs() {
        List<String> arguments = new ArrayList<>(List.of("-Xms512m", "-Xmx512m"));
        if (!isOutcrop()) {
            arguments.addAll(CHRONICLE_FLAGS);
        }
        return arguments;
    }

    /** What the form is called in the table. */
    @Override
    public String toString() {
        return label;
    }
}
