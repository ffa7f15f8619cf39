package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Measures several probes against each other on a machine that drifts: all of them are started once a round, and every
 * second round goes through them backwards (ours, peer, peer, ours), so that a slow minute meets all sides alike.
 */
public final class Contest {
    private final SequencedMap<String, Probe> probes = new LinkedHashMap<>();

    /** Starts with nobody in it. */
    public Contest() {
    }

    /**
     * Adds a side.
     *
     * @param name  how {@link Results} calls it
     * @param probe measures it
     * @return this
     */
    public Contest add(String name, Probe probe) {
        if (probes.putIfAbsent(name, probe) != null) {
            throw new IllegalArgumentException("Two sides are called '" + name + "'");
        }
        return this;
    }

    /**
     * Runs the rounds.
     *
     * @param rounds how many
     * @return the result of every side
     * @throws BenchmarkException if a side fails
     */
    public Results run(int rounds) {
        Map<String, List<Sample>> samples = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            SequencedMap<String, Probe> order = round % 2 == 0 ? probes : probes.reversed();
            order.forEach(
                    (name, probe) -> samples.computeIfAbsent(name, key -> new ArrayList<>()).add(probe.measure()));
        }
        Map<String, Measurement> results = new LinkedHashMap<>();
        samples.forEach((name, taken) -> results.put(name, Measurement.of(taken)));
        return new Results(results);
    }
}
