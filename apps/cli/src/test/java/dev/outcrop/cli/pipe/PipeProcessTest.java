package dev.outcrop.cli.pipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.cli.CliJvm;
import dev.outcrop.cli.Main;
import dev.outcrop.cli.Program;
import dev.outcrop.cli.Program.Run;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./outcrop pipe} in a process of its own: the standard input, signals, locks, full disks. */
@Tag("verify")
class PipeProcessTest {
    private static final int MANY = 300_000;

    @TempDir
    private Path temporary;

    private Path data() {
        return temporary.resolve("data");
    }

    private Object[] command(Object... args) {
        return Stream.concat(Stream.of("pipe", data()), Arrays.stream(args)).toArray();
    }

    /** Runs the command with a standard input; both outputs are one. */
    private Run piped(byte[] input, Object... args) throws Exception {
        Process process = CliJvm.jvm().startedBy("sh", "-c", "\"$@\" 2>&1", "sh").start(Main.class, command(args));
        try (OutputStream to = process.getOutputStream()) {
            to.write(input);
        }
        return Program.end(process);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String count() {
        return Program.ok("db", "count", data()).strip();
    }

    private Path many() throws IOException {
        Path file = temporary.resolve("many");
        try (Writer writer = Files.newBufferedWriter(file)) {
            for (int i = 0; i < MANY; i++) {
                writer.write("key" + i + "\tvalue that takes some room " + i + "\n");
            }
        }
        return file;
    }

    @Test
    void theStandardInputGoesOnIfItIsTheSame() throws Exception {
        assertThat(piped(bytes("k\tv\nl\tw\n"), "--create").out()).startsWith("2 records are stored").hasLineCount(1)
                // Without a terminal there is no progress.
                .doesNotContain("\r", "\u001b");
        assertThat(piped(bytes("k\tv\nl\tw\nm\tx"), "--resume").out()).startsWith("1 record is stored");
        Run other = piped(bytes("k\tv\nL\tw\nm\tx"), "--resume");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.out()).contains("does not begin with the 11 bytes").hasLineCount(1);
        // Otherwise it is a new one.
        assertThat(piped(new byte[]{(byte) 0xff, '\t', 0, (byte) 0x80, '\n'}).out()).startsWith("1 record is stored");
        assertThat(count()).isEqualTo("4");
    }

    @Test
    @Tag("nightly")
    void theStandardInputGoesOnWhenItIsMended() throws Exception {
        assertThat(piped(bytes("o\tz\n"), "--create").out()).startsWith("1 record is stored");
        assertThat(piped(bytes("o\tz\n"), "--resume").out()).contains("nothing new");
        Run bad = piped(bytes("k\tv\nbad\n"));
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.out()).contains("line 2 of the standard input: ", "--resume").hasLineCount(1);
        assertThat(piped(bytes("k\tv\nmended\tx\n"), "--resume").out()).startsWith("1 record is stored");
        assertThat(piped(new byte[0]).out()).startsWith("0 records are stored");
    }

    @Test
    @Tag("nightly")
    void aNewInputThatWasKilledBeforeItsFirstRecordIsToldFromTheLastOne() throws Exception {
        assertThat(piped(bytes("k\tv\nl\tw\n"), "--create").code()).isZero();
        Process killed = CliJvm.jvm().start(Main.class, command());
        // It has the database open, and waits for the first byte.
        while (RocksDB.lockHolder(data()).isEmpty()) {
            Thread.sleep(10);
        }
        assertThat(killed.destroyForcibly().waitFor()).isNotZero();
        Run resumed = piped(bytes("m\tx\nn\ty\no\tz\n"), "--resume");
        assertThat(resumed.code()).isEqualTo(1);
        assertThat(resumed.out()).hasLineCount(1).contains("the 8 bytes, up to line 2, that were taken last time",
                "another input, of which nothing was taken yet", "Leave --resume out to take all of it");
        assertThat(piped(bytes("m\tx\nn\ty\no\tz\n")).out()).startsWith("3 records are stored");
        assertThat(count()).isEqualTo("5");
    }

    @Test
    @Tag("nightly")
    void aTerminalShowsHowFastBothSidesAre() throws Exception {
        Path err = temporary.resolve("err");
        Process process = CliJvm.jvm().option("-Doutcrop.terminals=err")
                .startedBy("sh", "-c", "exec \"$@\" 2>'" + err + "'", "sh").start(Main.class, command("--create"));
        try (Writer to = process.outputWriter()) {
            to.write("k\tv\n".repeat(MANY));
            to.flush();
            Program.awaitText(err, ".*\rpipe  [0-9,]+ kB, [0-9,]+ read/s, [0-9,]+ stored/s, \\d:\\d\\d.*");
        }
        assertThat(process.inputReader().readLine()).startsWith(MANY + " records are stored");
        assertThat(Program.exitCode(process)).isZero();
    }

    @Test
    @Tag("nightly")
    void aTerminalOf80ColumnsShowsAllOfIt() throws Exception {
        Process process = CliJvm.jvm().option("-Doutcrop.terminals=err").startedBy("sh", "-c", "\"$@\" 2>&1", "sh")
                .start(Main.class, command(many(), "--create"));
        process.getOutputStream().close();
        Run run = Program.end(process);
        String shown = run.out();
        assertThat(run.code()).as(shown).isZero();
        assertThat(shown.split("[\r\n]", -1)).allSatisfy(line -> assertThat(line).hasSizeLessThan(80))
                .anySatisfy(line -> assertThat(line).matches(
                        "pipe  \\d+ %  \\d+ of \\d+ MB, [0-9,]+ read/s, [0-9,]+ stored/s, \\d:\\d\\d left +"));
        // It is gone when the result comes, and leaves no empty line.
        assertThat(shown).containsPattern("\r +\r" + MANY + " records are stored").endsWith(" stored\n")
                .containsOnlyOnce("\n");
    }

    @Test
    void ctrlCStoresWhatWasReadOfTheStandardInput() throws Exception {
        Path err = temporary.resolve("err");
        Process process = CliJvm.jvm()
                .startedBy("env", "--default-signal=INT", "sh", "-c", "exec \"$@\" 2>'" + err + "'", "sh")
                .start(Main.class, command("--create"));
        try (Writer to = process.outputWriter()) {
            for (int i = 0; i < MANY; i++) {
                to.write("key" + i + "\tvalue\n");
            }
            to.flush();
            // It waits for more, since it is never told that this was all.
            Program.interrupt(process);
            assertThat(ChildJvm.awaitEnd(process)).isTrue();
        }
        assertThat(process.exitValue()).isEqualTo(130);
        long stored = Long.parseLong(count());
        // Unread lines in the pipe are not among them.
        assertThat(stored).isGreaterThan(MANY / 2).isLessThanOrEqualTo(MANY);
        assertThat(err).content().startsWith("outcrop: interrupted: " + stored + " records are stored")
                .contains("--resume: " + stored + " lines").hasLineCount(1);
    }

    @Test
    void followsFilesUntilCtrlC() throws Exception {
        Path file = Files.writeString(temporary.resolve("log"), "k\tv\nl\thalf");
        Process process = CliJvm.jvm().startedBy("env", "--default-signal=INT").start(Main.class,
                command(file, "--create", "--follow"));
        try (OutputStream _ = process.getOutputStream()) {
            awaitMark("4 bytes, 1 lines");
            Files.writeString(file, " and half\nm\tx\n", StandardOpenOption.APPEND);
            awaitMark("24 bytes, 3 lines");
            Program.interrupt(process);
            assertThat(ChildJvm.awaitEnd(process)).isTrue();
        }
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(Program.run("db", "scan", data()).out()).isEqualTo("k\tv\nl\thalf and half\nm\tx\n");
        assertThat(Program.run(command(file)).out()).contains("nothing new");
    }

    /** Looks into the database, while the command runs, until it has taken so much. */
    private void awaitMark(String mark) throws InterruptedException {
        while (!Program.run("db", "scan", data(), "-f", Positions.FAMILY, "--values").out().contains(mark)) {
            Thread.sleep(50);
        }
    }

    @Test
    @Tag("nightly")
    void aFileThatIsReplacedWhileItIsFollowedEndsThat() throws Exception {
        Path file = Files.writeString(temporary.resolve("log"), "k\tv\n");
        Process process = CliJvm.jvm().startedBy("sh", "-c", "\"$@\" 2>&1", "sh").start(Main.class,
                command(file, "--create", "--follow"));
        awaitMark("4 bytes");
        Files.move(Files.writeString(temporary.resolve("new"), "l\tw\nm\tx\n"), file,
                StandardCopyOption.REPLACE_EXISTING);
        Run run = Program.end(process);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("was replaced or cut off while it was followed").hasLineCount(1);
    }

    @Test
    void whatAnotherProcessHoldsIsSaid() throws Exception {
        Path file = Files.writeString(temporary.resolve("x"), "k\tv\n");
        assertThat(Program.run(command(file, "--create")).code()).isZero();
        Files.writeString(file, "l\tw\n", StandardOpenOption.APPEND);
        try (RocksDB _ = RocksDB.open(data())) {
            Run run = piped(new byte[0], file);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out()).contains("process " + ProcessHandle.current().pid() + " has " + data())
                    .hasLineCount(1);
        }
        try (Queue _ = Queue.open(temporary.resolve("data.queue"))) {
            Run run = piped(new byte[0], file);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out()).startsWith("outcrop: ").contains("data.queue").hasLineCount(1);
        }
        assertThat(Program.run(command(file)).out()).startsWith("1 record is stored");
    }

    @Test
    @Tag("nightly")
    void aClosedPipeEndsQuietly() throws Exception {
        Path file = Files.writeString(temporary.resolve("x"), "k\tv\n");
        Process process = CliJvm.jvm().startedBy("sh", "-c", "\"$@\" 2>&1 | true", "sh")
                .start(Main.class, command(file, "--create"));
        assertThat(process.getInputStream().readAllBytes()).isEmpty();
        assertThat(ChildJvm.awaitEnd(process)).isTrue();
        assertThat(count()).isEqualTo("1");
    }

    @Test
    @Tag("nightly")
    void aDiskWithRoomForOneFileOfTheQueueIsNoMatterWhereThatIsEnough() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "a disk of its own");
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        // The next file is made ready in advance, which fails.
        ChildJvm.Result result = CliJvm.jvm().withDisk(disk, "size=60m").run(Main.class, "pipe", data(), many(),
                "--create", "--queue", disk.resolve("queue"));
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).startsWith(MANY + " records are stored").hasLineCount(1);
    }

    /** As a damaged record or group is, of which nothing else says that it was put aside. */
    @Test
    @Tag("nightly")
    void whatItsQueueOnlyLogsIsShown() throws Exception {
        Path queue = temporary.resolve("queue");
        assertThat(piped(bytes("a\t1\n"), "--create", "--queue", queue).code()).isZero();
        Files.writeString(queue.resolve("groups").resolve("stray%.group"), "");
        assertThat(piped(bytes("b\t2\n"), "--queue", queue).out()).contains("stray%.group is left alone");
    }

    @Test
    void aFullDiskIsSaidAndLosesNothing() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "a disk of its own");
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        Path file = many();
        for (String size : Program.oneOrAll("size=4m", "size=1m")) {
            // The database is on the full disk.
            assertFull(disk, size, disk.resolve("data"), file, "--create", "--queue", temporary.resolve("q" + size));
        }
        // The queue is.
        assertFull(disk, "size=8m", data(), file, "--create", "--queue", disk.resolve("queue"));
        // With room again, and with another queue, since that disk is gone, it goes on where the database is.
        Run run = Program.run(command(file, "--create", "--queue", temporary.resolve("queue")));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(count()).isEqualTo(Integer.toString(MANY));
    }

    private static void assertFull(Path disk, String size, Object... args) throws Exception {
        ChildJvm.Result result = CliJvm.jvm().withDisk(disk, size).run(Main.class,
                Stream.concat(Stream.of("pipe"), Arrays.stream(args)).toArray());
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).startsWith("outcrop: ").contains("No space left on device").hasLineCount(1);
    }
}
