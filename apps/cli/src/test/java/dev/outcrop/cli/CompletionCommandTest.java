package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.cli.Program.Run;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
    @TempDir
    private Path directory;

    private static String script(String shell) {
        Run run = Program.run("completion", shell);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return run.out();
    }

    /** Bash's suggestions behind words. */
    private String suggestions(String... words) throws IOException, InterruptedException {
        Path script = Files.writeString(directory.resolve("completion"), script("bash"));
        Process bash = new ProcessBuilder("bash", "-c", "source " + script + "; COMP_WORDS=(" + String.join(" ", words)
                + " ''); COMP_CWORD=" + words.length + "; _complete_outcrop; echo \"${COMPREPLY[@]}\"").start();
        try (BufferedReader lines = bash.inputReader()) {
            String line = lines.readLine();
            assertThat(bash.waitFor()).isZero();
            return line;
        }
    }

    @Test
    void bashCompletesCommands() throws Exception {
        assertThat(suggestions("outcrop")).contains("db", "queue", "completion");
        assertThat(suggestions("outcrop", "db")).contains("get", "put", "export", "verify").doesNotContain("queue");
        assertThat(script("zsh")).isEqualTo(script("bash")).contains("ZSH_VERSION");
    }

    /** At a terminal, which the program script of Linux makes: also files, which only readline completes. */
    @Test
    void bashCompletesACommandAnOptionAndAFileAtATerminal() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")) && Files.exists(Path.of("/proc/self")));
        Files.writeString(directory.resolve("completion"), script("bash"));
        Files.createFile(directory.resolve("orders.txt"));
        ProcessBuilder terminal = new ProcessBuilder("script", "-qefc", "bash --norc --noprofile -i", "/dev/null")
                .directory(directory.toFile());
        terminal.environment().put("TERM", "dumb");
        Process bash = terminal.start();
        try (Writer keys = bash.outputWriter(); BufferedReader screen = bash.inputReader()) {
            keys.write("source completion; outcrop() { printf '<%s>' \"$@\"; echo; }\n");
            keys.write("outcrop qu\tdum\tord\t--js\t\n");
            keys.write("exit\n");
            keys.flush();
            assertThat(screen.lines()).anyMatch(line -> line.contains("<queue><dump><orders.txt><--json>"));
        } finally {
            bash.destroyForcibly();
        }
    }

    @Test
    void fishKnowsWhatAnOptionOrAParameterCanBe() {
        assertThat(script("fish").lines())
                .contains("complete -c outcrop -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'")
                .anyMatch(line -> line.contains("_from pipe' -l format -x -a 'lines csv json'"))
                .anyMatch(line -> line.contains("_from pipe' -l key -r -d"));
    }

    @Test
    void fishKnowsCommandsAndOptions() {
        assertThat(script("fish").lines()).contains(
                "complete -c outcrop -n '__fish_seen_subcommand_from db; and __fish_seen_subcommand_from count'"
                        + " -l estimate -d 'An estimate by RocksDB, without reading; of all keys only.'")
                .allMatch(line -> line.startsWith("complete -c outcrop ") || line.startsWith("#"))
                .anyMatch(line -> line.contains(" -f -a db ")).anyMatch(line -> line.contains(" -s f -l family -r "));
    }

    @Test
    void otherShellsAreWrongUsage() {
        Run run = Program.run("completion", "tcsh");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("bash, zsh, fish").hasLineCount(1);
        assertThat(Program.run("completion").code()).isEqualTo(2);
    }
}
