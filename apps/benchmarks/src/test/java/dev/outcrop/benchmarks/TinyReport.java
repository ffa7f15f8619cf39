package dev.outcrop.benchmarks;

import dev.outcrop.testsupport.ChildJvm;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** {@code bench} as a program of its own, as short as in the other tests. */
final class TinyReport {
    private TinyReport() {
    }

    /** Returns the JVM of the program, which measures in an existing directory. */
    static ChildJvm jvm(Path work) {
        ChildJvm jvm = ChildJvm.shortLived().option("-Djmh.ignoreLock=true").option("-Dwork=" + work);
        Map<String, String> environment = System.getenv();
        // One of the conditions of a report.
        return environment.containsKey("JDK_JAVA_OPTIONS")
                ? jvm.environment("JDK_JAVA_OPTIONS", environment.getOrDefault("JDK_JAVA_OPTIONS", ""))
                : jvm;
    }

    /** Runs a command, and prints both of its streams. */
    static int run(String... arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        return Main.run(SuiteRun.TINY, Path.of(System.getProperty("work")), out, out, arguments);
    }

    public static void main(String[] arguments) {
        Main.endChildrenAtTheEnd();
        System.exit(run(arguments));
    }
}
