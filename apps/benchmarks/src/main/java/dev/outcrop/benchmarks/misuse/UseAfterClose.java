package dev.outcrop.benchmarks.misuse;

import dev.outcrop.benchmarks.Main;
import dev.outcrop.benchmarks.harness.Directories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes every mistake with both libraries, several times, and reports the outcomes. */
@Command(name = "./outcrop misuse", sortOptions = false, description = {
        "Uses what was closed, through Outcrop and through rocksdbjni, each time in a",
        "JVM of its own, and counts the JVMs that do not survive. Takes five minutes or",
        "more."})
public final class UseAfterClose implements Callable<Integer> {
    private static final long PATIENCE_SECONDS = 30;
    private static final List<String> SIDES = List.of("rocksdbjni", "outcrop");

    @Option(names = "--report", paramLabel = "FILE", description = "Write the report to a file, not to standard output.")
    private @Nullable Path report;

    @Option(names = "--runs", paramLabel = "N", description = "How often each mistake is made in each of two ways: ${DEFAULT-VALUE}.")
    private int runs = UseAfterCloseReport.USUAL_RUNS;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Spec
    private @Nullable CommandSpec spec;

    private UseAfterClose() {
    }

    /** Runs the program and exits with 0, or with 1 if Outcrop lost a JVM. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The parser; tests run it without exiting the JVM. */
    static CommandLine commandLine() {
        return new CommandLine(new UseAfterClose()).setParameterExceptionHandler(Main::onWrongUsage);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (runs < 1) {
            throw new ParameterException(Objects.requireNonNull(spec).commandLine(),
                    "--runs must be at least 1, not " + runs);
        }
        Map<Mistake, List<Outcome>> peer = new EnumMap<>(Mistake.class);
        Map<Mistake, List<Outcome>> own = new EnumMap<>(Mistake.class);
        try (ExecutorService executor = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            Map<Mistake, List<Future<Outcome>>> running = new EnumMap<>(Mistake.class);
            for (Mistake mistake : Mistake.values()) {
                running.put(mistake, start(mistake, executor));
            }
            for (Mistake mistake : Mistake.values()) {
                List<Outcome> outcomes = results(running.getOrDefault(mistake, List.of()));
                List<Outcome> theirs = outcomes.subList(0, outcomes.size() / 2);
                List<Outcome> ours = outcomes.subList(outcomes.size() / 2, outcomes.size());
                peer.put(mistake, theirs);
                own.put(mistake, ours);
                System.err.println((mistake.text() + ": rocksdbjni " + UseAfterCloseReport.summary(theirs)
                        + "; Outcrop " + UseAfterCloseReport.summary(ours)).replace("**", ""));
            }
        }
        String text = new UseAfterCloseReport(peer, own).text();
        if (report == null) {
            System.out.print(text);
        } else {
            Files.writeString(report, text);
        }
        return own.values().stream().flatMap(List::stream).anyMatch(outcome -> outcome.kind() == Outcome.Kind.KILLED)
                ? 1
                : 0;
    }

    /** Starts all attempts at a mistake. The first half are with the first side. */
    private List<Future<Outcome>> start(Mistake mistake, ExecutorService executor) {
        List<Future<Outcome>> attempts = new ArrayList<>();
        for (String side : SIDES) {
            for (boolean closedByOtherThread : new boolean[]{false, true}) {
                for (int i = 0; i < runs; i++) {
                    attempts.add(executor.submit(() -> attempt(side, mistake, closedByOtherThread)));
                }
            }
        }
        return attempts;
    }

    private static List<Outcome> results(List<Future<Outcome>> attempts) throws InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (Future<Outcome> attempt : attempts) {
            try {
                outcomes.add(attempt.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("An attempt could not be made", e.getCause());
            }
        }
        return outcomes;
    }

    private static Outcome attempt(String side, Mistake mistake, boolean closedByOtherThread)
            throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("outcrop-misuse");
        try {
            Path output = directory.resolve("output");
            Path work = Files.createDirectory(directory.resolve("work"));
            List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED", "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null",
                    "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                    Attempt.class.getName(), side, mistake.name(), work.toString(),
                    Boolean.toString(closedByOtherThread));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                return Outcome.hung();
            }
            String written = Files.readString(output, StandardCharsets.ISO_8859_1);
            if (process.exitValue() == 1 && !Outcome.isCrash(written)) {
                // The attempt itself failed: it could not prepare the mistake.
                throw new IllegalStateException(side + ", " + mistake + ":\n" + written);
            }
            return Outcome.of(process.exitValue(), written);
        } finally {
            Directories.delete(directory);
        }
    }
}
