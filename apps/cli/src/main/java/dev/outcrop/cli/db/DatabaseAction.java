package dev.outcrop.cli.db;

import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** A command with the directory of a database as its first argument. */
public abstract class DatabaseAction extends DbAction {
    @Parameters(index = "0", paramLabel = "DIR", description = "The database's directory.")
    private Path directory = Path.of("");

    /** Returns the directory. */
    protected final Path directory() {
        return directory;
    }
}
