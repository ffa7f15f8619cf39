package dev.outcrop.cli.common;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Starts a program in its own JVM, on the JDK that runs this program. The child ends when this program ends. */
public final class ChildJvm {
    /** A property of the child: the process id of the program that started it. */
    private static final String PARENT = "outcrop.parent";
    private final List<String> flags;
    private final String classPath;
    private final String mainClass;
    private final List<String> arguments;

    /**
     * Describes a program, but does not start it yet. The flags of the JVM are in addition to native access, which every program of Outcrop
     * needs.
     */
    public ChildJvm(List<String> flags, String classPath, String mainClass, List<String> arguments) {
        this.flags = List.copyOf(flags);
        this.classPath = classPath;
        this.mainClass = mainClass;
        this.arguments = List.copyOf(arguments);
    }

    /** Runs the program on this program's standard streams, waits for it, and returns its exit code. */
    public int run() {
        Process process = start(new ProcessBuilder().inheritIO());
        return waitFor(process);
    }

    /** Starts the program without a standard input. Its standard output is a pipe, and its standard error is this program's. */
    public Process startPiped() {
        ProcessBuilder builder = new ProcessBuilder();
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return start(builder);
    }

    /** Waits until a process has ended, and returns its exit code. If the waiting thread is interrupted, ends the process first. */
    public static int waitFor(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new Failure("interrupted while waiting for process " + process.pid());
        }
    }

    /**
     * Passes on the output of a process line by line, and returns its exit code. The process has ended in any case when this method ends.
     */
    public static int follow(Process process, Consumer<String> use) {
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(use);
        } catch (IOException e) {
            throw Failure.of("cannot follow process " + process.pid(), e);
        } catch (UncheckedIOException e) {
            throw Failure.of("cannot follow process " + process.pid(), e);
        } finally {
            // The process must not write any longer when its directory is deleted.
            boolean _ = process.toHandle().destroyForcibly();
            int _ = waitFor(process);
        }
        return process.exitValue();
    }

    private Process start(ProcessBuilder builder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-D" + PARENT + "=" + ProcessHandle.current().pid());
        command.addAll(flags);
        command.add("-cp");
        command.add(classPath);
        command.add(mainClass);
        command.addAll(arguments);
        Process process;
        try {
            process = builder.command(command).start();
        } catch (IOException e) {
            throw Failure.of("cannot start a JVM for " + mainClass, e);
        }
        try {
            // A signal that ends this program alone must not leave the child behind.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        } catch (IllegalStateException e) {
            // The signal has come meanwhile.
            process.destroyForcibly();
            int _ = waitFor(process);
            throw new Failure("interrupted while starting a JVM for " + mainClass);
        }
        return process;
    }
}
