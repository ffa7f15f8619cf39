package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.outcrop.benchmarks.harness.Effort;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several at a time: what is measured is not looked at, and starting processes is most of the work. */
@Execution(ExecutionMode.CONCURRENT)
class MainTest {
    private static final Effort TINY = new Effort(true, 1, 1, 1, Duration.ofMillis(5), 1 << 20);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir(factory = OnDisk.class)
    private Path directory;

    /** Other temporary directories may be in memory, where nothing can be written durably. */
    private static final class OnDisk implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "work").toAbsolutePath()),
                    "test");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            puts         | There is no suite 'puts'. The suites are: calls, paired, comparator, merge, dropin, pins, queue, pipeline, jruby
            --quicker    | Unknown option: '--quicker'
            --json       | Missing required parameter for option '--json' (FILE)
            --plots=/no  | Cannot draw into /no: it is no directory or not writable
            --json=/no/f | Cannot write the results to /no/f: its directory does not exist or is not writable
            """)
    void wrongArgumentsGetOneLineAndCode2(String argument, String message) {
        assertThat(run(argument)).isEqualTo(2);
        assertThat(err.toString().lines())
                .containsExactly("outcrop: " + message + " (see './outcrop bench --help')");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void helpNamesTheSuites() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("calls", "paired", "comparator", "merge", "dropin", "pins", "queue",
                "pipeline",
                "jruby",
                "--quick", "--json", "--plots", "--seed");
    }

    @Test
    void measuresACallAndWritesJson() throws IOException {
        Path json = directory.resolve("calls.json");

        assertThat(run("calls", "--only", "no-op call, plain, platform", "--json", json.toString())).as(err.toString())
                .isZero();

        assertThat(out.toString().lines().toList().getLast()).matches("geomean ratio to JDK: \\d+\\.\\d\\d");
        List<Map<String, Object>> rows = rows(json);
        assertThat(rows).hasSize(1);
        requireSane(rows.getFirst());
        assertThat(rows.getFirst()).containsEntry("suite", "calls").containsEntry("case", "no-op call, plain")
                .containsEntry("params", Map.of("thread", "platform")).containsEntry("peerName", "JDK Linker");
    }

    @Test
    void measuresReadsOfOneValueAndDrawsThem() throws IOException {
        Path json = directory.resolve("points.json");

        // Sides that do not read the same fail.
        assertThat(run("paired", "--only", "random keys of 16 B, 64 KB", "--json", json.toString(), "--seed", "7",
                "--plots", directory.toString())).as(err.toString()).isZero();

        assertThat(out.toString().lines().toList().getLast()).matches("geomean ratio to rocksdbjni: \\d+\\.\\d\\d");
        assertThat(out.toString()).contains("--seed 7");
        List<Map<String, Object>> rows = rows(json);
        assertThat(rows).extracting(row -> row.get("subject")).containsExactly("byte[]", "preallocated byte[]",
                "direct buffer", "segment", "pinned", "pinned callback", "hybrid", "segment, touched",
                "pinned, touched", "hybrid, touched", "pinned vs segment", "pinned vs segment, touched",
                "hybrid vs best half");
        assertThat(rows).allSatisfy(MainTest::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("case", "random keys of 16 B").containsEntry("params",
                        Map.of("valueBytes", 65_536, "keyBytes", 16, "keys", 200, "threads", 1, "families", 0)));
        assertThat(rows.getFirst()).containsEntry("peerName", "rocksdbjni byte[]");
        assertThat(number(rows.getFirst(), "bytesPerOp")).isGreaterThan(65_536);
        assertThat(rows.get(10)).containsEntry("peerName", "outcrop segment");
        BufferedImage image = ImageIO.read(directory.resolve("paired-crossover.png").toFile());
        assertThat(image.getWidth()).isGreaterThan(image.getHeight());
    }

    @ParameterizedTest
    @ValueSource(strings = {"fresh key", "hot key", "random keys of 128 B", "2 threads, 1 KB"})
    void measuresReadsOfOneValue(String only) throws IOException {
        Path json = directory.resolve("points.json");

        assertThat(run("paired", "--only", only, "--json", json.toString())).as(err.toString()).isZero();

        assertThat(rows(json)).hasSize(13).allSatisfy(MainTest::requireSane);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            full scan, 16 B                    | full scan                          | callback; iterator, copying; iterator, segments
            range of 100                       | range of 100                       | callback; iterator, copying; iterator, segments
            100 keys of the default            | 100 keys of the default family     | pinned; slab; list; pinned; slab; list
            put, WAL off, 2 threads            | put, WAL off                       | byte[]; segment
            batch of 1,000, build + write, WAL off, 100 B | batch of 1,000, build + write, WAL off | byte[]; segment
            """)
    void measuresInOneProcess(String only, String name, String subjects) throws IOException {
        Path json = directory.resolve("paired.json");

        // Sides that do not read the same fail.
        assertThat(run("paired", "--only", only, "--json", json.toString())).as(err.toString()).isZero();

        List<Map<String, Object>> rows = rows(json);
        assertThat(rows.stream().map(row -> String.valueOf(row.get("subject"))).collect(Collectors.joining("; ")))
                .isEqualTo(subjects);
        assertThat(rows).allSatisfy(MainTest::requireSane).allSatisfy(row -> assertThat(row)
                .containsEntry("suite", "paired").containsEntry("case", name).containsEntry("unit", "ns/op"));
        assertThat(rows).allSatisfy(row -> assertThat((String) row.get("peerName")).startsWith("rocksdbjni "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            reverse scan                       | reverse scan                       | callback; iterator, copying; iterator, segments
            seek only                          | seek only                          | segment
            random ones of 20                  | 100 keys of random ones of 20 families | pinned; slab; list
            put, WAL off, 100 B                | put, WAL off                       | byte[]; segment
            batch of 10, build + write, WAL off, 2 threads | batch of 10, build + write, WAL off | byte[]; segment
            batch of 1,000, build, 100 B       | batch of 1,000, build              | byte[]; segment
            """)
    @EnabledIfSystemProperty(named = "outcrop.long", matches = "true")
    void measuresMoreInOneProcess(String only, String name, String subjects) throws IOException {
        measuresInOneProcess(only, name, subjects);
    }

    @ParameterizedTest
    @ValueSource(strings = {"multiGetAsList of 100, 1", "get, comparator in Java", "put, WAL off, 2",
            "Kafka's store: put 100, flush", "Kafka's window store: fetch"})
    void measuresOrgRocksdbOnBothLibraries(String only) throws IOException {
        Path json = directory.resolve("dropin.json");

        // Sides that do not read the same fail.
        assertThat(run("dropin", "--only", only, "--json", json.toString())).as(err.toString()).isZero();

        assertThat(rows(json)).hasSize(1).allSatisfy(MainTest::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("suite", "dropin").containsEntry("subject", "outcrop")
                        .containsEntry("peerName", "rocksdbjni"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"get, 64 KB", "scan, 100 B", "range of 20, n", "put, WAL off, 1", "batch of 10, b",
            "Kafka's store: get", "Kafka's store: restore"})
    @EnabledIfSystemProperty(named = "outcrop.long", matches = "true")
    void measuresMoreOfOrgRocksdb(String only) throws IOException {
        measuresOrgRocksdbOnBothLibraries(only);
    }

    @Test
    void measuresAPipelineOnTheRealEngine() throws IOException {
        Path json = directory.resolve("pipeline.json");

        // Sides that do not write all records fail.
        assertThat(run("pipeline", "--only", "ingest, 1 KB", "--json", json.toString())).as(err.toString()).isZero();

        assertThat(rows(json)).hasSize(1).allSatisfy(MainTest::requireSane)
                .allSatisfy(
                        row -> assertThat(row).containsEntry("suite", "pipeline").containsEntry("subject", "pipeline")
                                .containsEntry("peerName", "Chronicle, rocksdbjni"));
    }

    @Test
    void measuresAComparatorOnTheRealEngine() throws IOException {
        Path json = directory.resolve("comparator.json");

        assertThat(run("comparator", "--only", "get, 8-byte numbers", "--json", json.toString())).as(err.toString())
                .isZero();

        assertThat(out.toString().lines().toList().getLast()).matches("geomean ratio to rocksdbjni: \\d+\\.\\d\\d");
        List<Map<String, Object>> rows = rows(json);
        assertThat(rows).hasSize(1).allSatisfy(MainTest::requireSane);
        assertThat(rows.getFirst()).containsEntry("suite", "comparator").containsEntry("case", "get")
                .containsEntry("params", Map.of("keyBytes", 8, "valueBytes", 16, "keys", 100_000, "threads", 1));
        assertThat((String) rows.getFirst().get("peerName")).startsWith("rocksdbjni ").contains("direct buffers");
    }

    @Test
    void measuresMergesOnTheRealEngine() throws IOException {
        Path json = directory.resolve("merge.json");

        assertThat(run("merge", "--only", "increment, then", "--json", json.toString())).as(err.toString()).isZero();

        List<Map<String, Object>> rows = rows(json);
        assertThat(rows).hasSize(2).allSatisfy(MainTest::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("case", "increment, then compact")
                        .containsEntry("subject", "Java operator"));
        assertThat((String) rows.getFirst().get("peerName")).startsWith("rocksdbjni get + put");
        // A reference, not the peer: the geometric mean is that of the other row.
        assertThat(rows.getLast()).containsEntry("peerName", "C++ operator, by rocksdbjni");
        assertThat(out.toString().lines().toList().getLast()).isEqualTo(
                String.format(Locale.ROOT, "geomean ratio to rocksdbjni: %.2f", number(rows.getFirst(), "ratio")));
    }

    @Test
    void measuresReadsBesidePinsAndDrawsThem() throws IOException {
        Path json = directory.resolve("pins.json");

        assertThat(run("pins", "--only", "80 KB", "--json", json.toString(), "--plots", directory.toString()))
                .as(err.toString()).isZero();

        assertThat(out.toString().lines().toList().getLast()).matches("geomean ratio to no budget: \\d+\\.\\d\\d");
        List<Map<String, Object>> rows = rows(json);
        assertThat(rows).hasSize(2).allSatisfy(MainTest::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("case", "80 KB pinned").containsEntry("limit", null)
                        .containsEntry("params", Map.of("cacheBytes", 262_144, "pinnedBytes", 81_920, "heldMillis", 0,
                                "readBytes", 393_216, "valueBytes", 4096, "threads", 2)));
        assertThat(rows).extracting(row -> row.get("unit")).containsExactly("ns/op", "misses/100 op");
        assertThat(number(rows.getLast(), "ours")).isBetween(1.0, 100.0);
        for (String plot : List.of("pins-hits.png", "pins-time.png")) {
            BufferedImage image = ImageIO.read(directory.resolve(plot).toFile());
            assertThat(image.getWidth()).isGreaterThan(image.getHeight());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            append, 64 B, prepared | append | 64   | 1 | 0 | 16384 | prepared
            append, 1 KB, cold     | append | 1024 | 1 | 0 | 1024  | cold
            """)
    void measuresAppends(String only, String name, int payloadBytes, int producers, int groups, int records,
            String pages) throws IOException {
        List<Map<String, Object>> rows = measureQueue(new Effort(false, 1, 1, 1, Duration.ofMillis(5), 1 << 20), only);

        requireRowsOfFlow(rows, pages.equals("prepared"));
        assertThat(rows).allSatisfy(row -> assertThat(row).containsEntry("case", name)
                .containsEntry("subject", "segment")
                .containsEntry("params", Map.of("payloadBytes", payloadBytes, "pages", pages, "producers", producers,
                        "groups", groups, "records", records)));
        assertThat(String.valueOf(rows.getFirst().get("peerName"))).isIn("Chronicle writeBytes",
                "Chronicle writingDocument");
        assertThat(out.toString().lines().toList().getLast()).matches("geomean ratio to Chronicle: \\d+\\.\\d\\d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tail, 16 KB, prepared", "2P2C, 64 B, cold"})
    void measuresWhatReadersAreGiven(String only) throws IOException {
        List<Map<String, Object>> rows = measureQueue(new Effort(false, 1, 1, 1, Duration.ofMillis(5), 1 << 20), only);

        // The programs fail if they are not given exactly what was appended.
        boolean isPrepared = only.endsWith("prepared");
        int verifying = isPrepared ? 4 : 3;
        requireRowsOfFlow(rows.subList(0, verifying), isPrepared);
        assertThat(rows.subList(verifying, rows.size())).as("with each record verified")
                .allSatisfy(MainTest::requireSane).extracting(row -> row.get("unit"))
                .containsExactly("ns/op", "CPU ns/op");
        assertThat(rows.getFirst()).containsEntry("peerName", "Chronicle writeBytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tail, 64 B, cold", "1P1C, 1 KB, prepared", "2P2C, 16 KB, prepared"})
    @EnabledIfSystemProperty(named = "outcrop.long", matches = "true")
    void measuresMoreOfWhatReadersAreGiven(String only) throws IOException {
        measuresWhatReadersAreGiven(only);
    }

    /** Of a flow: time against Chronicle, with what C takes without a checksum; against C with one; against Java, if prepared; CPU time. */
    private void requireRowsOfFlow(List<Map<String, Object>> rows, boolean isPrepared) {
        assumeThat(out.toString()).as("a C compiler").doesNotContain("no limit");
        String chronicle = String.valueOf(rows.getFirst().get("peerName"));
        assertThat(chronicle).startsWith("Chronicle");
        assertThat(rows).allSatisfy(MainTest::requireSane).extracting(row -> row.get("peerName"))
                .containsExactlyElementsOf(isPrepared
                        ? List.of(chronicle, "C, checked", "Java without a queue", chronicle)
                        : List.of(chronicle, "C, checked", chronicle));
        assertThat(rows.subList(0, rows.size() - 1))
                .allSatisfy(row -> assertThat(row).containsEntry("unit", "ns/op"));
        assertThat(rows.getLast()).containsEntry("unit", "CPU ns/op");
        assertThat(number(rows.getFirst(), "limit")).isPositive();
        assertThat(rows.subList(1, rows.size())).allSatisfy(row -> assertThat(row).containsEntry("limit", null));
    }

    @Test
    void measuresDurableAppends() throws IOException {
        List<Map<String, Object>> rows = measureQueue(TINY, "durable append, 1 KB, 8 platform threads");

        assertThat(rows).allSatisfy(MainTest::requireSane)
                .extracting(row -> row.get("unit") + ": " + row.get("peerName"))
                .startsWith("ns/op: Chronicle writeBytes + sync", "ns, p50: Chronicle writeBytes + sync",
                        "ns, p99: Chronicle writeBytes + sync", "ns, p99.9: Chronicle writeBytes + sync");
        // Nobody's disk takes less than that, unless it lies.
        assertThat(number(rows.get(1), "ours")).isGreaterThan(1000);
        assertThat(number(rows.get(1), "peer")).isGreaterThan(1000);
    }

    @Test
    void measuresLatenciesAndDrawsThem() throws IOException {
        Path json = directory.resolve("queue.json");

        assertThat(run("queue", "--only", "a second", "--json", json.toString(), "--plots", directory.toString()))
                .as(err.toString()).isZero();

        List<Map<String, Object>> rows = rows(json);
        assertThat(rows).allSatisfy(MainTest::requireSane)
                .extracting(row -> row.get("subject") + ": " + row.get("unit"))
                .containsExactly("segment: ns, p50", "segment: ns, p90", "segment: ns, p99", "segment: ns, p99.9",
                        "segment, no background thread: ns, p50", "segment, no background thread: ns, p90",
                        "segment, no background thread: ns, p99", "segment, no background thread: ns, p99.9");
        assertThat(number(rows.getFirst(), "ours")).isLessThanOrEqualTo(number(rows.get(3), "ours"));
        BufferedImage image = ImageIO.read(directory.resolve("queue-latency.png").toFile());
        assertThat(image.getWidth()).isGreaterThan(image.getHeight());
    }

    @Test
    void measuresWhatDepthCosts() throws IOException {
        List<Map<String, Object>> rows = measureQueue(TINY, "depth");

        assertThat(rows).allSatisfy(MainTest::requireSane).extracting(row -> row.get("unit"))
                .containsExactly("bytes of heap", "bytes of heap", "CPU ns to open");
        assertThat(rows).extracting(row -> row.get("params")).containsExactly(
                Map.of("payloadBytes", 64, "records", 1000), Map.of("payloadBytes", 64, "records", 16_384),
                Map.of("payloadBytes", 64, "records", 16_384));
    }

    @Test
    @EnabledIfSystemProperty(named = "outcrop.long", matches = "true")
    void measuresGroupsInRubyAndDrawsThem() throws IOException {
        List<Map<String, Object>> rows = measureRuby("groups", "jruby-groups.png");

        assertThat(out.toString().lines().toList().getLast()).matches("geomean ratio to Ruby's: \\d+\\.\\d\\d");
        assertThat(rows).allSatisfy(MainTest::requireSane).extracting(row -> row.get("params")).containsExactly(
                Map.of("groups", "1"), Map.of("groups", "2"), Map.of("groups", "4"), Map.of("groups", "8"));
    }

    @Test
    @EnabledIfSystemProperty(named = "outcrop.long", matches = "true")
    void measuresHeadAndTailAgainstLru() throws IOException {
        List<Map<String, Object>> rows = measureRuby("head and tail", "jruby-cache.png");

        assertThat(rows).hasSize(3 * 4 * 4).allSatisfy(MainTest::requireSane);
        assertThat(rows.subList(0, 4)).extracting(row -> row.get("subject")).containsExactly("head and tail",
                "LRU of 2", "LRU of 4", "LRU of 16");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @EnabledIfSystemProperty(named = "outcrop.long", matches = "true")
    void everyWaitForASlowDiskTakesLonger() throws IOException {
        List<Map<String, Object>> rows = measureRuby("slow disk", "jruby-seek.png");

        Map<String, Double> slow = rows.stream().filter(row -> Map.of("seek", "10 ms").equals(row.get("params")))
                .collect(Collectors.toMap(row -> (String) row.get("subject"), row -> number(row, "ours")));
        // Never less than was slept: once for a record in a log, and for a page and its metadata.
        assertThat(slow.get("Outcrop::Queue, every_push")).isGreaterThan(10_000_000);
        assertThat(slow.get("Mmap::Queue, forced every push")).isGreaterThan(20_000_000);
        assertThat(slow.get("Mmap::Queue, forced every 100")).isGreaterThan(200_000);
    }

    @Test
    @EnabledIfSystemProperty(named = "outcrop.long", matches = "true")
    void showsWhatAPowerCutLeaves() throws IOException {
        List<Map<String, Object>> rows = measureRuby("order of page and metadata", "jruby-order.png");

        assertThat(rows).allSatisfy(MainTest::requireSane).extracting(row -> row.get("subject")).containsExactly(
                "page, then metadata", "metadata, then page", "both at once, two files", "both at once, one file",
                "only the page");
        String found = "power cut: the start of a page used again; on the disk: ";
        String forced = "forced 1019 of 1019, pushed 0 of 10, torn 0, popped before ";
        assertThat(out.toString()).contains(found + "the page: " + forced + "0",
                found + "the metadata: " + forced + "10",
                "power cut: the start of a new page; on the disk: the metadata: forced 63 of 63, pushed 0 of 10, torn 0, popped before 0");
    }

    private List<Map<String, Object>> measureRuby(String only, String plot) throws IOException {
        Path json = directory.resolve("jruby.json");
        assertThat(run("jruby", "--only", only, "--json", json.toString(), "--plots", directory.toString()))
                .as(err.toString()).isZero();
        assumeThat(out.toString()).as("a C compiler").doesNotContain("not measured");
        BufferedImage image = ImageIO.read(directory.resolve(plot).toFile());
        assertThat(image.getWidth()).isGreaterThan(image.getHeight());
        return rows(json);
    }

    private List<Map<String, Object>> measureQueue(Effort effort, String only) throws IOException {
        Path json = directory.resolve("queue.json");
        assertThat(run(effort, "queue", "--only", only, "--json", json.toString())).as(err.toString()).isZero();
        return rows(json);
    }

    private static void requireSane(Map<String, Object> row) {
        assertThat(number(row, "ours")).isPositive();
        assertThat(number(row, "peer")).isPositive();
        assertThat(number(row, "ratio")).isEqualTo(number(row, "peer") / number(row, "ours"));
    }

    private static double number(Map<String, Object> row, String key) {
        return (Double) Objects.requireNonNull(row.get(key), key);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rows(Path json) throws IOException {
        return JSON.std.listFrom(json.toFile()).stream().map(row -> (Map<String, Object>) row).toList();
    }

    private int run(String... args) {
        return run(TINY, args);
    }

    private int run(Effort effort, String... args) {
        return Main.run(effort, directory, new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
