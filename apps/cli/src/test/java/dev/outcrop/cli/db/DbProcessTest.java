package dev.outcrop.cli.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.cli.CliJvm;
import dev.outcrop.cli.Main;
import dev.outcrop.cli.Program;
import dev.outcrop.cli.Program.Run;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour in a process of its own: locks, signals, pipes, full disks, terminals. */
@Tag("verify")
class DbProcessTest {
    private static final int MANY = 100_000;

    @TempDir
    private Path temporary;

    private Path data() {
        return temporary.resolve("data");
    }

    private static Run ok(Object... args) {
        Run run = Program.run(args);
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    private Path many() throws IOException {
        Path file = temporary.resolve("many");
        try (Writer writer = Files.newBufferedWriter(file)) {
            for (int i = 0; i < MANY; i++) {
                writer.write(String.format("key%08d\tvalue that takes some room %d%n", i, i));
            }
        }
        return file;
    }

    /** Has a database open, with an entry that is in no table file yet, until its input ends. */
    static final class Holder {
        public static void main(String[] args) throws IOException {
            try (RocksDB db = RocksDB.open(Path.of(args[0]))) {
                db.put("fresh".getBytes(StandardCharsets.UTF_8), "1".getBytes(StandardCharsets.UTF_8));
                System.out.println("open");
                int _ = System.in.read();
            }
        }
    }

    @Test
    void aDatabaseThatAnotherProcessHoldsIsReadAndNotWritten() throws Exception {
        ok("db", "put", data(), "k", "v", "--create");
        Process holder = CliJvm.jvm().start(Holder.class, data());
        try (BufferedReader lines = holder.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("open");
            for (List<String> reading : List.of(List.of("get", "fresh"), List.of("scan"), List.of("count"),
                    List.of("stats"), List.of("properties"), List.of("log"), List.of("verify"), List.of("export"))) {
                Run run = Program.run(withDirectory(reading));
                assertThat(run.code()).as(run.err()).isZero();
                assertThat(run.err()).contains("process " + holder.pid() + " has " + data() + " open").hasLineCount(1);
            }
            assertThat(ok("db", "get", data(), "fresh").out()).isEqualTo("1\n");
            assertThat(ok("db", "families", data()).err()).isEmpty();
            assertThat(ok("db", "stats", data()).out())
                    .contains("identity    " + Files.readString(data().resolve("IDENTITY")).strip() + "\n");
            Path backups = temporary.resolve("backups");
            Path copy = temporary.resolve("copy");
            for (List<String> writing : List.of(List.of("put", "k", "w"), List.of("put", "k", "w", "--create"),
                    List.of("delete", "k"), List.of("compact"), List.of("import"),
                    List.of("backup", backups.toString()), List.of("checkpoint", copy.toString()))) {
                Run run = Program.run(withDirectory(writing));
                assertThat(run.code()).as(writing.getFirst()).isEqualTo(1);
                assertThat(run.err()).contains("process " + holder.pid() + " has " + data() + " open")
                        .doesNotContain("openReadOnly").hasLineCount(1);
            }
            assertThat(backups).doesNotExist();
            assertThat(copy).doesNotExist();
        } finally {
            holder.getOutputStream().close();
            assertThat(ChildJvm.awaitEnd(holder)).isTrue();
        }
        assertThat(ok("db", "get", data(), "k").out()).isEqualTo("v\n");
    }

    @Test
    void aDatabaseThatAnotherProcessHoldsIsNotReplaced() throws Exception {
        ok("db", "put", data(), "k", "v", "--create");
        Path backups = temporary.resolve("backups");
        ok("db", "backup", data(), backups);
        Process holder = CliJvm.jvm().start(Holder.class, data());
        try (BufferedReader lines = holder.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("open");
            Run run = Program.run("db", "restore", backups, data(), "--replace");
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("process " + holder.pid() + " has " + data() + " open",
                    "Nothing of it was replaced").hasLineCount(1);
        } finally {
            holder.getOutputStream().close();
            assertThat(ChildJvm.awaitEnd(holder)).isTrue();
        }
        assertThat(ok("db", "get", data(), "fresh").out()).isEqualTo("1\n");
        assertThat(ok("db", "restore", backups, data(), "--replace").out()).contains("backup 1");
        assertThat(Program.run("db", "get", data(), "fresh").code()).isEqualTo(3);
    }

    private Object[] withDirectory(List<String> command) {
        ArrayList<Object> args = new ArrayList<>(command);
        args.add(0, "db");
        args.add(2, data());
        return args.toArray();
    }

    @Test
    void ctrlCEndsAnImportWithWhatIsStored() throws Exception {
        Process importing = CliJvm.jvm().startedBy("env", "--default-signal=INT").start(Main.class, "db",
                "import", data(), "--create");
        try (Writer lines = importing.outputWriter()) {
            for (int i = 0; i < MANY; i++) {
                lines.write("key" + i + "\tvalue\n");
            }
            lines.flush();
            // It waits for more, since it is never told that this was all.
            new ProcessBuilder("kill", "-INT", Long.toString(importing.pid())).start().waitFor();
            assertThat(ChildJvm.awaitEnd(importing)).isTrue();
        }
        assertThat(importing.exitValue()).isEqualTo(130);
        long stored = Long.parseLong(ok("db", "count", data()).out().strip());
        // Unread lines in the pipe are not among them.
        assertThat(stored).isGreaterThan(MANY / 2).isLessThanOrEqualTo(MANY);
    }

    @Test
    void anExportTakesNoFileThatIsThereForItsOwn() throws Exception {
        ok("db", "import", data(), many(), "--create");
        Path fifo = temporary.resolve("out.partial");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        Run run = Program.run("db", "export", data(), temporary.resolve("out"));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains(fifo + " exists");
        assertThat(fifo).exists();
    }

    @Test
    void ctrlCEndsAScanThatNobodyReads() throws Exception {
        ok("db", "import", data(), many(), "--create");
        // On a busy machine it may have shown all before it sees that it was interrupted.
        while (interruptScan() == MANY) {
            System.out.println("DbProcessTest: a scan was interrupted too late");
        }
    }

    /** Returns how many lines it has shown. */
    private long interruptScan() throws Exception {
        Process scan = CliJvm.jvm().startedBy("env", "--default-signal=INT").start(Main.class, "db", "scan", data());
        try (BufferedReader lines = scan.inputReader()) {
            assertThat(lines.readLine()).startsWith("key00000000\t");
            new ProcessBuilder("kill", "-INT", Long.toString(scan.pid())).start().waitFor();
            // The pipe is full; the scan goes on when it is read, and then sees that it was interrupted.
            long count = 1 + lines.lines().count();
            assertThat(Program.exitCode(scan)).isIn(count < MANY ? List.of(130) : List.of(0, 130));
            return count;
        }
    }

    @Test
    void aClosedPipeEndsQuietly() throws Exception {
        ok("db", "import", data(), many(), "--create");
        for (String command : Program.oneOrAll("scan", "export", "log")) {
            Process reading = CliJvm.jvm().start(Main.class, "db", command, data());
            try (BufferedReader lines = reading.inputReader()) {
                assertThat(lines.readLine()).contains("key00000000");
            }
            assertThat(Program.exitCode(reading)).isZero();
        }
    }

    @Test
    void anOutputThatCannotBeWrittenIsAFailure() throws Exception {
        ok("db", "put", data(), "k", "v", "--create");
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "a file that is always full");
        for (List<String> args : Program.oneOrAll(List.of("scan"), List.of("get", "k"), List.of("get", "k", "--raw"))) {
            Run run = shell("\"$@\" 2>&1 >/dev/full", args);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out()).startsWith("outcrop: cannot write the standard output: ").hasLineCount(1);
        }
    }

    @Test
    void textIsUtf8InAnyLocale() throws Exception {
        ok("db", "put", data(), "ü", "ü", "--create");
        Run run = shell("LC_ALL=C \"$@\"", List.of("scan"));
        assertThat(run.out()).isEqualTo("ü\tü\n");
        run = shell("LC_ALL=C \"$@\" 2>&1", List.of("get", "ü"));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).contains("LC_ALL=C.UTF-8");
        assertThat(shell("\"$@\"", List.of("get", "ü", "--raw")).out()).isEqualTo("ü");
    }

    /** Runs a command of ./outcrop db within a script of a shell. */
    private Run shell(String script, List<String> command) throws Exception {
        Process process = CliJvm.jvm().startedBy("sh", "-c", script, "sh").start(Main.class, withDirectory(command));
        process.getOutputStream().close();
        return Program.end(process);
    }

    @Test
    void aFullDiskIsSaidAndLosesNothing() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "a disk of its own");
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        ok("db", "import", data(), many(), "--create");
        ChildJvm.Result result = CliJvm.jvm().withDisk(disk, "size=2m").run(Main.class, "db", "import",
                disk.resolve("copy"), temporary.resolve("many"), "--create");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).startsWith("outcrop: ")
                .contains("No space left on device", "; stored before that: ")
                .hasLineCount(1);
        for (List<Object> args : Program.<List<Object>>oneOrAll(List.of("export", disk.resolve("lines")),
                List.of("export", disk.resolve("sst"), "--sst"), List.of("checkpoint", disk.resolve("copy")),
                List.of("backup", disk.resolve("backups")))) {
            ArrayList<Object> command = new ArrayList<>(args);
            command.add(0, "db");
            command.add(2, data());
            result = CliJvm.jvm().withDisk(disk, "size=256k").run(Main.class, command.toArray());
            assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
            assertThat(result.output()).startsWith("outcrop: ").contains("No space left on device").hasLineCount(1);
        }
        assertThat(ok("db", "count", data()).out()).isEqualTo(MANY + "\n");
    }

    @Test
    void withoutATerminalThereIsNoProgress() throws Exception {
        ok("db", "import", data(), many(), "--create");
        for (String command : Program.oneOrAll("count", "verify", "compact")) {
            Run run = shell("\"$@\" 2>&1", List.of(command));
            assertThat(run.code()).isZero();
            assertThat(run.out()).hasLineCount(1).doesNotContain("\r", "\u001b", "it/s", "%");
        }
    }
}
