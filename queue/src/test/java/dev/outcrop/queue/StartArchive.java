package dev.outcrop.queue;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * With what JVMs start in two thirds of the time: the classes of a queue, loaded and verified before (a dynamic CDS archive), and for that
 * the class path as jars. Where the JVM cannot make or use an archive, it starts without one.
 */
final class StartArchive {
    private final List<String> options;

    /** Makes it in an empty directory. */
    StartArchive(Path directory) throws IOException, InterruptedException {
        List<String> jars = new ArrayList<>();
        for (Path entry : ClassPath.entries()) {
            jars.add(
                    Files.isDirectory(entry) ? pack(entry, directory.resolve(jars.size() + ".jar")) : entry.toString());
        }
        // Native access for all would be another start than the one that the JDK's own archive was made for.
        ChildJvm jvm = ChildJvm.bare().option("--illegal-native-access=allow").option("-XX:TieredStopAtLevel=1")
                .option("-XX:+UseSerialGC").option("-cp").option(String.join(File.pathSeparator, jars));
        Path archive = directory.resolve("classes.jsa");
        ChildJvm.Result result = jvm.option("-XX:ArchiveClassesAtExit=" + archive)
                .runJava(StartArchive.class.getName(), directory.resolve("queue"));
        if (result.exitCode() != 0) {
            throw new AssertionError(result.output());
        }
        options = List.of("--illegal-native-access=allow", "-XX:SharedArchiveFile=" + archive, "-cp",
                String.join(File.pathSeparator, jars));
    }

    private static String pack(Path directory, Path jar) {
        int exit = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create", "--file",
                jar.toString(), "-C", directory.toString(), ".");
        if (exit != 0) {
            throw new AssertionError("jar of " + directory + " ended with " + exit);
        }
        return jar.toString();
    }

    /** What to start a JVM with; the class path is among it. */
    List<String> options() {
        return options;
    }

    /** Loads what a queue needs. */
    static void main(String[] arguments) throws IOException {
        new Report(Path.of(arguments[0] + ".report"), ProduceProgram.REPORT_BYTES).set(ProduceProgram.RUNS, 1);
        try (Queue queue = Queue.open(Path.of(arguments[0]), ConsumeProgram.options());
                Consumer consumer = queue.group(ConsumeProgram.GROUP).consumer()) {
            queue.append(new Payload(0, 0).bytes(100));
            queue.with(Durability.SYNCED).append(new Payload(0, 1).bytes(100));
            for (Delivery delivery = consumer.poll(); delivery != null; delivery = consumer.poll()) {
                Payload _ = Payload.of(delivery.segment());
                delivery.acknowledge();
                delivery.close();
            }
        }
    }
}
