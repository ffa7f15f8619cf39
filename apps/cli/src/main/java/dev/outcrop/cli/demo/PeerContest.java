package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.demo.PhaseResult.Phase;
import dev.outcrop.cli.demo.SideRun.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The same work by two sides, in turn: store all classes, read them, scan them, and compare every byte.
 *
 * <p>Every round of a side is a new JVM and a new database. The order of the sides changes from round to round, so that the work that one
 * side leaves to the operating system (pages to write, warm caches) affects both sides alike.
 */
final class PeerContest {
    private static final long MIN_CACHE_BYTES = 32_000_000;
    /** On a quiet machine, the rounds of a side differ by less than this factor. */
    private static final double MOST_SPREAD = 1.5;

    private final DemoOutput output;
    private final Side outcrop;
    private final Side peer;
    private final int rounds;
    private final long seed;
    private final double loadBefore;

    /** Takes the load average of the machine before the demo began; negative if it is unknown. */
    PeerContest(DemoOutput output, Side outcrop, Side peer, int rounds, long seed, double loadBefore) {
        this.output = output;
        this.outcrop = outcrop;
        this.peer = peer;
        this.rounds = rounds;
        this.seed = seed;
        this.loadBefore = loadBefore;
    }

    /** Runs all rounds and shows the results. Fails if a byte differs. The databases stay in the directory. */
    void run(JdkClasses classes, Path directory) throws IOException {
        Path input = directory.resolve("classes");
        if (wasBusy()) {
            output.writer().println(busy() + ": there will be no ratios.");
        }
        try (ProgressLine line = ProgressLine.start(output.writer(), "  jrt:/ read classes", classes.size())) {
            classes.writeTo(input, records -> {
                output.check();
                line.at(records);
            });
            line.done(String.format(Locale.ROOT, "%,d records, %,.1f MB", classes.size(), classes.bytes() / 1e6));
        }
        String options = options(classes.bytes());
        List<Map<Phase, PhaseResult>> ours = new ArrayList<>();
        List<Map<Phase, PhaseResult>> peers = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            boolean isPeerFirst = round % 2 == 0;
            if (isPeerFirst) {
                peers.add(runSide(peer, round, directory, input, options));
            }
            ours.add(runSide(outcrop, round, directory, input, options));
            if (!isPeerFirst) {
                peers.add(runSide(peer, round, directory, input, options));
            }
        }
        Map<Phase, PhaseResult> oursMedian = median(ours);
        Map<Phase, PhaseResult> peersMedian = median(peers);
        Map<Phase, Double> spreads = spreads(ours, peers);
        Set<Phase> steady = EnumSet.allOf(Phase.class);
        steady.removeIf(phase -> wasBusy() || spreads.getOrDefault(phase, 1.0) > MOST_SPREAD);
        output.writer().printf(Locale.ROOT, "%n%s%n%n", PhaseResult.table(oursMedian, peersMedian, steady));
        explain(oursMedian, peersMedian, options);
        explainRatios(steady, spreads);
    }

    private Map<Phase, PhaseResult> runSide(Side side, int round, Path directory, Path input, String options)
            throws IOException {
        output.check();
        Path database = directory.resolve(side.name());
        Directories.delete(database);
        try {
            String title = rounds == 1 ? side.name() + " " : side.name() + " " + round + "/" + rounds + " ";
            return new SideRun(side, "  " + title, output.writer()).run(database, input, seed, options);
        } finally {
            Directories.delete(database.resolveSibling(database.getFileName() + Side.WARM_UP_SUFFIX));
        }
    }

    private static Map<Phase, PhaseResult> median(List<Map<Phase, PhaseResult>> rounds) {
        Map<Phase, PhaseResult> medians = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            medians.put(phase, PhaseResult.median(rounds.stream().map(round -> round.get(phase)).toList()));
        }
        return medians;
    }

    private static Map<Phase, Double> spreads(List<Map<Phase, PhaseResult>> ours, List<Map<Phase, PhaseResult>> peers) {
        Map<Phase, Double> spreads = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            spreads.put(phase, Stream.of(ours, peers)
                    .mapToDouble(side -> PhaseResult.spread(side.stream().map(round -> round.get(phase)).toList()))
                    .max().orElseThrow());
        }
        return spreads;
    }

    /** Returns the options of both databases: RocksDB's defaults, and a block cache that holds everything. */
    private static String options(long bytes) {
        return "create_if_missing=true;error_if_exists=true;block_based_table_factory={block_cache="
                + Math.max(MIN_CACHE_BYTES, 2 * bytes) + "}";
    }

    private void explain(Map<Phase, PhaseResult> ours, Map<Phase, PhaseResult> peers, String options) {
        output.writer().printf(Locale.ROOT,
                """
                        Timed: each call until its bytes may be read, and their release. Comparing is not timed; with it, all
                        phases of outcrop took %.2f s, and those of rocksdbjni %.2f s. Seconds are the median of the rounds (%d),
                        latencies are of all rounds.
                        rocksdbjni copies into direct ByteBuffers, outcrop pins. Both ran alone, in JVMs of their own, with the
                        same flags (%s), warm-up and options. This is a demo; './outcrop bench' measures.
                        """,
                elapsed(ours.values()), elapsed(peers.values()), rounds, String.join(" ", SideRun.JVM_FLAGS));
        output.writer().printf(Locale.ROOT, "Options: %s%n", options);
    }

    /** Explains why some phases have no ratio: people would believe a ratio even if other programs have changed the times. */
    private void explainRatios(Set<Phase> steady, Map<Phase, Double> spreads) {
        if (!steady.isEmpty()) {
            output.writer().println("Ratio: seconds of rocksdbjni / seconds of outcrop.");
        }
        if (wasBusy()) {
            output.writer().println("No ratios. " + busy() + ".");
            return;
        }
        spreads.forEach((phase, spread) -> {
            if (!steady.contains(phase)) {
                output.writer().printf(Locale.ROOT, "No ratio of '%s': one round took %.1f times as long as another of "
                        + "the same side, as on a busy machine (limit: %.1f).%n", phase.title(), spread, MOST_SPREAD);
            }
        });
    }

    private boolean wasBusy() {
        return loadBefore > mostLoad();
    }

    private static double mostLoad() {
        return Runtime.getRuntime().availableProcessors() / 2.0;
    }

    private String busy() {
        return String.format(Locale.ROOT, "Other programs were busy before the demo (load average %.1f, limit: %.1f)",
                loadBefore, mostLoad());
    }

    private static double elapsed(Collection<PhaseResult> results) {
        return results.stream().mapToLong(PhaseResult::elapsedNanos).sum() / 1e9;
    }
}
