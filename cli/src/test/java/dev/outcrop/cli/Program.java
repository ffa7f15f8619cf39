package dev.outcrop.cli;

import dev.outcrop.testsupport.TestSize;
import java.io.ByteArrayInputStream;
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
     * What a command wrote, and how it ended.
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
