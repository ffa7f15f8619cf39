package dev.outcrop.cli.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.Program;
import dev.outcrop.cli.Program.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every command of {@code ./outcrop db} with no arguments, with nonsense and with missing files. */
class DbUsageTest {
    /** The lines and columns of a small terminal. */
    private static final int LINES = 24;
    private static final int COLUMNS = 80;

    @TempDir
    private Path directory;

    private static Stream<String> commands() {
        return new CommandLine(new DbCommand()).getSubcommands().keySet().stream();
    }

    @Test
    void helpFitsAScreen() {
        assertThat(commands()).hasSize(18);
        Stream.concat(Stream.of(""), commands()).forEach(command -> {
            List<Object> args = new ArrayList<>(List.of("db", "--help"));
            if (!command.isEmpty()) {
                args.add(1, command);
            }
            Run help = Program.run(args.toArray());
            assertThat(help.code()).isZero();
            assertThat(help.err()).isEmpty();
            assertThat(help.out().lines().count()).as(command).isLessThanOrEqualTo(LINES);
            assertThat(help.out().lines()).allMatch(line -> line.length() <= COLUMNS)
                    // No control characters where no terminal is.
                    .noneMatch(line -> line.indexOf('\u001b') >= 0);
        });
    }

    @Test
    void withoutArgumentsEachNamesWhatIsMissing() {
        commands().forEach(command -> {
            Run run = Program.run("db", command);
            assertThat(run.code()).as(command).isEqualTo(2);
            assertThat(run.out()).isEmpty();
            assertThat(run.err()).startsWith("outcrop: Missing required parameter").contains(
                    command.equals("restore") ? "'BACKUPS'" : "'DIR'", "'./outcrop db " + command + " --help'")
                    .hasLineCount(1);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tidy x                        | unknown command 'tidy'; the commands are get, put, delete
            get x k more                  | unexpected argument 'more'
            get x k --jsn                 | unknown option '--jsn'; did you mean '--json'?
            get x k --raw --json          | --raw and --json exclude each other
            get x k --hex --base64        | --hex and --base64 exclude each other
            get x 0 --hex                 | KEY: '0' is not two hexadecimal digits for each byte
            get x k= --base64             | KEY: 'k=' is not Base64
            get x k\\q                    | in 'k\\q' a backslash must be followed by
            get x k\\x4                   | in 'k\\x4' a backslash must be followed by
            get x k\\                     | in 'k\\' a backslash must be followed by
            put x 0 v --hex               | KEY: '0' is not
            put x 00 v --hex              | VALUE: 'v' is not
            delete x                      | name keys, or a range with --prefix, or with --from and --to
            delete x k --from a --to b    | name keys, or a range with --prefix, or with --from and --to
            delete x --from a             | --from and --to belong together
            scan x --limit 0              | --limit must be 1 or more, not 0
            scan x --limit many           | many
            scan x --keys --values        | --keys and --values exclude each other
            scan x --prefix a --to b      | --prefix excludes --from and --to
            count x --estimate --from a   | --estimate excludes
            compact x --prefix a --from b | --prefix excludes --from and --to
            backup x                      | 'BACKUPS'
            backup x y --keep 0           | --keep must be 1 or more, not 0
            restore x                     | name a directory to restore to, or give --list
            restore x y --list            | name a directory to restore to, or give --list
            restore x y --json            | --json goes with --list
            restore x y --id one          | one
            checkpoint x                  | 'COPY'
            export x y --json --sst       | --sst and --json exclude each other
            export x --sst                | --sst needs a FILE
            import x --sst                | --sst needs a FILE
            import x --sst --json y       | --sst and --json exclude each other
            log x --from -1               | --from must be 0 or more, not -1
            log x --limit 0               | --limit must be 1 or more, not 0
            """)
    void wrongUsageGetsOneLineAndExitCode2(String line, String expected) {
        Run run = Program.run((Object[]) ("db " + line).split(" ", -1));
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).startsWith("outcrop: ").contains(expected, "--help'").hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"get @ k", "put @ k v", "delete @ k", "scan @", "count @", "stats @", "properties @",
            "families @", "options @", "compact @", "backup @ b", "checkpoint @ c", "export @", "import @", "verify @",
            "log @"})
    void whatIsNotThereIsSaidAndNotMade(String command) throws IOException {
        Path missing = directory.resolve("data");
        assertFails(command, missing, "there is no directory " + missing);
        assertThat(missing).doesNotExist();
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertFails(command, empty, "there is no database in " + empty);
        assertThat(empty).isEmptyDirectory();
        Path file = Files.writeString(directory.resolve("letter.txt"), "text");
        assertFails(command, file, file + " is a file; give the directory of a database\n");
        assertThat(file).hasContent("text");
    }

    private static void assertFails(String command, Path where, String expected) {
        List<Object> args = new ArrayList<>(List.of("db"));
        Stream.of(command.split(" ", -1)).map(word -> word.equals("@") ? where : word).forEach(args::add);
        Run run = Program.run(args.toArray());
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).startsWith("outcrop: ").contains(expected).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void backupsThatAreNotThereAreSaid() throws IOException {
        Run run = Program.run("db", "restore", directory, "--list");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("there are no backups in " + directory).hasLineCount(1);
        assertThat(directory).isEmptyDirectory();
        run = Program.run("db", "repair", directory);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("no file of a database").hasLineCount(1);
        run = Program.run("db", "repair", directory.resolve("data"));
        assertThat(run.err()).contains("there is no directory").hasLineCount(1);
        run = Program.run("db", "repair", Files.createFile(directory.resolve("file")));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains(directory.resolve("file") + " is a file").hasLineCount(1);
    }
}
