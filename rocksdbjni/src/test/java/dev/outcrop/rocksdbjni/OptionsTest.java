package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every option has the published default, keeps what it is set to, and is copied; seen from a JVM that runs the published jar. */
class OptionsTest {

    private static final String UNSUPPORTED = "throws java.lang.UnsupportedOperationException: org.rocksdb.";

    /** Lines that differ on purpose, with why. */
    private static final Map<String, String> DIFFERENT = Map.of(
            "setFormatVersion(-1)",
            "the published setter only asserts that it is not negative; RocksDB refuses it when opening",
            "setBlobCompressionType(DISABLE_COMPRESSION_OPTION)",
            "the published getter throws ArrayIndexOutOfBoundsException");

    @TempDir
    Path directory;

    @Test
    void everyOptionBehavesAsThePublishedOne() throws Exception {
        Map<String, String> published = published();
        assertThat(published).hasSizeGreaterThan(5_000);
        Map<String, String> ours = OptionsReport.report();
        Map<String, String> wrong = new TreeMap<>();
        int compared = 0;
        for (Map.Entry<String, String> line : published.entrySet()) {
            String own = ours.getOrDefault(line.getKey(), "nothing");
            if (isSupported(ours, line.getKey())) {
                compared++;
                if (!own.equals(line.getValue())) {
                    wrong.put(line.getKey(), "published " + line.getValue() + ", here " + own);
                }
            }
        }
        ours.forEach((key, value) -> {
            if (!published.containsKey(key) && isSupported(ours, key)) {
                wrong.put(key, "published nothing, here " + value);
            }
        });
        for (String call : DIFFERENT.keySet()) {
            assertThat(wrong.keySet().removeIf(key -> key.contains(call))).as(call).isTrue();
        }
        assertThat(wrong).isEmpty();
        assertThat(compared).isGreaterThan(5_000);
    }

    /** Whether the class, the setter and the getter of a line work here; docs/org-rocksdb-coverage.md lists what does not. */
    private static boolean isSupported(Map<String, String> ours, String key) {
        String plain = key.replaceFirst("^copy of ", "");
        String type = plain.substring(0, plain.indexOf(plain.contains("()") ? "()" : "."));
        String getter = type + "()" + plain.substring(Math.max(0, plain.lastIndexOf('.')));
        String setter = plain.contains(")") ? plain.substring(0, plain.lastIndexOf(')') + 1) : plain;
        return !refused(ours, key) && !refused(ours, type + "()") && !refused(ours, getter) && !refused(ours, setter);
    }

    private static boolean refused(Map<String, String> ours, String key) {
        return ours.getOrDefault(key, "").startsWith(UNSUPPORTED);
    }

    private Map<String, String> published() throws IOException, InterruptedException {
        Path report = directory.resolve("report.tsv");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea",
                "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + directory, "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("published.jar") + ":"
                        + Path.of(OptionsReport.class.getProtectionDomain().getCodeSource()
                                .getLocation().getPath()),
                OptionsReport.class.getName()).redirectOutput(report.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertThat(process.waitFor()).isZero();
        Map<String, String> lines = new TreeMap<>();
        try (BufferedReader reader = Files.newBufferedReader(report, StandardCharsets.UTF_8)) {
            List<String> all = reader.lines().toList();
            all.forEach(
                    line -> lines.put(line.substring(0, line.indexOf('\t')), line.substring(line.indexOf('\t') + 1)));
        }
        return lines;
    }
}
