package dev.outcrop.cli.db;

import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** A command whose first argument is the directory of a database. */
abstract class DatabaseAction extends DbAction {
    @Parameters(index = "0", paramLabel = "DIR", description = "The database's directory.")
    private Path directory = Path.of("");

    final Path directory() {
        return directory;
    }
}
