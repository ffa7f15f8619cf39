package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.Program.Run;
import java.io.BufferedReader;
import java.io.IOException;
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

    /** What bash suggests behind words. */
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

    @Test
    void fishKnowsCommandsAndOptions() {
        assertThat(script("fish").lines()).contains(
                "complete -c outcrop -n '__fish_seen_subcommand_from db; and __fish_seen_subcommand_from count'"
                        + " -l estimate -d 'Without reading them: what RocksDB estimates; of all keys only.'")
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
