package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures several sides against each other on a machine that drifts. Each side is started once a round. The order is shuffled for every
 * two rounds, and the second of them goes backwards (ours, peer, peer, ours), so that a slow minute meets all sides alike.
 */
public final class ProcessComparison {
    private final Map<String, BenchmarkProcess> processes = new LinkedHashMap<>();
    private final long seed;

    /** Creates a comparison without sides. The seed decides their order, and what is random in their processes. */
    public ProcessComparison(long seed) {
        this.seed = seed;
    }

    /** Adds a side under the name that the results have for it. */
    public ProcessComparison add(String name, BenchmarkProcess process) {
        if (processes.putIfAbsent(name, process) != null) {
            throw new IllegalArgumentException("Two sides are called '" + name + "'");
        }
        return this;
    }

    /** Runs the rounds and returns the results of all sides. */
    public Results run(int rounds) {
        Map<String, List<ProcessOutput>> starts = new LinkedHashMap<>();
        processes.keySet().forEach(name -> starts.put(name, new ArrayList<>()));
        List<Map.Entry<String, BenchmarkProcess>> sides = new ArrayList<>(processes.entrySet());
        Random random = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            if (round % 2 == 0) {
                Collections.shuffle(sides, random);
            } else {
                Collections.reverse(sides);
            }
            for (Map.Entry<String, BenchmarkProcess> side : sides) {
                starts.getOrDefault(side.getKey(), new ArrayList<>()).add(side.getValue().start(seed + round));
            }
        }
        Map<String, Figures> results = new LinkedHashMap<>();
        starts.forEach((name, all) -> results.put(name, new Figures(all)));
        return new Results(results);
    }
}
