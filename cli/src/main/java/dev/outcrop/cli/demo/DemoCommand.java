package dev.outcrop.cli.demo;

import dev.outcrop.cli.Installation;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./outcrop demo}: its options. The work is done by {@link DemoRun}. */
@Command(name = "demo", sortOptions = false, description = {
        "Store all classes of the running JDK, read them back, compare every byte, and do the same through rocksdbjni.",
        ""})
public final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--dir", paramLabel = "DIR", description = {
            "Where to write; created if missing, refused if it holds anything that the demo did not write.",
            "Default: target/demo beside ./outcrop, which git ignores and 'mvn clean' deletes."})
    private @Nullable Path directory;

    @Option(names = "--keep", description = {
            "Keep everything: write to a new directory DIR/kept-TIME, leave rocksdbjni's database there as well, "
                    + "and delete nothing of earlier runs.",
            "Without it the database stays in DIR/last until the next run replaces it, and rocksdbjni's is deleted."})
    private boolean keep;

    @Option(names = "--no-peer", description = "Do not run rocksdbjni.")
    private boolean noPeer;

    @Option(names = "--rounds", paramLabel = "N", description = {
            "How often each side works through all phases, in turn; the table shows the median. Default: 3."})
    private int rounds = 3;

    @Option(names = "--limit", paramLabel = "N", description = "Only the first N classes, in the order of their paths.")
    private int limit = Integer.MAX_VALUE;

    @Option(names = "--seed", paramLabel = "SEED", description = "Seed of the random orders, to repeat a run.")
    private @Nullable Long seed;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    /** For the command line parser. */
    public DemoCommand() {
    }

    @Override
    public Integer call() {
        atLeastOne("--rounds", rounds);
        atLeastOne("--limit", limit);
        Path chosen = directory != null ? directory : Installation.home().resolve("target").resolve("demo");
        long chosenSeed = seed != null ? seed : ThreadLocalRandom.current().nextInt(1_000_000);
        // Named before any work is done, so that a peer that is not built is not found out at the end.
        Side peer = noPeer ? null : Side.rocksdbjni();
        new DemoRun(System.out, Side.outcrop(), peer, rounds, chosenSeed).run(chosen.toAbsolutePath().normalize(), keep,
                limit);
        return 0;
    }

    private void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + " must be at least 1, not " + value);
        }
    }
}
