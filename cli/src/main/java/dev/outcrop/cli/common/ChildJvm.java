package dev.outcrop.cli.common;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a program in a JVM of its own, on the JDK that runs this one. The child ends when this program does. */
public final class ChildJvm {
    private final List<String> flags;
    private final String classPath;
    private final String mainClass;
    private final List<String> arguments;

    /**
     * Describes a program; nothing is started yet.
     *
     * @param flags flags of the JVM, beside native access, which every program of Outcrop needs
     * @param classPath directories and jars, separated by {@link File#pathSeparator}
     * @param mainClass name of the class with the main method
     * @param arguments the program's arguments
     */
    public ChildJvm(List<String> flags, String classPath, String mainClass, List<String> arguments) {
        this.flags = List.copyOf(flags);
        this.classPath = classPath;
        this.mainClass = mainClass;
        this.arguments = List.copyOf(arguments);
    }

    /**
     * Runs the program on this program's standard streams and waits for it.
     *
     * @return its exit code
     */
    public int run() {
        Process process = start(new ProcessBuilder().inheritIO());
        return waitFor(process);
    }

    /**
     * Starts the program with its standard output as a pipe; its standard error is this program's.
     *
     * @return the running process, without standard input
     */
    public Process startPiped() {
        ProcessBuilder builder = new ProcessBuilder();
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return start(builder);
    }

    /**
     * Waits until a process has ended. When the waiting thread is interrupted, the process is ended first.
     *
     * @param process a started process
     * @return its exit code
     */
    public static int waitFor(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new Failure("interrupted while waiting for process " + process.pid());
        }
    }

    private Process start(ProcessBuilder builder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(flags);
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        command.addAll(arguments);
        try {
            Process process = builder.command(command).start();
            // A signal that ends this program alone must not leave the child behind.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
            return process;
        } catch (IOException e) {
            throw Failure.of("cannot start a JVM for " + mainClass, e);
        }
    }
}
