package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out));
        commandLine.setErr(new PrintWriter(err));
        return commandLine.execute(args);
    }

    @Test
    void helpNamesEveryCommand() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("demo", "db", "queue", "bench", "misuse", "completion", "--version");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void withoutACommandThereIsHelp() {
        assertThat(run()).isZero();
        assertThat(out.toString()).contains("Usage:");
    }

    /** A script that forgets one must not go on. */
    @ParameterizedTest
    @ValueSource(strings = {"db", "queue", "queue groups"})
    void aCommandThatNeedsAnotherOneSaysHowItIsUsed(String line) {
        assertThat(run(line.split(" ", -1))).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        String usage = err.toString();
        assertThat(usage).startsWith("Usage: ./outcrop " + line);
        err.getBuffer().setLength(0);
        assertThat(run((line + " --help").split(" ", -1))).isZero();
        assertThat(out.toString()).isEqualTo(usage);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpOfEveryCommandFitsOneScreen() {
        fitsOneScreen(Main.commandLine(), "outcrop");
    }

    private static void fitsOneScreen(CommandLine command, String name) {
        assertThat(command.getUsageMessage().lines().count()).as(name).isLessThanOrEqualTo(40);
        command.getSubcommands().forEach((word, sub) -> fitsOneScreen(sub, name + " " + word));
    }

    @Test
    void helpOfDemoNamesItsOptions() {
        assertThat(run("demo", "--help")).isZero();
        assertThat(out.toString()).contains("--dir", "--keep", "--no-peer", "--rounds", "--limit", "--seed");
    }

    @Test
    void versionNamesOutcropAndTheEngine() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString())
                .matches("outcrop \\d+\\.\\d+\\.\\d+\\S* \\(RocksDB \\d+\\.\\d+\\.\\d+, Java \\S+\\)\\R");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dmeo              | unknown command 'dmeo'; the commands are demo, db, queue, pipe, bench, misuse, completion
            db scan x --limit many | Invalid value for option '--limit': 'many' is not a whole number (see
            --nonsense        | unknown option '--nonsense'
            demo --kep        | unknown option '--kep'; did you mean '--keep'?
            demo --limit many | many
            demo --limit 0    | --limit must be at least 1, not 0
            demo --rounds 0   | --rounds must be at least 1, not 0
            demo --dir        | --dir
            demo extra        | unexpected argument 'extra'
            queue drop x      | unknown command 'drop'; the commands are verify, repair, stats, dump, tail, append
            queue verify      | DIR
            queue groups move x | Missing required parameters: 'GROUP'
            pipe              | Missing required parameter: 'DIR'
            completion        | Missing required parameter: 'SHELL'
            queue dump x --from -1  | --from must be 'first', 'last', an offset, or a time as in 2026-11-24T10:15:30Z, not '-1'
            queue dump x --limit 0  | --limit must be 1 or more, not 0
            queue tail x --from yesterday | --from must be 'first', 'last', an offset
            """)
    void wrongUsageGetsOneLineAndExitCode2(String line, String expected) {
        assertThat(run(line.split(" ", -1))).isEqualTo(2);
        assertThat(err.toString()).startsWith("outcrop: ").contains(expected, "--help'").hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void optionsOfBenchAreNotOurs() {
        // There is nothing to hand them to, since the launcher did not start this JVM; they are no wrong usage.
        assertThat(run("bench", "calls", "--quick", "--help")).isEqualTo(1);
        assertThat(err.toString()).contains("outcrop.home").hasLineCount(1);
    }

    @Test
    void aFailureGetsOneLineAndExitCode1(@TempDir Path directory) throws IOException {
        Path mine = Files.writeString(directory.resolve("mine.txt"), "not the demo's");
        assertThat(run("demo", "--no-peer", "--limit", "10", "--dir", directory.toString())).isEqualTo(1);
        assertThat(err.toString()).startsWith("outcrop: ").contains(directory.toString(), "not empty").hasLineCount(1);
        assertThat(mine).hasContent("not the demo's");
    }
}
