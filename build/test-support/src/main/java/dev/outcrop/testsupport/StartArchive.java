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
 * A dynamic CDS archive: the loaded and verified classes of a program. With it, JVMs start in two thirds of the time. It needs a class path
 * of jars. A JVM that cannot make or use an archive starts without it.
 */
public final class StartArchive {
    private static final List<String> FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
    private final List<Path> jars = new ArrayList<>();
    private final Path archive;

    /**
     * Makes the archive.
     *
     * @param directory an empty directory, for the archive and the jars
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

    /** Makes an archive for the lifetime of this JVM. */
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
        // The JDK's own archive was made without native access for all.
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

    /** Returns a JVM with native access that starts fast rather than runs fast. */
    public ChildJvm jvm() {
        return configured(ChildJvm.withoutCores()).option("-XX:SharedArchiveFile=" + archive);
    }

    /** Returns the options of such a JVM, with the class path. */
    public List<String> options() {
        List<String> options = new ArrayList<>(FAST);
        options.addAll(List.of("--illegal-native-access=allow", "-XX:SharedArchiveFile=" + archive, "-cp",
                String.join(File.pathSeparator, jars.stream().map(Path::toString).toList())));
        return options;
    }
}
