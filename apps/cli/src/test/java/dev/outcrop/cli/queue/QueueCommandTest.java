package dev.outcrop.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.cli.CliJvm;
import dev.outcrop.cli.Main;
import dev.outcrop.cli.Program;
import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.GroupOptions;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.QueueSurvey;
import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class QueueCommandTest {
    /** That looking at them takes some time. */
    private static final int MANY = 2_700_000;
    @TempDir
    private Path temporary;
    private final StringWriter out = new StringWriter();

    private String directory() {
        return temporary.resolve("queue").toString();
    }

    private int run(String... args) {
        out.getBuffer().setLength(0);
        return new CommandLine(new QueueCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
                .setExecutionExceptionHandler((e, command, _) -> {
                    command.getErr().println("failed: " + e.getMessage());
                    command.getErr().flush();
                    return 1;
                }).execute(args);
    }

    private String ok(String... args) {
        assertThat(run(args)).as("%s", out).isZero();
        return out.toString();
    }

    private String fails(int code, String... args) {
        assertThat(run(args)).as(String.join(" ", args)).isEqualTo(code);
        return out.toString();
    }

    private int append(String text) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
        try {
            return run("append", directory());
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void appendingKeepsWhatTheQueuesOwnProgramKeeps() {
        QueueOptions keeping = new QueueOptions().segmentSize(8192).keepBytes(Long.MAX_VALUE);
        try (Queue queue = Queue.open(Path.of(directory()), keeping);
                Consumer consumer = queue.group("done").consumer()) {
            for (int i = 0; i < 6; i++) {
                queue.append(new byte[5000]);
            }
            while (consumer.poll(10, (offset, _, _) -> consumer.acknowledge(offset)) > 0) {
                // And the next ones.
            }
        }
        assertThat(append("one more\n")).isZero();
        try (Queue queue = Queue.open(Path.of(directory()), keeping)) {
            assertThat(queue.firstOffset()).isZero();
            assertThat(queue.nextOffset()).isEqualTo(7);
        }
    }

    @Test
    void withoutACommandThereIsHelp() {
        assertThat(fails(2)).contains("verify", "repair", "stats", "dump", "tail", "append", "groups");
        assertThat(fails(2, "groups")).contains("list", "create", "move", "delete");
        assertThat(ok("dump", "--help")).contains("--from", "--limit", "DIR");
    }

    @Test
    void linesBecomeRecordsAndAreShown() {
        assertThat(append("first\n\nthird \tone\n\1\2\n\377\nlast without an end")).isZero();
        assertThat(out.toString()).isEqualTo("6 records appended; the next one is 6\n");
        assertThat(append("seventh\n")).isZero();
        assertThat(ok("dump", directory()).lines())
                .map(line -> line.replaceFirst("\t\\d{4}-\\d\\d-\\d\\dT[^\t]*Z\t", "|"))
                .containsExactly("0|first", "1|", "2|third \tone", "3|0x0102", "4|0xff", "5|last without an end",
                        "6|seventh");
        assertThat(ok("dump", directory(), "--from", "2", "--limit", "2").lines()).hasSize(2)
                .allMatch(line -> line.startsWith("2\t") || line.startsWith("3\t"));
        assertThat(ok("dump", directory(), "--from", "7")).isEmpty();
        // Also to wait for it: nobody knows when it comes, and it would be shown behind others.
        for (String command : new String[]{"dump", "tail"}) {
            assertThat(fails(1, command, directory(), "--from", "8"))
                    .isEqualTo("failed: There is no record 8: the next one to be appended is 7\n");
        }
    }

    @Test
    void linesOfOtherSystemsBecomeTheSameRecords() {
        assertThat(append("first\r\n\r\ntwo \r\r\n\rthree\nlast\r")).isZero();
        assertThat(ok("dump", directory(), "--json").lines().map(line -> line.replaceFirst(".*\"payload\":", "")))
                .containsExactly(
                        "\"first\"}", "\"\"}", "\"two \\r\"}", "\"\\rthree\"}", "\"last\\r\"}");
    }

    @Test
    void whatIsFoundIsJsonForPrograms() throws IOException {
        append("first\nsecond\n");
        assertThat(run("groups", "create", directory(), "billing")).isZero();
        assertThat(ok("verify", directory(), "--json")).hasLineCount(1)
                .startsWith("{\"path\":\"" + directory() + "\",\"sound\":true,"
                        + "\"segments\":[{\"file\":\"00000000000000000000.segment\",\"firstOffset\":0,\"nextOffset\":2,"
                        + "\"records\":2,\"withdrawn\":0,\"bytes\":")
                .contains("\"groups\":[{\"group\":\"billing\",\"acknowledgedBefore\":0,\"acknowledgedBehind\":0}],"
                        + "\"damages\":[],\"notes\":[");
        damageSecondRecord();
        assertThat(fails(1, "verify", directory(), "--json")).hasLineCount(1).contains("\"sound\":false",
                "\"damages\":[{\"file\":\"" + directory(), "\"offset\":1,\"what\":\"");
    }

    private void damageSecondRecord() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(
                temporary.resolve("queue").resolve("00000000000000000000.segment").toFile(), "rw")) {
            // In its payload.
            file.seek(64 + 32 + 24);
            file.write('X');
        }
    }

    /** With a standard error that is a terminal, as the launcher says; without one nothing is written there. */
    @Test
    @Tag("verify")
    void aTerminalShowsHowFarAppendingIs() throws Exception {
        Path err = temporary.resolve("err");
        Process appending = CliJvm.jvm().option("-Doutcrop.terminals=err")
                .startedBy("sh", "-c", "exec \"$@\" 2>'" + err + "'", "sh")
                .start(Main.class, "queue", "append", directory());
        try (Writer lines = appending.outputWriter()) {
            lines.write("first\nsecond\n");
            lines.flush();
            // It goes on being shown while it waits for more.
            Program.awaitText(err, ".*\rappend  2 records, .*");
        }
        assertThat(appending.inputReader().readLine()).isEqualTo("2 records appended; the next one is 2");
        assertThat(ChildJvm.awaitEnd(appending)).isTrue();
    }

    @Test
    void appendGoesOnWhereMakingTheQueueWasKilled() throws Exception {
        Path begun = Files.createDirectory(Path.of(directory()));
        Files.createFile(begun.resolve("lock"));
        Files.createFile(begun.resolve("queue.new"));
        assertThat(append("first\n")).isZero();
        assertThat(out.toString()).isEqualTo("1 record appended; the next one is 1\n");
    }

    @Test
    void tailShowsWhatIsAppendedMeanwhile() throws Exception {
        append("a\nb\n");
        assertThat(ok("tail", directory(), "--from", "0", "--limit", "2").lines()).hasSize(2);
        Path tailers = temporary.resolve("queue").resolve("tailers");
        FutureTask<Integer> tail = new FutureTask<>(() -> run("tail", directory(), "-n", "0", "--limit", "1"));
        Thread thread = Thread.ofPlatform().start(tail);
        while (isEmpty(tailers)) {
            Thread.sleep(1);
        }
        try (Queue queue = Queue.open(temporary.resolve("queue"))) {
            // It may still be on its way to the end.
            while (!tail.isDone()) {
                queue.append("c".getBytes(StandardCharsets.UTF_8));
                Thread.sleep(1);
            }
        }
        assertThat(tail.get()).isZero();
        thread.join();
        assertThat(out.toString()).endsWith("\tc\n").hasLineCount(1);
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    @Test
    void statsTellHowMuchThereIsAndWhatIsLeftToDo() {
        Path path = temporary.resolve("queue");
        try (Queue queue = Queue.open(path, new QueueOptions().segmentSize(8192));
                Consumer consumer = queue.group("billing").consumer()) {
            queue.group("audit");
            for (int i = 0; i < 20; i++) {
                queue.append(new byte[1000]);
            }
            consumer.poll(5, (offset, _, _) -> {
                if (offset != 3) {
                    consumer.acknowledge(offset);
                }
            });
        }
        assertThat(ok("stats", directory())).contains("segments    3 of 8,192 bytes\n",
                "records     20, from 0 on; the next one is 20\n", "withdrawn   0 of them\n",
                "on the disk before 20\n");
        assertThat(out.toString().lines().map(line -> line.replaceAll("[ |]+", " ").strip())).contains("audit 0 0 20",
                "billing 3 1 16");
    }

    @Test
    void groupsAreCreatedListedMovedAndDeleted() {
        append("first\nsecond\nthird\n");
        assertThat(ok("groups", "create", directory(), "billing")).isEqualTo("group billing begins with record 0\n");
        assertThat(fails(1, "groups", "create", directory(), "billing"))
                .startsWith("failed: There is a group 'billing' in").endsWith("already\n");
        assertThat(run("groups", "list", directory())).isZero();
        assertThat(line("billing")).startsWith("billing 0 3 96 ");

        move("2", 2);
        assertThat(run("groups", "list", directory())).isZero();
        assertThat(line("billing")).startsWith("billing 2 1 32 ");
        move("last", 3);
        assertThat(run("groups", "list", directory())).isZero();
        assertThat(line("billing")).isEqualTo("billing 3 0 0 0");
        move("first", 0);
        move("2100-01-01T00:00:00Z", 3);
        move("2000-01-01T00:00:00Z", 0);
        assertThat(fails(1, "groups", "move", directory(), "billing", "4")).startsWith("failed: ").contains("4");
        for (String wrong : new String[]{"99999999999999999999", "-1", "yesterday", ""}) {
            assertThat(run("groups", "move", directory(), "--", "billing", wrong)).as(wrong).isEqualTo(2);
            assertThat(out.toString()).startsWith("TO must be").contains("not '" + wrong + "'");
        }

        assertThat(fails(1, "groups", "delete", directory(), "shipping"))
                .startsWith("failed: There is no group 'shipping' in").contains("billing");
        assertThat(run("groups", "delete", directory(), "billing")).isZero();
        assertThat(fails(1, "groups", "move", directory(), "billing", "first")).contains("which has none");
        assertThat(run("groups", "create", directory(), "")).isEqualTo(1);
    }

    private void move(String to, long offset) {
        assertThat(ok("groups", "move", directory(), "billing", to))
                .isEqualTo("group billing goes on with record " + offset + "\n");
    }

    @Test
    void recordsAndGroupsAreJsonForPrograms() {
        append("first\n\377\n");
        String time = "\"time\":\"\\d{4}-\\d\\d-\\d\\dT[^\"]*Z\"";
        assertThat(ok("dump", directory(), "--json")).matches("\\{\"offset\":0," + time + ",\"payload\":\"first\"}\n"
                + "\\{\"offset\":1," + time + ",\"payloadBase64\":\"/w==\"}\n");
        assertThat(ok("tail", directory(), "--json", "--from", "first", "--limit", "1"))
                .matches("\\{\"offset\":0," + time + ",\"payload\":\"first\"}\n");
        assertThat(ok("groups", "list", directory(), "--json")).isEmpty();
        assertThat(ok("groups", "list", directory())).isEqualTo("no groups\n");
        assertThat(run("groups", "create", directory(), "billing")).isZero();
        assertThat(ok("groups", "list", directory(), "--json"))
                .matches("\\{\"group\":\"billing\",\"acknowledgedBefore\":0,\"lag\":2,"
                        + "\"lagBytes\":64,\"lagSeconds\":\\d+}\n");
        assertThat(ok("stats", directory(), "--json")).startsWith("{\"path\":\"" + directory() + "\",\"segments\":1,")
                .contains("\"records\":2,\"firstOffset\":0,\"nextOffset\":2,\"withdrawn\":0,")
                .endsWith("\"groups\":[{\"group\":\"billing\",\"acknowledgedBefore\":0,\"acknowledgedBehind\":0,"
                        + "\"lag\":2}]}\n");
    }

    @Test
    void recordsAreShownFromATimeOn() {
        append("first\n");
        String first = timeOfLast();
        String later;
        do {
            append("later\n");
            later = timeOfLast();
        } while (later.equals(first));
        assertThat(ok("dump", directory(), "--from", later)).contains("\t" + later + "\tlater\n").doesNotContain(first);
        assertThat(ok("dump", directory(), "--from", "last")).contains("\t" + later + "\tlater\n").hasLineCount(1);
        assertThat(ok("dump", directory(), "--from", "2000-01-01T00:00:00Z", "--limit", "1"))
                .isEqualTo("0\t" + first + "\tfirst\n");
    }

    @Test
    void theLastRecordsAreShown() {
        assertThat(run("groups", "create", directory(), "billing")).isNotZero();
        append("");
        assertThat(ok("dump", directory(), "-n", "3")).isEmpty();
        try (Queue queue = Queue.open(Path.of(directory()))) {
            for (int i = 0; i < 30; i++) {
                if (i % 2 == 0) {
                    queue.append(Integer.toString(i).getBytes(StandardCharsets.UTF_8));
                } else {
                    assertThatThrownBy(() -> queue.append(1, _ -> {
                        throw new IllegalStateException("withdrawn");
                    })).isInstanceOf(IllegalStateException.class);
                }
            }
        }
        assertThat(last("dump", "-n", "1")).containsExactly(28);
        assertThat(last("dump", "--from", "last")).containsExactly(28);
        assertThat(last("dump", "-n", "3")).containsExactly(24, 26, 28);
        assertThat(last("dump", "--last", "3", "--limit", "2")).containsExactly(24, 26);
        assertThat(last("dump", "-n", "0")).isEmpty();
        assertThat(last("dump", "-n", "15")).hasSize(15);
        assertThat(last("dump", "-n", "9223372036854775807")).hasSize(15);
        assertThat(last("tail", "--limit", "10")).containsExactly(10, 12, 14, 16, 18, 20, 22, 24, 26, 28);
        assertThat(last("tail", "-n", "2", "--limit", "2")).containsExactly(26, 28);
        assertThat(last("tail", "--from", "last", "--limit", "1")).containsExactly(28);
        for (String command : new String[]{"dump", "tail"}) {
            assertThat(run(command, directory(), "-n", "-1")).isEqualTo(2);
            assertThat(fails(2, command, directory(), "-n", "1", "--from", "0"))
                    .contains("--from and -n exclude each other");
        }
    }

    private List<Integer> last(String command, String... options) {
        assertThat(run(Stream.concat(Stream.of(command, directory()), Stream.of(options)).toArray(String[]::new)))
                .isZero();
        return out.toString().lines().map(line -> Integer.parseInt(line.split("\t", -1)[2])).toList();
    }

    private String timeOfLast() {
        assertThat(run("dump", directory())).isZero();
        return out.toString().lines().toList().getLast().split("\t", -1)[1];
    }

    @Test
    void deadLettersSayWhatHasBecomeOfThem() {
        try (Queue letters = Queue.open(Path.of(directory()));
                Queue queue = Queue.open(temporary.resolve("mails"));
                Consumer consumer = queue.group("senders", new GroupOptions().deadLetters(5, letters)).consumer()) {
            queue.append("to nobody".getBytes(StandardCharsets.UTF_8));
            consumer.poll(1, (offset, _, _) -> consumer.reject(offset, "no such address"));
        }
        assertThat(ok("dump", directory())).startsWith("0\t")
                .endsWith("\t[dead letter of group senders, record 0: no such address] to nobody\n");
        assertThat(ok("dump", directory(), "--json")).contains(
                "\"deadLetter\":{\"group\":\"senders\",\"offset\":0,\"deliveries\":1,\"time\":\"",
                "\"reason\":\"no such address\"},\"payload\":\"to nobody\"}\n");
    }

    @Test
    @Tag("verify")
    void whatNeedsTheQueueForItselfSaysWhoHasIt() throws Exception {
        append("first\n");
        assertThat(run("groups", "create", directory(), "billing")).isZero();
        Process appending = CliJvm.jvm().startedBy("sh", "-c", "exec \"$@\" 2>&1", "sh")
                .start(Main.class, "queue", "append", directory());
        try (Writer lines = appending.outputWriter()) {
            lines.write("second\n");
            lines.flush();
            while (run("dump", directory()) != 0 || !out.toString().contains("second")) {
                Thread.sleep(10);
            }
            for (String[] command : new String[][]{{"verify", directory()}, {"repair", directory()},
                    {"groups", "create", directory(), "more"},
                    {"groups", "move", directory(), "billing", "last"}, {"groups", "delete", directory(), "billing"},
                    {"append", directory()}}) {
                assertThat(run(command)).describedAs(String.join(" ", command)).isEqualTo(1);
                assertThat(out.toString()).hasLineCount(1).startsWith("failed: The queue " + directory()
                        + " is open for writing in the process with pid " + appending.pid())
                        .contains("close it there first", "'./outcrop queue tail'");
            }
            lines.write("third\n");
        }
        assertThat(appending.inputReader().readLine()).isEqualTo("2 records appended; the next one is 3");
        assertThat(ChildJvm.awaitEnd(appending)).isTrue();
        assertThat(run("groups", "list", directory())).isZero();
        assertThat(line("billing")).startsWith("billing 0 3 ");
    }

    @Test
    void tailFollowsAlsoWhereItIsTold() {
        append("a\nb\n");
        assertThat(ok("tail", directory(), "--follow", "--from", "1", "--limit", "1")).startsWith("1\t")
                .endsWith("\tb\n");
    }

    @Test
    @Tag("verify")
    void ctrlCEndsAnAppendWithWhatIsAppended() throws Exception {
        Process appending = CliJvm.jvm()
                .startedBy("env", "--default-signal=INT", "sh", "-c", "exec \"$@\" 2>&1", "sh")
                .start(Main.class, "queue", "append", directory());
        try (Writer lines = appending.outputWriter(); BufferedReader said = appending.inputReader()) {
            lines.write("first\nsecond\n");
            lines.flush();
            while (run("dump", directory()) != 0 || !out.toString().contains("second")) {
                Thread.sleep(10);
            }
            // It waits for more, since it is never told that this was all.
            Program.interrupt(appending);
            assertThat(said.lines())
                    .containsExactly("outcrop: interrupted: 2 records are appended, and the rest of the input is not");
            assertThat(ChildJvm.awaitEnd(appending)).isTrue();
        }
        assertThat(appending.exitValue()).isEqualTo(130);
        assertThat(ok("verify", directory())).contains("closed orderly");
    }

    @Test
    @Tag("verify")
    void ctrlCEndsACheckThatSaysSo() throws Exception {
        assertThat(append("\n".repeat(MANY))).isZero();
        assertThat(interrupted("verify"))
                .isEqualTo("outcrop: interrupted: not everything was checked, and nothing has changed\n");
        assertThat(interrupted("repair")).isEqualTo("outcrop: interrupted: not everything is repaired;"
                + " nothing is lost, and the same command does the rest\n");
        assertThat(ok("verify", directory())).contains(MANY + " whole");
    }

    /** The messages of a command that is interrupted while it reads segments, which takes about a second. */
    private String interrupted(String command) throws Exception {
        Path err = temporary.resolve(command);
        while (true) {
            Process process = CliJvm.jvm()
                    .startedBy("env", "--default-signal=INT", "sh", "-c", "exec \"$@\" 2>'" + err + "'", "sh")
                    .start(Main.class, "queue", command, directory());
            while (process.isAlive() && !hasSegmentMapped(process)) {
                Thread.sleep(1);
            }
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
            assertThat(ChildJvm.awaitEnd(process)).isTrue();
            String said = Files.readString(err);
            if (!said.isEmpty()) {
                assertThat(process.exitValue()).isEqualTo(130);
                assertThat(process.inputReader().lines()).isEmpty();
                return said;
            }
            // On a busy machine it was done before the signal came.
            assertThat(process.exitValue()).isIn(0, 130);
        }
    }

    private boolean hasSegmentMapped(Process process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "maps")).contains(directory() + "/");
        } catch (IOException e) {
            // It has ended, which Java may hear of only later.
            return true;
        }
    }

    /** That of a table which begins with a word, without its frame. */
    private String line(String first) {
        return out.toString().lines().map(line -> line.replaceAll("[ |]+", " ").strip())
                .filter(line -> line.startsWith(first)).findFirst().orElse("none of " + first);
    }

    @Test
    void damageIsFoundAndRepaired() throws IOException {
        append("first\nsecond\nthird\n");
        assertThat(ok("verify", directory())).contains("is sound");
        assertThat(run("repair", directory())).isZero();
        damageSecondRecord();
        assertThat(fails(1, "verify", directory())).contains("is damaged in 1 place.", "checksum of record 1");
        assertThat(fails(1, "stats", directory())).startsWith("failed: the queue").contains("queue verify");
        assertThat(fails(1, "dump", directory())).startsWith("0\t")
                .contains("\tfirst\nfailed: ", "record 1", "outcrop queue verify")
                .doesNotContain("QueueFiles");
        assertThat(ok("repair", directory(), "--json")).contains("\"damages\":[{", "\"repairs\":[\"").hasLineCount(1);
        assertThat(run("verify", directory())).isZero();
        assertThat(ok("dump", directory()).lines()).hasSize(2);
    }

    @Test
    @Tag("nightly")
    void aFullDiskIsSaidInOneLine() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "a disk of its own");
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        Path lines = temporary.resolve("lines");
        try (Writer writer = Files.newBufferedWriter(lines)) {
            for (int i = 0; i < 70; i++) {
                writer.write("x".repeat(1 << 20) + "\n");
            }
        }
        // Room for one file of the queue, and not for the next one.
        ChildJvm.Result result = CliJvm.jvm().withDisk(disk, "size=66m")
                .startedBy("sh", "-c", "exec \"$@\" <" + lines, "sh")
                .run(Main.class, "queue", "append", disk.resolve("queue"));
        assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
        assertThat(result.output()).startsWith("outcrop: ").contains("No space left on device", "; 6")
                .endsWith(" records are appended before that\n").hasLineCount(1);
    }

    @Test
    @Tag("nightly")
    void aLineThatIsTooLongIsSaid() {
        assertThat(append("first\n" + "x".repeat(70 << 20))).isEqualTo(1);
        assertThat(out.toString())
                .contains("line 2 is too long; those before it were appended: A record of 73400320 bytes")
                .doesNotContain("QueueOptions");
    }

    @Test
    void noQueueIsMadeAmongOtherFiles() throws IOException {
        Path other = Files.createDirectories(temporary.resolve("queue")).resolve("letter.txt");
        Files.writeString(other, "text");

        assertThat(append("first\n")).isEqualTo(1);

        assertThat(out.toString()).contains("letter.txt", "new or an empty directory");
        try (Stream<Path> files = Files.list(other.getParent())) {
            assertThat(files).containsExactly(other);
        }
    }

    @Test
    void whatIsNotThereOrInUseIsSaid() {
        for (String command : new String[]{"verify", "repair", "stats", "dump", "tail"}) {
            assertThat(fails(1, command, directory())).startsWith("failed: There is no queue in " + directory());
        }
        assertThat(fails(1, "groups", "list", directory()))
                .startsWith("failed: There is no queue in " + directory() + ": there is no such directory");
        assertThat(temporary).isEmptyDirectory();
        assertThat(append("first\n")).isZero();
        try (Queue queue = Queue.open(temporary.resolve("queue"))) {
            for (String command : new String[]{"verify", "repair"}) {
                assertThat(fails(1, command, directory())).startsWith("failed: ")
                        .contains(Long.toString(ProcessHandle.current().pid()));
            }
            assertThat(append("second\n")).isEqualTo(1);
            assertThat(run("dump", directory())).isZero();
            assertThat(queue.nextOffset()).isEqualTo(1);
        }
    }

    /** Nothing else says that it was put aside. */
    @Test
    @Tag("verify")
    void whatIsOnlyLoggedOfDamageIsShown() throws Exception {
        append("first\nsecond\n");
        assertThat(run("groups", "create", directory(), "billing")).isZero();
        Path billing = Path.of(directory(), "groups", "billing.group");
        for (String[] command : Program.oneOrAll(new String[]{"groups", "list"}, new String[]{"append"})) {
            try (RandomAccessFile file = new RandomAccessFile(billing.toFile(), "rw")) {
                file.write(new byte[1024]);
            }
            ChildJvm.Result result = CliJvm.jvm().run(Main.class,
                    Stream.concat(Stream.of("queue"), Stream.concat(Stream.of(command), Stream.of(directory())))
                            .toArray(Object[]::new));
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("billing.group has no whole slot of this queue", "quarantine");
        }
    }

    @Test
    @Tag("verify")
    void besideAWriterIsShownWhatIsOnTheDisk() throws Exception {
        Process writing = CliJvm.jvm().start(WriterProgram.class, directory());
        try (Writer told = writing.outputWriter(); BufferedReader said = writing.inputReader()) {
            assertThat(said.readLine()).isEqualTo("ready");
            String which = "outcrop: process " + writing.pid() + " has " + directory()
                    + " open; this is what is on the disk while it writes";

            assertThat(run("stats", directory())).as(out.toString()).isZero();
            assertThat(out.toString().lines()).startsWith(which, "segments    7 of 16,384 bytes",
                    "records     100, from 0 on; the next one is 100", "withdrawn   0 of them");
            assertThat(line("audit")).isEqualTo("audit 0 0 100");
            assertThat(line("billing")).isEqualTo("billing 30 1 69");
            assertThat(ok("stats", directory(), "--json").lines()).hasSize(2).first().isEqualTo(which);
            assertThat(out.toString()).contains("\"records\":100,\"firstOffset\":0,\"nextOffset\":100,\"withdrawn\":0,",
                    "{\"group\":\"billing\",\"acknowledgedBefore\":30,\"acknowledgedBehind\":1,\"lag\":69}");
            assertThat(ok("groups", "list", directory()).lines().findFirst()).contains(which);
            assertThat(line("billing")).startsWith("billing 30 69 71,680 ");
            assertThat(ok("groups", "list", directory(), "--json"))
                    .contains("{\"group\":\"audit\",\"acknowledgedBefore\":0,\"lag\":100,\"lagBytes\":102400,");
            for (String[] change : new String[][]{{"create", directory(), "new"}, {"delete", directory(), "audit"},
                    {"move", directory(), "audit", "last"}}) {
                assertThat(run(Stream.concat(Stream.of("groups"), Stream.of(change)).toArray(String[]::new)))
                        .isEqualTo(1);
                assertThat(out.toString()).startsWith("failed: ").contains("pid " + writing.pid()).hasLineCount(1);
            }

            told.write("go on\n");
            told.flush();
            assertThat(said.readLine()).isEqualTo("goes on");
            for (int i = 0; i < 20; i++) {
                QueueSurvey survey = QueueFiles.survey(Path.of(directory()));
                QueueSurvey.Group billing = survey.groups().get(1);
                assertThat(billing.position()).isBetween(30L, survey.nextOffset());
                assertThat(billing.lag().records())
                        .isEqualTo(survey.nextOffset() - billing.position() - billing.ahead());
                assertThat(survey.segments().stream().mapToLong(QueueCheck.Segment::records).sum())
                        .isEqualTo(survey.nextOffset() - survey.firstOffset());
            }
            told.write("enough\n");
            told.flush();
            long appended = Long.parseLong(said.readLine());
            assertThat(ChildJvm.awaitEnd(writing)).isTrue();
            assertThat(ok("stats", directory(), "--json")).hasLineCount(1).contains("\"nextOffset\":" + appended + ",");
        } finally {
            writing.destroyForcibly();
        }
    }
}
