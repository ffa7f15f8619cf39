package dev.outcrop.testsupport;

import dev.outcrop.testsupport.misuse.MisuseProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * With what JVMs start in two thirds of the time: the classes of a program, loaded and verified before (a dynamic CDS archive), and for
 * that the class path as jars. Where the JVM cannot make or use an archive, it starts without one.
 */
public final class StartArchive {
    private static final List<String> FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private final List<Path> jars = new ArrayList<>();
    private final Path archive;

    /**
     * Makes it.
     *
     * @param directory an empty one, for the archive and the jars
     * @param training  a program that loads the classes, and may use the directory too
     * @param arguments of that program
     */
    public StartArchive(Path directory, Class<?> training, Object... arguments)
            throws IOException, InterruptedException {
        for (Path entry : ClassPath.entries()) {
            jars.add(Files.isDirectory(entry) ? pack(entry, directory.resolve(jars.size() + ".jar")) : entry);
        }
        archive = directory.resolve("classes.jsa");
        ChildJvm.Result result = configured(ChildJvm.bare()).option("-XX:ArchiveClassesAtExit=" + archive).run(training,
                arguments);
        if (result.exitCode() != 0) {
            throw new AssertionError(result.output());
        }
    }

    /** Makes it for as long as this JVM runs. */
    public static StartArchive untilTheEnd(Class<?> training) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("outcrop-classes");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                MisuseProgram.delete(directory);
            } catch (IOException e) {
                System.out.println("Not deleted: " + e);
            }
        }));
        return new StartArchive(directory, training);
    }

    private ChildJvm configured(ChildJvm jvm) {
        FAST.forEach(jvm::option);
        // Native access for all would be another start than the one that the JDK's own archive was made for.
        return jvm.option("--illegal-native-access=allow").onlyClassPath(jars);
    }

    private static Path pack(Path directory, Path jar) {
        int exit = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create", "--file",
                jar.toString(), "-C", directory.toString(), ".");
        if (exit != 0) {
            throw new AssertionError("jar of " + directory + " ended with " + exit);
        }
        return jar;
    }

    /** A JVM that starts fast rather than runs fast, with native access. */
    public ChildJvm jvm() {
        return configured(ChildJvm.withoutCores()).option("-XX:SharedArchiveFile=" + archive);
    }

    /** The same as options, the class path among them. */
    public List<String> options() {
        List<String> options = new ArrayList<>(FAST);
        options.addAll(List.of("--illegal-native-access=allow", "-XX:SharedArchiveFile=" + archive, "-cp",
                String.join(File.pathSeparator, jars.stream().map(Path::toString).toList())));
        return options;
    }
}
