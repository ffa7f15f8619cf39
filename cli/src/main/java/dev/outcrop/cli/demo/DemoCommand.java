package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Installation;
import dev.outcrop.cli.common.Interruption;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
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
        "Send each class of the JDK through a queue into RocksDB, exactly once.",
        "Kills both half-way with kill -9, proves that each class file arrived once and",
        "intact, and stores and reads them beside rocksdbjni.", ""})
public final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--dir", paramLabel = "DIR", description = {
            "Where to write; created if missing, refused if it holds anything that the demo did not write.",
            "Default: target/demo beside ./outcrop, which git ignores and 'mvn clean' deletes."})
    private @Nullable Path directory;

    @Option(names = "--keep", description = "Keep queue and databases, in a new directory DIR/kept-TIME.")
    private boolean keep;

    @Option(names = "--no-peer", description = "Without rocksdbjni beside it.")
    private boolean noPeer;

    @Option(names = "--rounds", paramLabel = "N", description = {
            "How often Outcrop and rocksdbjni work in turn; the table shows the median. Default: 3."})
    private int rounds = 3;

    @Option(names = "--limit", paramLabel = "N", description = "Only the first N classes, in the order of their paths.")
    private int limit = Integer.MAX_VALUE;

    @Option(names = "--seed", paramLabel = "SEED", description = "Of the places of the kills and of the random orders, to repeat a run.")
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
        try (Interruption interruption = Interruption.listen()) {
            Audience audience = new Audience(spec.commandLine().getOut(), interruption);
            // Named before any work is done, so that a peer that is not built is not found out at the end.
            PeerContest contest = noPeer
                    ? null
                    : new PeerContest(audience, Side.outcrop(), Side.rocksdbjni(), rounds, chosenSeed,
                            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
            ExactlyOnce exactlyOnce = new ExactlyOnce(audience, AppendProgram.class, PipelineProgram.class);
            try {
                new DemoRun(audience, exactlyOnce, contest, chosenSeed).run(chosen.toAbsolutePath().normalize(), keep,
                        limit);
            } catch (Failure e) {
                if (audience.wantsMore()) {
                    throw e;
                }
                if (interruption.isRequested()) {
                    PrintWriter err = spec.commandLine().getErr();
                    err.println("outcrop: interrupted: no process runs any more, and "
                            + (keep ? "what was written is kept" : "no file is left"));
                    err.flush();
                    return Interruption.EXIT_CODE;
                }
                // The reader has gone; if a full disk was the reason, the end of the program says so.
            }
        }
        return 0;
    }

    private void atLeastOne(String option, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), option + " must be at least 1, not " + value);
        }
    }
}
