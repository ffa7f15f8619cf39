package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Report;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of a report. They must stay the same each time that the report goes on.
 *
 * @param isQuick whether the report is for a first impression
 * @param rounds  how often each side of a case is started; 0 for the usual number
 * @param seed    decides the order of the sides
 * @param only    parts of the names of the cases to run; empty for all cases
 * @param peers   parts of the names of the peers; only suites with such a peer run; empty for all suites
 */
record ReportSettings(boolean isQuick, int rounds, long seed, List<String> only, List<String> peers) {
    ReportSettings {
        only = List.copyOf(only);
        peers = List.copyOf(peers);
    }

    /** Returns whether the report has this suite. */
    boolean wants(Suite suite) {
        return peers.isEmpty() || peers.stream().anyMatch(suite.peer()::contains);
    }

    /** Returns the settings as a JSON object, by the names of the options. */
    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("quick", isQuick);
        object.put("rounds", rounds);
        object.put("seed", seed);
        object.put("only", only);
        object.put("peers", peers);
        return object;
    }

    /** Returns the settings of a JSON object. Fails with a {@link RuntimeException} if the object has no settings. */
    static ReportSettings of(Map<?, ?> object) {
        return new ReportSettings(Report.value(object, "quick", Boolean.class),
                Report.value(object, "rounds", Number.class).intValue(),
                Report.value(object, "seed", Number.class).longValue(), texts(object, "only"), texts(object, "peers"));
    }

    private static List<String> texts(Map<?, ?> object, String name) {
        List<String> texts = new ArrayList<>();
        for (Object each : Report.value(object, name, List.class)) {
            texts.add(String.valueOf(each));
        }
        return texts;
    }

    /** Returns the options that differ, such as {@code "--quick was true and is false"}. */
    List<String> differences(ReportSettings now) {
        Map<String, Object> other = now.json();
        List<String> differences = new ArrayList<>();
        json().forEach((name, value) -> {
            if (!value.equals(other.get(name))) {
                differences.add("--" + name + " was " + value + " and is " + other.get(name));
            }
        });
        return differences;
    }
}
