package dev.outcrop.queue;

import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A test program in a JVM of its own, which is killed when this is closed, if it still runs. */
final class RunningJvm implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private RunningJvm(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts a program that starts fast rather than runs fast. */
    static RunningJvm start(Class<?> program, Object... arguments) throws IOException {
        return start(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny", "-cp", System.getProperty("java.class.path")), program, arguments);
    }

    /** The same, with options that allow native access and name the class path. */
    static RunningJvm start(List<String> options, Class<?> program, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:-CreateCoredumpOnCrash",
                "-XX:+ErrorFileToStderr", "-Xmx128m"));
        command.addAll(options);
        command.add(program.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return new RunningJvm(builder.start());
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int exitValue() {
        return process.exitValue();
    }

    /** Waits for the next line of its output, with a time limit. */
    String readLine() throws IOException {
        FutureTask<@Nullable String> next = new FutureTask<>(output::readLine);
        Thread.ofPlatform().daemon().start(next);
        try {
            String line = next.get(ChildJvm.MOST_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("The child JVM has ended");
            }
            return line;
        } catch (TimeoutException e) {
            throw hung(next);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    /** Kills the program. Returns an exception with its output and its threads. */
    AssertionError hung() throws IOException {
        return hung(new FutureTask<>(output::readLine));
    }

    private AssertionError hung(FutureTask<@Nullable String> next) throws IOException {
        StringBuilder said = new StringBuilder("The child JVM hung. It wrote, with its threads at last:\n");
        try {
            ChildJvm.dumpThreads(process);
            ChildJvm.kill(process);
            // Does nothing if it runs, or has run.
            next.run();
            for (String line = next.get(); line != null; line = output.readLine()) {
                said.append(line).append('\n');
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new AssertionError(said);
    }

    void writeLine(String line) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /** kill -9. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
