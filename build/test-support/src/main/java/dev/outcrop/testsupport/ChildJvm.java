package dev.outcrop.testsupport;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a test program in its own JVM, because the program could crash, must be killed, or tests a decision that a JVM makes only once.
 *
 * <p>The program has the class path of the tests, and their system properties {@code outcrop.*}, except the properties that report leaks
 * and that name the jar of {@code org.rocksdb}.
 */
public final class ChildJvm {
    /** More seconds than a program takes to start or to answer, even on a loaded machine. */
    public static final long MOST_SECONDS = 420;
    /** A program may take a minute less than the test. */
    private static final Duration LIMIT = Duration.ofMinutes(Integer.getInteger("outcrop.minutes", 8) - 1);

    private static final Set<String> OF_THIS_JVM = Set.of("outcrop.leaks", "outcrop.rocksdbjni");

    private final List<String> before = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final StringBuilder classPath = new StringBuilder(System.getProperty("java.class.path"));
    private final Map<String, String> environment = new TreeMap<>();
    private final TreeSet<String> unset = new TreeSet<>(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    private @Nullable Path directory;

    private ChildJvm() {
    }

    /** Returns a JVM with native access, and none of this JVM's other options. */
    public static ChildJvm withNativeAccess() {
        return withoutCores().option("--enable-native-access=ALL-UNNAMED").option("--illegal-native-access=deny");
    }

    /** Returns a JVM like {@link #withNativeAccess}, but for a short program: the JVM starts fast rather than runs fast. */
    public static ChildJvm shortLived() {
        return withNativeAccess().option("-XX:TieredStopAtLevel=1").option("-XX:+UseSerialGC");
    }

    /** Returns a JVM that leaves no files when it crashes and takes little memory, with none of this JVM's other options. */
    static ChildJvm withoutCores() {
        return bare().option("-XX:-CreateCoredumpOnCrash").option("-XX:+ErrorFileToStdout").option("-Xmx512m");
    }

    /** Returns a JVM without any options. */
    public static ChildJvm bare() {
        return new ChildJvm();
    }

    /** Adds an option of the java command, such as a system property. */
    public ChildJvm option(String option) {
        options.add(option);
        return this;
    }

    /** Adds to the class path of the tests. */
    public ChildJvm classPath(Path entry) {
        classPath.append(File.pathSeparatorChar).append(entry);
        return this;
    }

    /** Replaces the class path of the tests. */
    public ChildJvm onlyClassPath(List<Path> entries) {
        classPath.setLength(0);
        classPath.append(entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        return this;
    }

    /** Runs the program in a directory. */
    public ChildJvm in(Path workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    /** Sets a variable of the program's environment. */
    public ChildJvm environment(String name, Object value) {
        environment.put(name, value.toString());
        return this;
    }

    /** Removes a variable from the program's environment. */
    public ChildJvm withoutEnvironment(String name) {
        unset.add(name);
        return this;
    }

    /** Runs the command through another command, such as env. */
    public ChildJvm startedBy(String... command) {
        before.addAll(List.of(command));
        return this;
    }

    /**
     * Gives the program its own disk, which disappears when the program ends.
     *
     * @param mountPoint an empty directory
     * @param options    of a tmpfs, such as size=1m
     */
    public ChildJvm withDisk(Path mountPoint, String options) {
        return startedBy("unshare", "--mount", "sh", "-e", "-c",
                "mount -t tmpfs -o \"$1\" tmpfs \"$2\"; shift 2; exec \"$@\"", "sh", options, mountPoint.toString());
    }

    /** Returns whether this user may give a program its own disk. */
    public static boolean canHaveDisk() throws IOException, InterruptedException {
        return Files.isExecutable(Path.of("/usr/bin/unshare"))
                && new ProcessBuilder("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt")
                        .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                        .waitFor() == 0;
    }

    /** The output of a program on both streams, and its exit code. */
    public record Result(int exitCode, String output) {
    }

    public Result run(Class<?> program, Object... arguments) throws IOException, InterruptedException {
        return launch(program, arguments).await();
    }

    /** Runs a program that must end with exit code 0. Returns the lines that it wrote to both of its streams. */
    public List<String> lines(Class<?> program, Object... arguments) throws IOException, InterruptedException {
        Result result = run(program, arguments);
        if (result.exitCode() != 0) {
            throw new AssertionError("The program ended with " + result.exitCode() + ":\n" + result.output());
        }
        return result.output().lines().toList();
    }

    /** Runs java with the options and these arguments. The first arguments say what to run. */
    public Result runJava(Object... arguments) throws IOException, InterruptedException {
        return launch(arguments).await();
    }

    /** Starts the program; the caller waits for it with {@link Running#await}. */
    public Running launch(Class<?> program, Object... arguments) throws IOException {
        return launch(withClassPath(program, arguments));
    }

    /** Starts a program that is not on the class path of the tests; the caller waits for it with {@link Running#await}. */
    public Running launchNamed(String program, Object... arguments) throws IOException {
        return launch(Stream.concat(Stream.of("-cp", classPath, program), Arrays.stream(arguments)).toArray());
    }

    private Running launch(Object[] arguments) throws IOException {
        Path output = Files.createTempFile("outcrop-child", ".txt");
        Process process = builder(arguments).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        process.getOutputStream().close();
        return new Running(process, output);
    }

    /** A started program, and the file of its output. */
    public record Running(Process process, Path output) {
        public Result await() throws IOException, InterruptedException {
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
    }

    /** Starts the program; the caller reads its output. */
    public Process start(Class<?> program, Object... arguments) throws IOException {
        return builder(withClassPath(program, arguments)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /**
     * Waits until a process has ended. Kills a process that hangs; if the process is a JVM, it first writes the stacks of its threads to
     * its output.
     *
     * @return whether it has ended by itself
     */
    public static boolean awaitEnd(Process process) throws InterruptedException {
        if (process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            return true;
        }
        dumpThreads(process);
        kill(process);
        return false;
    }

    /** Makes a JVM and its child JVMs write the stacks of their threads to their outputs. */
    public static void dumpThreads(Process process) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-QUIT"));
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
                // The signal would end other programs.
                .filter(one -> one.info().command().filter(name -> name.endsWith("java")).isPresent())
                .forEach(one -> command.add(Long.toString(one.pid())));
        try {
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            System.out.println("The threads of process " + process.pid() + " cannot be dumped: " + e);
        }
        // There is no sign when the stacks are written.
        process.waitFor(3, TimeUnit.SECONDS);
    }

    /** Kills the process and its children (kill -9). */
    public static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        // Not through the Process object, which would close the output before it is read.
        process.toHandle().destroyForcibly();
    }

    private Object[] withClassPath(Class<?> program, Object[] arguments) {
        return Stream.concat(Stream.of("-cp", classPath, program.getName()), Arrays.stream(arguments)).toArray();
    }

    private ProcessBuilder builder(Object[] arguments) {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // First, so that an option can override them.
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("outcrop.") && !OF_THIS_JVM.contains(name))
                .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
        command.addAll(options);
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        builder.environment().keySet().removeAll(unset);
        builder.environment().putAll(environment);
        return builder;
    }
}
