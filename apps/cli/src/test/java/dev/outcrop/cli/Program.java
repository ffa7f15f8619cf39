package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Runs commands as {@link Main} does, in this process. */
public final class Program {
    private Program() {
    }

    /**
     * The output of a command, and its exit code.
     *
     * @param code its exit code
     * @param out  what it wrote to the standard output
     * @param err  what it wrote to the standard error
     */
    public record Run(int code, String out, String err) {
    }

    /**
     * Runs a command.
     *
     * @param args the command and its arguments, which may be paths
     * @return what came of it
     */
    public static Run run(Object... args) {
        return runWith("", args);
    }

    /**
     * Runs a command that must succeed and have nothing to say on the standard error.
     *
     * @param args the command and its arguments, which may be paths
     * @return what it wrote to the standard output
     */
    public static String ok(Object... args) {
        return okWith("", args);
    }

    /**
     * As {@link #ok}, with a standard input.
     *
     * @param input what it reads, one byte a character
     * @param args  the command and its arguments, which may be paths
     * @return what it wrote to the standard output
     */
    public static String okWith(String input, Object... args) {
        Run run = runWith(input, args);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return run.out();
    }

    /**
     * Runs a command that must fail with one line on the standard error.
     *
     * @param code     how it must end
     * @param expected a part of the line
     * @param args     the command and its arguments, which may be paths
     * @return what came of it
     */
    public static Run fails(int code, String expected, Object... args) {
        Run run = run(args);
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).startsWith("outcrop: ").contains(expected).hasLineCount(1);
        return run;
    }

    /**
     * Waits until a process has ended by itself.
     *
     * @param process that was started
     * @return its exit code
     * @throws InterruptedException if the test is interrupted
     */
    public static int exitCode(Process process) throws InterruptedException {
        assertThat(ChildJvm.awaitEnd(process)).isTrue();
        return process.exitValue();
    }

    /**
     * Reads what a process writes to its standard output until it has ended.
     *
     * @param process that was started
     * @return what came of it, without what it wrote to the standard error
     * @throws IOException          if its output cannot be read
     * @throws InterruptedException if the test is interrupted
     */
    public static Run end(Process process) throws IOException, InterruptedException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(exitCode(process), out, "");
    }

    /**
     * Sends a process what Ctrl-C sends.
     *
     * @param process that is interrupted
     * @throws Exception if that cannot be done
     */
    public static void interrupt(Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor()).isZero();
    }

    /**
     * Waits until a program has written something, for as long as the test may take.
     *
     * @param file  what it writes to
     * @param regex of all of it
     * @throws Exception if the test may take no longer
     */
    public static void awaitText(Path file, String regex) throws Exception {
        Pattern pattern = Pattern.compile(regex, Pattern.DOTALL);
        while (!Files.exists(file) || !pattern.matcher(Files.readString(file)).matches()) {
            Thread.sleep(20);
        }
    }

    /**
     * Chooses among cases that are alike: a process for each takes long.
     *
     * @param <T>   what tells them apart
     * @param cases all of them
     * @return the same in the nightly run; otherwise one, another one each time
     */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> List<T> oneOrAll(T... cases) {
        List<T> all = List.of(cases);
        return TestSize.isNightly()
                ? all
                : List.of(all.get(new Random(TestSize.seed(Program.class)).nextInt(all.size())));
    }

    /**
     * Runs a command with a standard input.
     *
     * @param input what it reads, one byte a character
     * @param args  the command and its arguments, which may be paths
     * @return what came of it
     */
    public static Run runWith(String input, Object... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine program = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.ISO_8859_1)));
        try {
            int code = program.execute(Arrays.stream(args).map(Object::toString).toArray(String[]::new));
            return new Run(code, out.toString(), err.toString());
        } finally {
            System.setIn(before);
        }
    }
}
