package dev.outcrop.testsupport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * GraalVM's metadata about a module's native calls, for images of programs: the file {@code reachability-metadata.json} in its jar. The
 * file is made from the functions that the module links. A test fails if the file is not up to date.
 */
public final class ForeignMetadata {
    private static final String WRITE = "outcrop.foreign.write";

    private ForeignMetadata() {
    }

    /**
     * Compares the file in {@code src/main/resources} with the functions that a module links. Writes the file if the system property
     * {@code outcrop.foreign.write} is set.
     *
     * @param artifact  the module's artifact
     * @param classes   the directory with its classes
     * @param directory an empty directory
     * @param programs  programs to run, because they link functions only when they run
     */
    public static void verify(String artifact, Path classes, Path directory, Class<?>... programs)
            throws IOException, InterruptedException {
        Path file = Path.of("src/main/resources/META-INF/native-image/dev.outcrop", artifact,
                "reachability-metadata.json");
        String linked = linked(classes, directory, programs);
        if (!linked.contains("call ")) {
            throw new AssertionError("nothing was seen: " + linked);
        }
        String needed = text(linked);
        if (System.getProperty(WRITE) != null) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, needed);
        }
        if (!Files.exists(file) || !Files.readString(file).equals(needed)) {
            throw new AssertionError(file + " is not what the native calls of this module need. Run this test with -D"
                    + WRITE + " and commit the file. Needed:\n" + needed);
        }
    }

    /** Returns a line for each shape of a native call of the classes in a directory. */
    public static String linked(Path classes, Path directory, Class<?>... programs)
            throws IOException, InterruptedException {
        Path agent = ForeignCalls.agent(directory.resolve("agent.jar"));
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-javaagent:" + agent).run(ForeignCalls.class,
                Stream.concat(Stream.of(classes), Stream.of(programs).map(Class::getName)).toArray());
        if (result.exitCode() != 0) {
            throw new AssertionError(result.output());
        }
        return result.output();
    }

    private static String text(String linked) {
        return """
                {
                  "foreign": {
                    "downcalls": [
                %s
                    ],
                    "upcalls": [
                %s
                    ]
                  }
                }
                """.formatted(entries(linked, "downcall "), entries(linked, "upcall ")).replace("[\n\n    ]", "[]");
    }

    private static String entries(String linked, String kind) {
        return linked.lines().filter(line -> line.startsWith(kind))
                .map(line -> "      " + line.substring(kind.length()))
                .collect(Collectors.joining(",\n"));
    }
}
