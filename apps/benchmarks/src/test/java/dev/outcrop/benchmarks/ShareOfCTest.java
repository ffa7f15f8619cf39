package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Twelve short lines against C, which does the same in turn with them, in the same process. The bounds are about half of what is usual, and a
 * line has six tries to pass its own: other programs on the machine do not fail it, and work that was added to a call does.
 */
@Tag("verify")
class ShareOfCTest extends SuiteRun {
    private static final int TRIES = 6;
    private static final RunLength SHORT = new RunLength(true, 1, 1, 1, Duration.ofMillis(25), 1 << 20);

    private static final String FRESH = "fresh key of 16 B, 16 B";
    private static final String SCAN = "full scan, 16 B";
    private static final String MANY = "100 keys of the default family, 256 B";
    private static final String PUT = "put, WAL off, 100 B";
    private static final String BATCH = "batch of 1,000, build + write, WAL off, 100 B";

    private static final List<Line> LINES = List.of(
            new Line(FRESH, "preallocated byte[]", 0.3), new Line(FRESH, "segment", 0.35),
            new Line(FRESH, "pinned", 0.3), new Line(FRESH, "pinned callback", 0.3),
            new Line(SCAN, "callback", 0.4), new Line(SCAN, "iterator, copying", 0.3),
            new Line(SCAN, "iterator, segments", 0.25), new Line(MANY, "pinned", 0.3), new Line(MANY, "slab", 0.25),
            new Line(PUT, "byte[]", 0.45), new Line(PUT, "segment", 0.5), new Line(BATCH, "segment", 0.5));

    /** A form of a case, and the least share of C's speed. */
    private record Line(String label, String form, double least) {
        boolean isOf(Map<?, ?> row) {
            return label.equals(row.get("label")) && form.equals(row.get("subject"));
        }
    }

    /** The suite, as long as this test has it. */
    static final class Program {
        private Program() {
        }

        public static void main(String[] arguments) {
            PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
            System.exit(Main.run(SHORT, Path.of(System.getProperty("work")), out, out, arguments));
        }
    }

    @Test
    void shortLinesHaveTheirShareOfTheSpeedOfC() throws IOException, InterruptedException {
        assertThat(LINES).hasSize(12);
        List<Line> left = LINES;
        List<String> found = new ArrayList<>();
        for (int i = 0; i < TRIES && !left.isEmpty(); i++) {
            List<?> rows = measured(left);
            List<Line> slow = new ArrayList<>();
            for (Line line : left) {
                Map<?, ?> row = rows.stream().map(Map.class::cast).filter(line::isOf).findFirst().orElseThrow();
                assumeTrue(row.get("ofLimit") != null, "there is no C compiler");
                double share = ((Number) row.get("ofLimit")).doubleValue();
                found.add(String.format(Locale.ROOT, "%s, %s: %.2f of C, at least %.2f", line.label, line.form, share,
                        line.least));
                if (!(share >= line.least)) {
                    slow.add(line);
                }
            }
            left = slow;
        }
        found.forEach(System.out::println);
        assertThat(left).as(String.join("\n", found)).isEmpty();
    }

    /** Measures the cases of these lines, in a JVM with the JDK's best compiler. */
    private List<?> measured(List<Line> lines) throws IOException, InterruptedException {
        Path json = directory.resolve("shares.json");
        List<Object> arguments = new ArrayList<>(List.of("paired", "--json", json));
        lines.stream().map(Line::label).distinct().forEach(label -> arguments.addAll(List.of("--only", label)));
        ChildJvm.withNativeAccess().option("-Dwork=" + directory).lines(Program.class, arguments.toArray());
        return JSON.std.listFrom(json.toFile());
    }
}
