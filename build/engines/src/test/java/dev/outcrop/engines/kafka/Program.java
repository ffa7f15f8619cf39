package dev.outcrop.engines.kafka;

import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A running program that takes orders and answers, each a line. It is killed at the latest when it is closed. */
final class Program implements AutoCloseable {
    private static final String END = "the end of its output";

    private final Process process;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    Program(Process started) {
        process = started;
        // So that it never waits for its output to be read.
        Thread.ofVirtual().start(() -> {
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                output.lines().forEach(answers::add);
            } catch (IOException | UncheckedIOException e) {
                answers.add(e.toString());
            }
            answers.add(END);
        });
    }

    Process process() {
        return process;
    }

    void order(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits for the answer that starts so; others, such as an application's warnings, are passed over. Returns the rest of the line. */
    String answer(String start) throws IOException, InterruptedException {
        for (;;) {
            String line = next(start);
            if (line.startsWith(start)) {
                return line.substring(start.length());
            }
        }
    }

    /** Waits for a line, and returns those before it. */
    List<String> linesUntil(String last) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        for (String line = next(last); !line.equals(last); line = next(last)) {
            lines.add(line);
        }
        return lines;
    }

    private String next(String wanted) throws IOException, InterruptedException {
        String line = answers.poll(ChildJvm.MOST_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            ChildJvm.dumpThreads(process);
            throw new AssertionError("it hangs, instead of the answer: " + wanted);
        }
        if (line.equals(END)) {
            throw new IOException("it has ended, instead of the answer: " + wanted);
        }
        return line;
    }

    /** kill -9, and waits until it is gone. */
    void kill() {
        ChildJvm.kill(process);
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
