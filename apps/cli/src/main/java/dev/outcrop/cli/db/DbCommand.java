package dev.outcrop.cli.db;

import dev.outcrop.cli.common.CommandGroup;
import picocli.CommandLine.Command;

/** {@code ./outcrop db}, with its commands. */
@Command(name = "db", description = {"Look into a RocksDB database, change it, copy it, check it.", ""}, subcommands = {
        GetCommand.class, PutCommand.class, DeleteCommand.class, ScanCommand.class,
        CountCommand.class, StatsCommand.class, PropertiesCommand.class, FamiliesCommand.class,
        OptionsCommand.class, CompactCommand.class, BackupCommand.class, RestoreCommand.class,
        CheckpointCommand.class, ExportCommand.class, ImportCommand.class, VerifyCommand.class,
        RepairCommand.class, LogCommand.class}, footer = {
                "Ends with 0 if done, 1 failed, 2 wrong usage, 3 no such key, 130 interrupted."})
public final class DbCommand extends CommandGroup {
}
