package dev.outcrop.cli.db;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./outcrop db}: what it does is in its commands. Without one it prints its help. */
@Command(name = "db", description = {"Look into a RocksDB database, change it, copy it, check it.", ""}, subcommands = {
        GetCommand.class, PutCommand.class, DeleteCommand.class, ScanCommand.class,
        CountCommand.class, StatsCommand.class, PropertiesCommand.class, FamiliesCommand.class,
        OptionsCommand.class, CompactCommand.class, BackupCommand.class, RestoreCommand.class,
        CheckpointCommand.class, ExportCommand.class, ImportCommand.class, VerifyCommand.class,
        RepairCommand.class, LogCommand.class}, footer = {
                "Ends with 0 if done, 1 failed, 2 wrong usage, 3 no such key, 130 interrupted."})
public final class DbCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    /** For the command line parser. */
    public DbCommand() {
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
