package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Installation;
import dev.outcrop.cli.common.Subcommand;
import dev.outcrop.cli.demo.SideRun.Side;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code ./outcrop demo}. {@link DemoRun} does the work. */
@Command(name = "demo", sortOptions = false, description = {
        "Send each class of the JDK through a queue into RocksDB, exactly once.",
        "Kills both half-way with kill -9, proves that each class file arrived once and",
        "intact, and stores and reads them beside rocksdbjni.", ""})
public final class DemoCommand extends Subcommand {
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

    @Override
    protected int act(PrintWriter out) {
        require(rounds >= 1, "--rounds must be at least 1, not " + rounds);
        require(limit >= 1, "--limit must be at least 1, not " + limit);
        Path chosen = directory != null ? directory : Installation.home().resolve("target").resolve("demo");
        long chosenSeed = seed != null ? seed : ThreadLocalRandom.current().nextInt(1_000_000);
        DemoOutput output = new DemoOutput(out, interruption());
        // Create the contest before any work is done: if the peer is not built, this fails at the start and not at the end.
        PeerContest contest = noPeer
                ? null
                : new PeerContest(output, Side.outcrop(), Side.rocksdbjni(), rounds, chosenSeed,
                        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        try {
            new DemoRun(output, AppendProgram.class, PipelineProgram.class, contest, chosenSeed)
                    .run(chosen.toAbsolutePath().normalize(), keep, limit);
        } catch (Failure e) {
            if (output.wantsMore()) {
                throw e;
            }
            if (interruption().isRequested()) {
                return interrupted("all processes have ended, and "
                        + (keep ? "what was written is kept" : "no file is left"));
            }
            // The reader has gone. If a full disk was the reason, the program reports it at its end.
        }
        return 0;
    }
}
