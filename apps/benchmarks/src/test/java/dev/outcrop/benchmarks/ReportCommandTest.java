package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("verify")
class ReportCommandTest extends SuiteRun {
    private Path report;

    @BeforeEach
    void name() {
        report = directory.resolve("report");
    }

    /** The program that is killed: the same command, as short as in the other tests. */
    static final class TinyReport {
        private TinyReport() {
        }

        public static void main(String[] args) {
            System.exit(Main.run(TINY, Path.of(System.getProperty("work")),
                    new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                    new PrintWriter(System.err, true, StandardCharsets.UTF_8), args));
        }
    }

    @Test
    void goesOnWhereItWasKilled() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-Djmh.ignoreLock=true",
                        "-Dwork=" + Files.createDirectories(directory.resolve("killed")), "-cp",
                        System.getProperty("java.class.path"), TinyReport.class.getName()));
        command.addAll(List.of(arguments("no-op")));
        Process killed = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile()).start();
        while (cases().isEmpty() && killed.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        List<ProcessHandle> children = killed.descendants().toList();
        killed.destroyForcibly().waitFor();
        children.forEach(ProcessHandle::destroyForcibly);
        List<Path> before = cases();
        assertThat(before).as(Files.readString(directory.resolve("output"))).hasSizeBetween(1, 3);
        assertThat(report.resolve("report.json")).doesNotExist();
        String first = Files.readString(before.getFirst());

        assertThat(run(arguments("no-op"))).as(err.toString()).isZero();

        assertThat(out.toString()).contains(before.size() + " of 4 cases are finished; going on")
                .contains("[4/4, less than 1 min left] calls: no-op call, critical, virtual thread");
        assertThat(cases()).hasSize(4);
        assertThat(before.getFirst()).hasContent(first);
        Map<String, Object> json = JSON.std.mapFrom(report.resolve("report.json").toFile());
        assertThat((List<?>) json.get("cases")).hasSize(4);
        assertThat(Files.readAllLines(report.resolve("report.csv"))).hasSize(5)
                .anySatisfy(line -> assertThat(line)
                        .startsWith("calls,\"no-op call, plain, platform thread\",NativeCalls,ns/op,"));
        assertThat(report.resolve("report.md")).content().contains("no-op call, plain, platform thread");
    }

    @Test
    void refusesADirectoryThatHoldsSomethingElse() throws IOException {
        Path mine = Files.writeString(Files.createDirectories(report).resolve("mine"), "unharmed");

        assertThat(run(arguments("no-op"))).isEqualTo(1);

        assertThat(err.toString())
                .isEqualTo("outcrop: " + report + " holds files, such as mine, and no report: name an "
                        + "empty directory, or one that does not exist" + System.lineSeparator());
        assertThat(mine).hasContent("unharmed");
        assertThat(report.toFile().list()).containsExactly("mine");
    }

    @Test
    void refusesAReportThatWasBegunInAnotherWay() throws IOException {
        begin(Map.of("quick", true, "rounds", 2, "seed", 1, "only", List.of("get"), "peers", List.of("JDK")), Map.of());

        assertThat(run(arguments("no-op"))).isEqualTo(2);

        assertThat(err.toString()).contains(report + " holds a report with other settings (--quick was true and is "
                + "false; --rounds was 2 and is 0; --only was [get] and is [no-op]): name another directory");
        assertThat(cases()).isEmpty();
    }

    @Test
    void refusesToGoOnOnAnotherMachine() throws IOException {
        begin(Map.of("quick", false, "rounds", 0, "seed", 1, "only", List.of("no-op"), "peers", List.of("JDK")),
                Map.of("cores", "1024"));

        assertThat(run(arguments("no-op"))).isEqualTo(2);

        assertThat(err.toString()).contains("results of other conditions (cores was 1024 and is "
                + Runtime.getRuntime().availableProcessors() + "): name another directory");
    }

    @Test
    void refusesAReportThatIsOlderOrDamaged() throws IOException {
        Files.writeString(Files.createDirectories(report).resolve("run.json"), "{\"outcropReport\": 0}");
        assertThat(run(arguments("no-op"))).isEqualTo(1);
        assertThat(err.toString()).contains("run.json has format 0, and this program reads format 1");

        Files.writeString(report.resolve("run.json"), "{\"outcropReport\": 1}");
        assertThat(run(arguments("no-op"))).isEqualTo(1);
        assertThat(err.toString()).contains("run.json is a damaged report");
    }

    @Test
    void onlyOneProcessWritesAReport() throws IOException {
        Files.createDirectories(report);
        try (FileChannel file = FileChannel.open(report.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock _ = file.lock()) {
            assertThat(run(arguments("no-op"))).isEqualTo(1);
        }

        assertThat(err.toString()).contains("Another process writes the report in " + report);
    }

    @Test
    void wrongArgumentsGetOneLineAndCode2() {
        requireRefused("There is no peer 'SQLite'. The peers are: JDK; rocksdbjni; ", "--peers", "Chronicle,SQLite");
        requireRefused("--rounds is 3, and must be an even number above 0", "--rounds", "3");
        requireRefused("There is no case whose name contains 'nothing of this name'", "--only", "nothing of this name");
        err.getBuffer().setLength(0);
        assertThat(run("--quick", "report", "--dir", report.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("outcrop: Options belong behind 'report'");
        assertThat(run("report")).isEqualTo(2);
        assertThat(err.toString())
                .contains("Missing required option: '--dir=DIR' (see './outcrop bench report --help')");
    }

    private void requireRefused(String message, String... more) {
        err.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("report", "--dir", report.toString()));
        arguments.addAll(List.of(more));
        assertThat(run(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("outcrop: " + message);
    }

    private String[] arguments(String only) {
        return new String[]{"report", "--dir", report.toString(), "--only", only, "--peers", "JDK"};
    }

    /** Writes what a report begins with: the conditions of this process, but for those that are named. */
    private void begin(Map<String, Object> settings, Map<String, String> other) throws IOException {
        Path mine = directory.resolve("mine");
        assertThat(run("report", "--dir", mine.toString(), "--only", "no-op call, plain, platform")).as(err.toString())
                .isZero();
        Map<String, Object> head = JSON.std.mapFrom(mine.resolve("run.json").toFile());
        @SuppressWarnings("unchecked")
        Map<String, Object> machine = (Map<String, Object>) Objects.requireNonNull(head.get("machine"));
        machine.putAll(other);
        head.put("settings", settings);
        JSON.std.write(head, Files.createDirectories(report).resolve("run.json").toFile());
    }

    private List<Path> cases() throws IOException {
        Path cases = report.resolve("cases");
        if (!Files.isDirectory(cases)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cases)) {
            return files.filter(file -> file.toString().endsWith(".json")).toList();
        }
    }
}
