package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.demo.PhaseResult.Phase;
import dev.outcrop.cli.demo.SideRun.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The same work by two sides, in turn: store all classes, read them, scan them, and compare every byte.
 *
 * <p>Every round of a side is a fresh JVM and a fresh database. The order of the sides changes from round to round, so
 * that what one of them leaves to the operating system (pages to write, warm caches) meets both alike.
 */
final class PeerContest {
    private static final long MIN_CACHE_BYTES = 32_000_000;

    private final DemoOutput output;
    private final Side outcrop;
    private final Side peer;
    private final int rounds;
    private final long seed;
    private final double loadBefore;

    /** The load average is that of the machine before anything of the demo ran; negative where it is unknown. */
    PeerContest(DemoOutput output, Side outcrop, Side peer, int rounds, long seed, double loadBefore) {
        this.output = output;
        this.outcrop = outcrop;
        this.peer = peer;
        this.rounds = rounds;
        this.seed = seed;
        this.loadBefore = loadBefore;
    }

    /** Runs all rounds and shows the results; fails if one byte differs. The databases stay in the directory. */
    void run(JdkClasses classes, Path directory) throws IOException {
        Path input = directory.resolve("classes");
        sayIfBusy();
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
        output.writer().printf(Locale.ROOT, "%n%s%n%n", PhaseResult.table(oursMedian, peersMedian));
        explain(oursMedian, peersMedian, options);
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

    /** The options of both databases: RocksDB's defaults, and a block cache that holds everything. */
    private static String options(long bytes) {
        return "create_if_missing=true;error_if_exists=true;block_based_table_factory={block_cache="
                + Math.max(MIN_CACHE_BYTES, 2 * bytes) + "}";
    }

    private void explain(Map<Phase, PhaseResult> ours, Map<Phase, PhaseResult> peers, String options) {
        output.writer().printf(Locale.ROOT,
                """
                        Timed: each call until its bytes may be read, and their release. Comparing is not timed; with it, all
                        phases of outcrop took %.2f s, and those of rocksdbjni %.2f s. Seconds are the median of the rounds (%d),
                        latencies are of all rounds. Ratio: seconds of rocksdbjni / seconds of outcrop.
                        rocksdbjni copies into direct ByteBuffers, outcrop pins. Both ran alone, in JVMs of their own, with the
                        same flags (%s), warm-up and options. This is a demo; './outcrop bench' measures.
                        """,
                elapsed(ours.values()), elapsed(peers.values()), rounds, String.join(" ", SideRun.JVM_FLAGS));
        sayIfBusy();
        output.writer().printf(Locale.ROOT, "Options: %s%n", options);
    }

    /** Both where the times are waited for and where they are read. */
    private void sayIfBusy() {
        if (loadBefore > Runtime.getRuntime().availableProcessors() / 2.0) {
            output.writer().printf(Locale.ROOT,
                    "Other programs were busy before (load average %.1f): do not trust the times.%n", loadBefore);
        }
    }

    private static double elapsed(Collection<PhaseResult> results) {
        return results.stream().mapToLong(PhaseResult::elapsedNanos).sum() / 1e9;
    }
}
