package dev.outcrop.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a test program in a JVM of its own: what could crash, what must be killed, and what is decided once in a JVM's life. */
final class ChildJvm {
    /** No program takes that long, not even on a loaded machine. */
    static final long MOST_SECONDS = 300;

    private final List<String> before = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();

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

    /** Sets a variable of the program's environment. */
    ChildJvm environment(String name, Object value) {
        environment.put(name, value.toString());
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
            if (!awaitEnd(process)) {
                throw new AssertionError(
                        "The child JVM hung. It wrote, with its threads at last:\n" + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
        }
    }

    /**
     * Waits until a process has ended, but not for ever: one that hangs is killed, after a JVM has written to its output what its threads do.
     *
     * @return whether it has ended by itself
     */
    static boolean awaitEnd(Process process) throws InterruptedException {
        if (process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            return true;
        }
        dumpThreads(process);
        kill(process);
        return false;
    }

    /** Has a JVM, and those that it or a command was to start, write to their outputs what their threads do. */
    static void dumpThreads(Process process) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-QUIT"));
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
                // To others the signal is deadly.
                .filter(one -> one.info().command().filter(name -> name.endsWith("java")).isPresent())
                .forEach(one -> command.add(Long.toString(one.pid())));
        try {
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            System.out.println("The threads of process " + process.pid() + " cannot be dumped: " + e);
        }
        // Nothing tells when it is written.
        process.waitFor(3, TimeUnit.SECONDS);
    }

    /** kill -9, of what the process has started too. */
    static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        // Not the process itself, which would close its output before it is read.
        process.toHandle().destroyForcibly();
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
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().putAll(environment);
        return builder;
    }
}
