package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.RunLength;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Runs suites that are so short that no test looks at the figures: most of the work is to start processes. */
abstract class SuiteRun {
    static final RunLength TINY = new RunLength(true, 1, 1, 1, Duration.ofMillis(5), 1 << 20);

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();

    @TempDir(factory = OnDisk.class)
    Path directory;

    /** Other temporary directories may be in memory, where nothing can be written durably. */
    private static final class OnDisk implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "work").toAbsolutePath()),
                    "test");
        }
    }

    static void requireSane(Map<String, Object> row) {
        assertThat(number(row, "ours")).isPositive();
        assertThat(number(row, "peer")).isPositive();
        assertThat(number(row, "ratio")).isEqualTo(number(row, "peer") / number(row, "ours"));
    }

    static double number(Map<String, Object> row, String key) {
        return (Double) Objects.requireNonNull(row.get(key), key);
    }

    /** Runs the cases of a suite that have this text in their names, and returns the rows. */
    final List<Map<String, Object>> measure(String suite, String only, String... more) throws IOException {
        return measure(TINY, suite, only, more);
    }

    @SuppressWarnings("unchecked")
    final List<Map<String, Object>> measure(RunLength runLength, String suite, String only, String... more)
            throws IOException {
        Path json = directory.resolve("results.json");
        List<String> args = new ArrayList<>(List.of(suite, "--only", only, "--json", json.toString()));
        args.addAll(List.of(more));
        // Sides that do not do the same fail.
        assertThat(run(runLength, args.toArray(String[]::new))).as(err.toString()).isZero();
        // Not written if there are no rows.
        return Files.exists(json)
                ? JSON.std.listFrom(json.toFile()).stream().map(row -> (Map<String, Object>) row).toList()
                : List.of();
    }

    final String lastLine() {
        return out.toString().lines().toList().getLast();
    }

    final void requirePlot(String name) throws IOException {
        BufferedImage image = ImageIO.read(directory.resolve(name).toFile());
        assertThat(image.getWidth()).isGreaterThan(image.getHeight());
    }

    final int run(String... args) {
        return run(TINY, args);
    }

    final int run(RunLength runLength, String... args) {
        return Main.run(runLength, directory, new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
