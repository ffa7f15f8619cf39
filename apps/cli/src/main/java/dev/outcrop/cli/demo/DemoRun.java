package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Terminal;
import dev.outcrop.cli.demo.Proof.Difference;
import dev.outcrop.cli.demo.WorkerRun.Step;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One run of the demo. All class files go through a queue and a pipeline into a database, with two kills. A proof shows that no class file
 * was lost, doubled or changed. Then Outcrop and the peer do the same work.
 */
final class DemoRun {
    /** Room that the file system and the engines need besides the data. */
    private static final long SLACK_BYTES = 256_000_000;
    private static final String QUEUE = "queue";
    private static final String DATABASE = "database";

    private final DemoOutput output;
    private final Class<?> append;
    private final Class<?> pipeline;
    private final @Nullable PeerContest contest;
    private final long seed;

    /**
     * Takes the program that appends and the program that writes to the database. Without a contest there is no peer. The seed decides
     * where the run kills the programs.
     */
    DemoRun(DemoOutput output, Class<?> append, Class<?> pipeline, @Nullable PeerContest contest, long seed) {
        this.output = output;
        this.append = append;
        this.pipeline = pipeline;
        this.contest = contest;
        this.seed = seed;
    }

    /**
     * Runs the demo in its directory, with at most {@code limit} classes.
     *
     * @throws Failure if a byte differs, in which case all files stay; or if anything else goes wrong
     */
    void run(Path target, boolean keep, int limit) {
        JdkClasses classes = JdkClasses.list(limit);
        output.check();
        try (DemoDirectory directory = DemoDirectory.claim(target)) {
            Path run = directory.newRun(keep);
            // Room for the queue, the log and the tables of a database; later for the classes, and the databases of two sides.
            long space = 4 * classes.bytes() + SLACK_BYTES;
            directory.requireSpace(space);
            output.writer().printf(Locale.ROOT,
                    "%,d class files of Java %s, %,.1f MB, go through a durable queue into RocksDB.%n",
                    classes.size(), Runtime.version(), classes.bytes() / 1e6);
            output.writer().printf(Locale.ROOT, "In %s, with up to %,d MB.%n", run, space / 1_000_000);
            try {
                runParts(classes, run, keep);
            } catch (Difference e) {
                directory.keepLast();
                throw new Failure("DATA DIFFERS: " + e.getMessage() + "; everything is kept in " + run);
            }
            output.writer().printf(Locale.ROOT, "%nTo repeat the kills and orders: --seed %d. %s%n%n", seed,
                    keep ? "Everything is kept in " + run + "." : "No file is left behind.");
            sayWhatWasProved(classes);
        } catch (IOException e) {
            throw Failure.of("cannot finish the demo", e);
        }
    }

    private void runParts(JdkClasses classes, Path run, boolean keep) throws IOException {
        sendEachOnce(classes, run.resolve(QUEUE), run.resolve(DATABASE));
        if (!keep) {
            Directories.delete(run.resolve(QUEUE));
            Directories.delete(run.resolve(DATABASE));
        }
        if (contest != null) {
            output.part(4, "The same class files beside rocksdbjni: stored, read and compared by each.");
            contest.run(classes, run);
        }
    }

    private void sendEachOnce(JdkClasses classes, Path queue, Path database) {
        Random random = new Random(seed);
        output.part(1, "A program appends each class file to a queue. It is killed half-way, and started again.");
        WorkerRun.runAndKill(output.writer(), classes,
                new Step(append, List.of(queue.toString(), Integer.toString(classes.size())), "appended", "the queue"),
                halfWay(classes, random));
        output.check();
        output.part(2, "A pipeline writes the records to RocksDB. It is killed half-way, and started again.");
        WorkerRun.runAndKill(output.writer(), classes,
                new Step(pipeline, List.of(queue.toString(), database.toString()), "wrote", "the database"),
                halfWay(classes, random));
        output.check();
        output.part(3, "The proof: everything is read once more, and compared with the JDK.");
        new Proof(output, classes).of(queue, database);
    }

    private void sayWhatWasProved(JdkClasses classes) {
        PrintWriter out = output.writer();
        out.println(Terminal.styled("bold,green", "Proved: every class file arrived exactly once and intact."));
        ProgressLine.print(out, "  killed", "the program that appends and the one that writes, with kill -9, half-way");
        ProgressLine.print(out, "  none lost", String.format(Locale.ROOT,
                "the database has the keys of all %,d class files, and no others", classes.size()));
        ProgressLine.print(out, "  none doubled", String.format(Locale.ROOT,
                "the effect of each is there once: %,d counters stand at 1", classes.size()));
        ProgressLine.print(out, "  none changed", String.format(Locale.ROOT,
                "each of %,d bytes is the JDK's, and the queue's checksums are sound", classes.bytes()));
    }

    /** Returns a random record between two and three fifths of the way. */
    private static int halfWay(JdkClasses classes, Random random) {
        return Math.toIntExact(Math.round(classes.size() * (0.4 + 0.2 * random.nextDouble())));
    }
}
