package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db checkpoint}. */
@Command(name = "checkpoint", description = {"Make a copy that is a database itself.",
        "On the same file system, its table files are hard links.",
        ""}, footer = {"", "  ./outcrop db checkpoint data copy"})
final class CheckpointCommand extends DatabaseAction {
    @Parameters(index = "1", paramLabel = "COPY", description = "The copy's directory, which must not exist yet.")
    private Path copy = Path.of("");

    @Override
    protected int act(PrintWriter out) {
        if (Files.exists(copy, LinkOption.NOFOLLOW_LINKS)) {
            throw new Failure(copy + " exists; name a directory that does not");
        }
        try (OpenDatabase open = OpenDatabase.toWrite(directory())) {
            open.db().checkpoint(copy.toAbsolutePath());
        }
        out.println(copy + " is a copy of " + directory());
        return 0;
    }
}
