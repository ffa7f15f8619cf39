package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.demo.Comparison.Difference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One run of the demo: everything once and intact, and then the same work beside the peer. */
final class DemoRun {
    /** Room for what the file system and the engines need beside the data. */
    private static final long SLACK_BYTES = 256_000_000;

    private final Audience audience;
    private final ExactlyOnce exactlyOnce;
    private final @Nullable PeerContest contest;
    private final long seed;

    DemoRun(Audience audience, ExactlyOnce exactlyOnce, @Nullable PeerContest contest,
            long seed) {
        this.audience = audience;
        this.exactlyOnce = exactlyOnce;
        this.contest = contest;
        this.seed = seed;
    }

    /**
     * Runs the demo.
     *
     * @param target the demo's directory
     * @param keep   whether to delete nothing
     * @param limit  how many classes at most
     * @throws Failure if one byte differs, and then everything is left as it is; or if anything else goes wrong
     */
    void run(Path target, boolean keep, int limit) {
        JdkClasses classes = JdkClasses.list(limit);
        audience.check();
        try (DemoDirectory directory = DemoDirectory.claim(target)) {
            Path run = directory.newRun(keep);
            // The queue, the log and the tables of a database; later the classes, and the databases of two sides.
            long space = 4 * classes.bytes() + SLACK_BYTES;
            directory.requireSpace(space);
            audience.out().printf(Locale.ROOT,
                    "%,d class files of Java %s, %,.1f MB, go through a durable queue into RocksDB.%n",
                    classes.size(), Runtime.version(), classes.bytes() / 1e6);
            audience.out().printf(Locale.ROOT, "In %s, with up to %,d MB.%n", run, space / 1_000_000);
            try {
                runParts(classes, run, keep);
            } catch (Difference e) {
                directory.keepLast();
                throw new Failure("DATA DIFFERS: " + e.getMessage() + "; everything is kept in " + run);
            }
            audience.out().printf(Locale.ROOT, "%nTo repeat the kills and orders: --seed %d. %s%n", seed,
                    keep ? "Everything is kept in " + run + "." : "No file is left behind.");
        } catch (IOException e) {
            throw Failure.of("cannot finish the demo", e);
        }
    }

    private void runParts(JdkClasses classes, Path run, boolean keep) throws IOException {
        exactlyOnce.run(classes, run, new Random(seed));
        if (!keep) {
            DemoDirectory.delete(run.resolve(ExactlyOnce.QUEUE));
            DemoDirectory.delete(run.resolve(ExactlyOnce.DATABASE));
        }
        if (contest != null) {
            audience.part(4, "The same class files beside rocksdbjni: stored, read and compared by each.");
            contest.run(classes, run);
        }
    }
}
