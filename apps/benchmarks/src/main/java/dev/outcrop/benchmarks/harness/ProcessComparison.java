package dev.outcrop.benchmarks.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Measures several sides against each other on a machine with varying speed. Each side is started once in each round. The order is shuffled
 * for every two rounds, and the second round goes backwards (ours, peer, peer, ours), so that a slow minute affects all sides alike.
 */
public final class ProcessComparison {
    private final Map<String, BenchmarkProcess> processes = new LinkedHashMap<>();
    private final long seed;

    /** Creates a comparison without sides. The seed decides the order of the sides, and everything random in their processes. */
    public ProcessComparison(long seed) {
        this.seed = seed;
    }

    /** Adds a side under its name in the results. */
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
