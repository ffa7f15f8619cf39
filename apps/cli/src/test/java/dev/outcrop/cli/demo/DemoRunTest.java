package dev.outcrop.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.demo.PhaseResult.Phase;
import dev.outcrop.cli.demo.SideRun.Side;
import dev.outcrop.pipeline.RecordMapper;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs on a part of the JDK's classes: real child JVMs, real kills, real queues and databases. */
@Tag("verify")
class DemoRunTest {
    private static final int CLASSES = 300;
    private static final int VICTIM = 5;

    @TempDir
    private Path temporary;
    private final Interruption interruption = Interruption.listen();
    private final StringWriter out = new StringWriter();
    private final DemoOutput output = new DemoOutput(new PrintWriter(out, true), interruption);

    /** Prints what a side prints that does all phases. */
    static final class QuickSide {
        public static void main(String[] args) {
            for (Phase phase : Phase.values()) {
                System.out.println("phase " + phase.name().toLowerCase(Locale.ROOT) + " 3 1000");
                System.out.println("at 3");
                System.out.println("latencies 100 200 300");
                System.out.println("done 600 2000");
            }
        }
    }

    /** A side that needs four times as long for reads from its second round on. */
    static final class RestlessSide {
        public static void main(String[] args) throws IOException {
            Path before = Path.of(args[0]).resolveSibling("not-the-first-round");
            boolean isFirst = Files.notExists(before);
            Files.write(before, new byte[0]);
            for (Phase phase : Phase.values()) {
                System.out.println("phase " + phase.name().toLowerCase(Locale.ROOT) + " 3 1000");
                System.out.println("latencies 100 200 300");
                System.out.println("done " + (isFirst || phase != Phase.READ ? 600 : 2400) + " 3000");
            }
        }
    }

    /** A side that finds a wrong byte. */
    static final class CorruptingSide {
        public static void main(String[] args) {
            System.out.println("phase read 3 1000");
            System.out.println("differs byte 10 of a class is 0x41, but 0x01 was stored");
            System.exit(1);
        }
    }

    /** Says that records are in the queue which are not. */
    static final class BoastingAppender {
        public static void main(String[] args) {
            Report report = new Report(System.out);
            System.exit(report.exitCode(() -> {
                report.found(0, CLASSES);
                report.now(CLASSES * 2 / 3);
                report.awaitKill();
            }));
        }
    }

    /** Has a record have its effect twice, as after a restart that goes back too far. */
    static final class RepeatingPipeline {
        public static void main(String[] args) {
            Report report = new Report(System.out);
            System.exit(report.exitCode(() -> {
                int end = Integer.parseInt(args[2]);
                try (Queue queue = QueueRecord.open(Path.of(args[0]));
                        RocksDB db = PipelineProgram.open(Path.of(args[1]))) {
                    RecordMapper mapper = PipelineProgram.mapper(db);
                    AtomicBoolean waits = new AtomicBoolean();
                    PipelineProgram.write(queue, db, PipelineProgram.killedBefore(end, (offset, payload, writes) -> {
                        mapper.map(offset, payload, writes);
                        if (offset == VICTIM) {
                            mapper.map(offset, payload, writes);
                        }
                    }, waits), report, waits);
                }
            }));
        }
    }

    @AfterEach
    void close() {
        interruption.close();
    }

    private static Side side(String name, Class<?> mainClass) {
        return new Side(name, mainClass.getName(), System.getProperty("java.class.path"));
    }

    private void run(Class<?> append, Class<?> pipeline, @Nullable PeerContest contest, boolean keep) {
        new DemoRun(output, append, pipeline, contest, 42).run(temporary, keep, CLASSES);
    }

    private void run(boolean keep) {
        run(AppendProgram.class, PipelineProgram.class, null, keep);
    }

    private PeerContest contest(Side outcrop) {
        return contest(outcrop, -1);
    }

    private PeerContest contest(Side outcrop, double loadBefore) {
        return contest(outcrop, 1, loadBefore);
    }

    private PeerContest contest(Side outcrop, int rounds, double loadBefore) {
        return new PeerContest(output, outcrop, side("rocksdbjni", QuickSide.class), rounds, 42, loadBefore);
    }

    @Test
    void everyClassFileArrivesOnceThoughBothProgramsAreKilled() {
        run(false);
        assertThat(out.toString()).contains("300 class files", "in the queue, and goes on", "in the database, and goes",
                "each byte of 300 class files", "300 counters", "300 records with sound checksums", "--seed 42",
                "No file is left behind.")
                .containsPattern("(?s)kill -9 \\d+, with \\d+ records still to do.*kill -9 \\d+, with")
                .doesNotContain("\r", "\u001b");
        assertThat(temporary).isEmptyDirectory();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.subList(lines.size() - 6, lines.size())).satisfiesExactly(
                line -> assertThat(line).isEmpty(),
                line -> assertThat(line).isEqualTo("Proved: every class file arrived exactly once and intact."),
                line -> assertThat(line).startsWith("  killed ").contains("kill -9"),
                line -> assertThat(line).startsWith("  none lost ").contains("all 300 class files"),
                line -> assertThat(line).startsWith("  none doubled ").contains("300 counters stand at 1"),
                line -> assertThat(line).startsWith("  none changed ").containsPattern("each of [\\d,]{6,} bytes"));
    }

    @Test
    @Tag("nightly")
    void keepsTheDatabaseWithEveryClass() throws IOException {
        run(true);
        Path kept;
        try (Stream<Path> files = Files.list(temporary)) {
            kept = files.filter(file -> file.getFileName().toString().startsWith("kept-")).findAny().orElseThrow();
        }
        assertThat(out.toString()).contains("Everything is kept in " + kept);
        JdkClasses classes = JdkClasses.list(CLASSES);
        try (RocksDB db = RocksDB.openReadOnly(kept.resolve("database"))) {
            for (int i = 0; i < CLASSES; i++) {
                byte[] key = classes.key(i).toArray(ValueLayout.JAVA_BYTE);
                assertThat(db.get(key)).isEqualTo(classes.value(i).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        assertThat(kept.resolve("queue")).isDirectory();
    }

    @Test
    void worksBesideAPeer() {
        run(AppendProgram.class, PipelineProgram.class, contest(side("outcrop", QuickSide.class)), false);
        assertThat(out.toString()).contains("store, flush", "read, cold", "read, cached", "scan", "rocksdbjni",
                "Ratio", "1.00x", "Ratio: seconds of rocksdbjni / seconds of outcrop.")
                .doesNotContain("Other programs", "No ratio");
        assertThat(lastLines(5)).startsWith("Proved: every class file");
        assertThat(temporary).isEmptyDirectory();
    }

    private String lastLines(int count) {
        List<String> lines = out.toString().lines().toList();
        return String.join("\n", lines.subList(lines.size() - count, lines.size()));
    }

    @Test
    void aBusyMachineIsToldBeforeTheTimesAreWaitedForAndHasNoRatios() throws IOException {
        contest(side("outcrop", QuickSide.class), 77.7).run(JdkClasses.list(CLASSES), temporary);
        String busy = String.format(Locale.ROOT,
                "Other programs were busy before the demo (load average 77.7, limit: %.1f)",
                Runtime.getRuntime().availableProcessors() / 2.0);
        assertThat(out.toString()).containsSubsequence(busy + ": there will be no ratios.", "read, cold",
                "No ratios. " + busy + ".").doesNotContain("Ratio", "1.00x");
    }

    @Test
    void aPhaseWithRoundsThatDifferMuchHasNoRatio() throws IOException {
        contest(side("outcrop", RestlessSide.class), 2, -1).run(JdkClasses.list(CLASSES), temporary);
        assertThat(out.toString()).containsPattern("\\| store, flush .* 1\\.00x \\|")
                .containsPattern("\\| read, cold .* - \\|").containsPattern("\\| read, cached .* 1\\.00x \\|")
                .contains(
                        "No ratio of 'read, cold': one round took 4.0 times as long as another of the same side, as on "
                                + "a busy machine (limit: 1.5).")
                .doesNotContain("No ratio of 'scan'");
    }

    private void assertDiffers(Class<?> append, Class<?> pipeline, String message) {
        assertThatThrownBy(() -> run(append, pipeline, null, false)).isInstanceOf(Failure.class)
                .hasMessage("DATA DIFFERS: " + message + "; everything is kept in " + temporary.resolve("last"));
        assertThat(temporary.resolve("last")).isDirectory();
        assertThat(out.toString()).doesNotContain("No file", "Proved");
    }

    @Test
    void recordsThatAreNotThereAfterAKillFailTheRun() {
        assertThatThrownBy(() -> run(BoastingAppender.class, PipelineProgram.class, null, false))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("finds 0 records in the queue, but 200 were reported to be there");
        assertThat(out.toString()).doesNotContain("Proved");
    }

    @Test
    @Tag("nightly")
    void anEffectThatIsThereTwiceFailsTheRun() {
        assertDiffers(AppendProgram.class, RepeatingPipeline.class,
                JdkClasses.list(CLASSES).name(VICTIM) + " had its effect 2 times, not once");
    }

    @Test
    void oneByteThatASideReadsWrongIsFound() {
        JdkClasses classes = JdkClasses.list(CLASSES);
        assertThatThrownBy(() -> contest(side("outcrop", CorruptingSide.class)).run(classes, temporary))
                .isInstanceOf(Proof.Difference.class)
                .hasMessage("byte 10 of a class is 0x41, but 0x01 was stored, in outcrop");
    }

    @Test
    void aSideThatCannotStartIsAFailure() {
        assertThatThrownBy(() -> contest(new Side("outcrop", "no.such.Program", "none"))
                .run(JdkClasses.list(CLASSES), temporary)).isInstanceOf(Failure.class)
                .hasMessageContaining("exit code 1").hasMessageContaining("0 of 4 phases");
    }

    @Test
    void twoRunsInOneDirectoryAreRefused() {
        try (DemoDirectory directory = DemoDirectory.claim(temporary)) {
            directory.newRun(false);
            assertThatThrownBy(() -> run(false)).isInstanceOf(Failure.class).hasMessageContaining("another demo");
        }
    }
}
