package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeLibraries;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a test program in a JVM of its own: what could crash, what must be killed, and what is decided once in a JVM's life. */
final class ChildJvm {
    private static final long MOST_SECONDS = 600;

    private final List<String> before = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private @Nullable Path directory;

    /** A JVM with native access, and none of this JVM's other options. */
    static ChildJvm withNativeAccess() {
        return new ChildJvm().option("--enable-native-access=ALL-UNNAMED").option("--illegal-native-access=deny")
                .option("-XX:-CreateCoredumpOnCrash").option("-XX:ErrorFile=/dev/stdout").option("-Xmx512m");
    }

    /** A JVM that is started with nothing but what is added. */
    static ChildJvm bare() {
        return new ChildJvm();
    }

    ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    /** Runs the program in a directory, to which relative paths then refer. */
    ChildJvm in(Path workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    /** Has the command run by another one, such as unshare. */
    ChildJvm startedBy(String... command) {
        before.addAll(List.of(command));
        return this;
    }

    /** What a program wrote, and how it ended. */
    record Result(int exitCode, String output) {
    }

    Result run(Class<?> program, Object... arguments) throws IOException, InterruptedException {
        options.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        return runJava(arguments);
    }

    /** Runs java with the options and these arguments, of which the first ones say what to run. */
    Result runJava(Object... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile("outcrop-child", ".txt");
        Process process = builder(arguments).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("The child JVM hangs. It wrote:\n" + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
        }
    }

    /** Starts the program; its output is to be read by the caller. */
    Process start(Class<?> program, Object... arguments) throws IOException {
        options.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        return builder(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private ProcessBuilder builder(Object... arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        System.getProperties().stringPropertyNames().stream().filter(name -> name.startsWith("outcrop."))
                .filter(name -> !name.equals("outcrop.leaks"))
                .forEach(name -> command.add(1 + before.size(), "-D" + name + "=" + System.getProperty(name)));
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return builder;
    }

    /** The directory or jar that a class comes from. */
    static Path placeOf(Class<?> type) {
        try {
            URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(place);
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** The jar with the native library, from the class path of the tests. */
    static Path nativesJar() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("outcrop-rocksdb-natives")).map(Path::of).findFirst()
                .orElseThrow(
                        () -> new AssertionError("no natives jar; the library is " + NativeLibraries.rocksdbPath()));
    }
}
