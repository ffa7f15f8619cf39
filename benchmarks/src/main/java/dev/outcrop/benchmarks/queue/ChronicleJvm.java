package dev.outcrop.benchmarks.queue;

import java.util.List;

/** The arguments that a JVM needs for Chronicle Queue. */
public final class ChronicleJvm {
    /** The arguments of the JVMs of Chronicle's own tests, and one that silences the JDK about Unsafe. */
    public static final List<String> ARGUMENTS = List.of(
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

    private ChronicleJvm() {
    }
}
