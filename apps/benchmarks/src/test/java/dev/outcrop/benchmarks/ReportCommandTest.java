package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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

    @Test
    void goesOnAfterCtrlCAndAKillAndEndsWithTheSameLines() throws IOException, InterruptedException {
        Path work = Files.createDirectories(directory.resolve("killed"));
        ChildJvm.Running interrupted = TinyReport.jvm(work).startedBy("env", "--default-signal=INT")
                .launch(TinyReport.class, (Object[]) arguments("no-op"));
        awaitCases(1, interrupted.process());
        signal("INT", interrupted.process());
        ChildJvm.Result result = interrupted.await();
        assertThat(result.exitCode()).as(result.output()).isEqualTo(130);
        assertThat(result.output()).containsPattern("Ended early: [12] of 4 cases are kept, and the same command goes "
                + "on from there").doesNotContain("failed:");
        List<Path> before = cases();
        assertThat(before).hasSizeBetween(1, 2);
        String first = Files.readString(before.getFirst());

        ChildJvm.Running killed = TinyReport.jvm(work).launch(TinyReport.class, (Object[]) arguments("no-op"));
        awaitCases(before.size() + 1, killed.process());
        List<ProcessHandle> children = killed.process().descendants().toList();
        killed.process().toHandle().destroyForcibly();
        assertThat(killed.await().output()).contains(before.size() + " of 4 cases are finished; going on");
        for (ProcessHandle child : children) {
            // They measure no longer beside the next run.
            child.onExit().join();
        }
        assertThat(report.resolve("report.json")).doesNotExist();

        result = TinyReport.jvm(work).run(TinyReport.class, (Object[]) arguments("no-op"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains(" of 4 cases are finished; going on")
                .containsPattern(
                        "\\[4/4, (less than|about) \\d+ min left] calls: no-op call, critical, virtual thread");
        assertThat(cases()).hasSize(4);
        assertThat(before.getFirst()).hasContent(first);
        Map<String, Object> json = JSON.std.mapFrom(report.resolve("report.json").toFile());
        assertThat((List<?>) json.get("cases")).hasSize(4);
        List<String> lines = lines(report);
        assertThat(lines).containsExactly(
                "calls; no-op call, plain, platform thread; {thread=platform}; NativeCalls; JDK Linker; ns/op",
                "calls; no-op call, critical, platform thread; {thread=platform}; NativeCalls; JDK Linker; ns/op",
                "calls; no-op call, plain, virtual thread; {thread=virtual}; NativeCalls; JDK Linker; ns/op",
                "calls; no-op call, critical, virtual thread; {thread=virtual}; NativeCalls; JDK Linker; ns/op");
        assertThat(report.resolve("report.md")).content().contains("no-op call, plain, platform thread");
        if (TestSize.isNightly()) {
            Path whole = directory.resolve("whole");
            assertThat(run("report", "--dir", whole.toString(), "--only", "no-op", "--peers", "JDK")).isZero();
            assertThat(lines).isEqualTo(lines(whole));
        }
    }

    @Test
    void measuresUncertainCasesAgain() throws IOException {
        assertThat(run(arguments("no-op"))).isZero();
        List<Path> measured = cases();
        List<String> before = new ArrayList<>();
        for (Path each : measured) {
            String text = Files.readString(each).replaceAll("\"ratioError\" : [-.0-9Ee]+",
                    "\"ratioError\" : " + (before.isEmpty() ? "9.0" : "0.01"));
            Files.writeString(each, text);
            before.add(text);
        }
        out.getBuffer().setLength(0);

        List<String> again = new ArrayList<>(List.of(arguments("no-op")));
        again.add("--again");
        assertThat(run(again.toArray(String[]::new))).isZero();

        assertThat(out.toString()).contains("3 of 4 cases are finished; going on").containsOnlyOnce("] calls: no-op");
        assertThat(measured.getFirst()).content().contains("\"ratioError\" : ").doesNotContain("\"ratioError\" : 9.0");
        for (int i = 1; i < before.size(); i++) {
            assertThat(measured.get(i)).hasContent(before.get(i));
        }
    }

    private void awaitCases(int count, Process process) throws IOException, InterruptedException {
        while (cases().size() < count && process.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start().waitFor();
    }

    /** The texts of all rows, without their figures. */
    private static List<String> lines(Path of) throws IOException {
        Map<String, Object> json = JSON.std.mapFrom(of.resolve("report.json").toFile());
        List<String> lines = new ArrayList<>();
        for (Object each : (List<?>) Objects.requireNonNull(json.get("cases"))) {
            for (Object row : (List<?>) Objects.requireNonNull(((Map<?, ?>) each).get("rows"))) {
                Map<?, ?> found = (Map<?, ?>) row;
                lines.add(Stream.of("suite", "label", "params", "subject", "peerName", "unit")
                        .map(name -> String.valueOf(found.get(name))).collect(Collectors.joining("; ")));
            }
        }
        return lines;
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

        Files.delete(mine);
        mine = Files.writeString(Files.createDirectories(report.resolve("cases")).resolve("mine.json"), "unharmed");
        assertThat(run(arguments("no-op"))).isEqualTo(1);
        assertThat(err.toString()).contains(report + " holds files, such as cases, and no report");
        assertThat(mine).hasContent("unharmed");
    }

    @Test
    void refusesAFileOfTheSameNameOfAnotherProgram() throws IOException {
        Path mine = Files.writeString(Files.createDirectories(report).resolve("run.json"), "{\"tests\": 1}");

        assertThat(run(arguments("no-op"))).isEqualTo(1);

        assertThat(err.toString()).contains(mine + " is no report of './outcrop bench report'");
        assertThat(mine).hasContent("{\"tests\": 1}");
        assertThat(report.toFile().list()).containsExactly("run.json");
        Path file = Files.writeString(directory.resolve("file"), "unharmed");
        assertThat(run("report", "--dir", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains(file + " is not a directory");
        assertThat(file).hasContent("unharmed");
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
        assertThat(err.toString()).contains("run.json has format 0, and this program reads format 2");

        Files.writeString(report.resolve("run.json"), "{\"outcropReport\": 3}");
        assertThat(run(arguments("no-op"))).isEqualTo(1);
        assertThat(err.toString()).contains("reads format 2: use the newer program that has written it");

        Files.writeString(report.resolve("run.json"), "{\"outcropReport\": 2}");
        assertThat(run(arguments("no-op"))).isEqualTo(1);
        assertThat(err.toString()).contains("run.json is a damaged report: machine is missing");

        Files.writeString(report.resolve("run.json"), "{\"outcropReport\": 2, \"mach");
        assertThat(run(arguments("no-op"))).isEqualTo(1);
        assertThat(err.toString()).contains("run.json is no report: it is not JSON, or its end is missing");
        assertThat(report.toFile().list()).containsExactly("run.json");
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
    void onlyOneRunMeasuresInTheSamePlace() throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock _ = file.lock()) {
            assertThat(run(arguments("no-op"))).isEqualTo(1);
            assertThat(run("calls", "--only", "no-op")).isEqualTo(1);
        }

        String message = "outcrop: Another benchmark runs in " + directory + ": wait for its end";
        assertThat(err.toString().lines()).containsExactly(message, message);
    }

    @Test
    void wrongArgumentsGetOneLineAndCode2() {
        requireRefused("There is no peer 'SQLite'. The peers are: JDK; rocksdbjni; ", "--peers", "Chronicle,SQLite");
        requireRefused("There is no peer ''", "--peers", "");
        for (String wrong : List.of("3", "0", "-2", "1002")) {
            requireRefused("--rounds is " + wrong + ", and must be an even number from 2 to 1000", "--rounds", wrong,
                    "--only", "no-op call, plain, platform");
        }
        requireRefused("Invalid value for option '--rounds': 'many' is not an int", "--rounds", "many");
        requireRefused("Invalid value for option '--seed': '0x' is not a long", "--seed", "0x");
        requireRefused("There is no case whose name contains 'nothing of this name' (", "--only",
                "nothing of this name");
        requireRefused("There is no case whose name contains 'no-op' in the suites against Chronicle", "--only",
                "no-op",
                "--peers", "Chronicle");
        requireRefused("--only is empty, and must be a part of a case's name", "--only", "");
        requireRefused("--dir is empty, and must name a directory", "--dir", "");
        err.getBuffer().setLength(0);
        assertThat(run("--quick", "report", "--dir", report.toString())).isEqualTo(2);
        assertThat(err.toString()).startsWith("outcrop: Options belong behind 'report'");
        assertThat(run("report")).isEqualTo(2);
        assertThat(err.toString())
                .contains("Missing required option: '--dir=DIR' (see './outcrop bench report --help')");
    }

    private void requireRefused(String message, String... more) {
        err.getBuffer().setLength(0);
        List<String> arguments = new ArrayList<>(List.of("report"));
        if (!more[0].equals("--dir")) {
            arguments.addAll(List.of("--dir", report.toString()));
        }
        arguments.addAll(List.of(more));
        assertThat(run(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("outcrop: " + message);
        assertThat(report.resolve("run.json")).doesNotExist();
    }

    private String[] arguments(String only) {
        return new String[]{"report", "--dir", report.toString(), "--only", only, "--peers", "JDK"};
    }

    /** Writes what a report begins with: the conditions of this process, but for those that are named. */
    private void begin(Map<String, Object> settings, Map<String, String> other) throws IOException {
        Path mine = directory.resolve("mine");
        // A case that fails at once.
        Files.writeString(directory.resolve("engine"), "no directory");
        assertThat(run("report", "--dir", mine.toString(), "--only", "fresh key of 16 B, 16 B")).isEqualTo(1);
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
