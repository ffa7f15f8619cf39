package dev.outcrop.cli.demo;

import dev.outcrop.cli.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of the demo: reads the input, lets the sides work in turn and says how it went.
 *
 * <p>Every round of a side is a fresh JVM and a fresh database. The order of the sides changes from round to round, so
 * that what one of them leaves to the operating system (pages to write, warm caches) meets both alike.
 */
final class DemoRun {
    /** Room for what the file system and the engine need beside the data. */
    private static final long SLACK_BYTES = 64_000_000;

    private static final long MIN_CACHE_BYTES = 32_000_000;

    private final PrintStream out;
    private final Side outcrop;
    private final @Nullable Side peer;
    private final int rounds;
    private final long seed;
    /** What the machine was doing before; negative where nobody knows. */
    private final double loadBefore = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();

    DemoRun(PrintStream out, Side outcrop, @Nullable Side peer, int rounds, long seed) {
        this.out = out;
        this.outcrop = outcrop;
        this.peer = peer;
        this.rounds = rounds;
        this.seed = seed;
    }

    /**
     * Runs the demo.
     *
     * @param target the demo's directory
     * @param keep whether to delete nothing: neither earlier runs nor the peer's database
     * @param limit how many classes at most
     * @throws Failure if one byte differs or anything else goes wrong; the databases are left as they are
     */
    void run(Path target, boolean keep, int limit) {
        JdkClasses classes = JdkClasses.list(limit);
        try (DemoDirectory directory = DemoDirectory.claim(target)) {
            Path run = directory.newRun(keep);
            // The copy of the classes, the log and the tables of one side, and what stays of the other.
            long space = 4 * classes.bytes() + SLACK_BYTES;
            directory.requireSpace(space);
            out.printf(Locale.ROOT, "%,d classes of Java %s; needs up to %,d MB in %s%n", classes.files().size(),
                    Runtime.version(), space / 1_000_000, run);
            Path input = run.resolve("classes");
            copy(classes, input);
            runRounds(run, input, options(classes.bytes()));
            DemoDirectory.delete(input);
            if (peer != null && !keep) {
                DemoDirectory.delete(run.resolve(peer.name()));
            }
            Path database = run.resolve(outcrop.name());
            out.printf(Locale.ROOT, "Every byte that was read is the byte that was stored.%n");
            out.printf(Locale.ROOT, "The database stays in %s (%,.1f MB)%s%n", database,
                    DemoDirectory.size(database) / 1e6,
                    keep ? "." : " until the next run; --keep keeps it for good.");
        } catch (IOException e) {
            throw Failure.of("cannot finish the demo", e);
        }
    }

    private void copy(JdkClasses classes, Path input) {
        int count = classes.files().size();
        try (ProgressLine line = ProgressLine.start(out, "jrt:/ read classes", count)) {
            classes.writeTo(input, line);
            line.done(String.format(Locale.ROOT, "%,d records, %,.1f MB", count, classes.bytes() / 1e6));
        }
    }

    private void runRounds(Path run, Path input, String options) throws IOException {
        List<Map<Phase, PhaseResult>> ours = new ArrayList<>();
        List<Map<Phase, PhaseResult>> peers = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            boolean peerFirst = round % 2 == 0;
            if (peer != null && peerFirst) {
                peers.add(runSide(peer, round, run, input, options));
            }
            ours.add(runSide(outcrop, round, run, input, options));
            if (peer != null && !peerFirst) {
                peers.add(runSide(peer, round, run, input, options));
            }
        }
        Map<Phase, PhaseResult> oursMedian = median(ours);
        Map<Phase, PhaseResult> peersMedian = peer == null ? null : median(peers);
        out.printf(Locale.ROOT, "%n%s%n%n", ResultTable.of(oursMedian, peersMedian));
        explain(oursMedian, peersMedian, options);
    }

    private Map<Phase, PhaseResult> runSide(Side side, int round, Path run, Path input, String options)
            throws IOException {
        Path database = run.resolve(side.name());
        DemoDirectory.delete(database);
        try {
            String title = rounds == 1 ? side.name() + " " : side.name() + " " + round + "/" + rounds + " ";
            return new SideRun(side, title, out).run(database, input, seed, options);
        } finally {
            DemoDirectory.delete(database.resolveSibling(database.getFileName() + OutcropDemo.WARM_UP_SUFFIX));
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

    private void explain(Map<Phase, PhaseResult> ours, @Nullable Map<Phase, PhaseResult> peers, String options) {
        out.printf(Locale.ROOT, """
                Timed: each call until its bytes may be read, and their release. Comparing is not timed; with it, all
                phases of outcrop took %.2f s. Seconds are the median of the rounds (%d), latencies are of all rounds.
                """, elapsed(ours.values()), rounds);
        if (peers != null) {
            out.printf(Locale.ROOT, """
                    Ratio: seconds of rocksdbjni / seconds of outcrop. With comparing, rocksdbjni took %.2f s.
                    It copies into direct ByteBuffers, outcrop pins. Both ran alone, in JVMs of their own, with the
                    same flags (%s), warm-up and options. This is a demo; './outcrop bench' measures.
                    """, elapsed(peers.values()), String.join(" ", SideRun.JVM_FLAGS));
        }
        if (loadBefore > Runtime.getRuntime().availableProcessors() / 2.0) {
            out.printf(Locale.ROOT, "Other programs were busy (load average %.1f): do not trust the times.%n",
                    loadBefore);
        }
        out.printf(Locale.ROOT, "Options: %s%nRandom orders: --seed %d%n%n", options, seed);
    }

    private static double elapsed(Collection<PhaseResult> results) {
        return results.stream().mapToLong(PhaseResult::elapsedNanos).sum() / 1e9;
    }
}
