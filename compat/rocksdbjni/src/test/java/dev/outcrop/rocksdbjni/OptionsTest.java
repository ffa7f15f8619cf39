package dev.outcrop.rocksdbjni;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every option has the published default, keeps what it is set to, and is copied; seen from a JVM that runs the published jar. */
@Tag("verify")
class OptionsTest extends DatabaseTest {
    private static final String UNSUPPORTED = "throws java.lang.UnsupportedOperationException: org.rocksdb.";

    /** Lines that differ on purpose, with why. */
    private static final Map<String, String> DIFFERENT = Map.of(
            "setFormatVersion(-1)",
            "the published setter only asserts that it is not negative; RocksDB refuses it when opening",
            "setBlobCompressionType(DISABLE_COMPRESSION_OPTION)",
            "the published getter throws ArrayIndexOutOfBoundsException");

    @Test
    void everyOptionBehavesAsThePublishedOne() throws Exception {
        Map<String, String> published = PublishedJvm.run(OptionsReport.class, directory);
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
}
