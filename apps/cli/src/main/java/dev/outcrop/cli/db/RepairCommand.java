package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Plural;
import dev.outcrop.cli.common.Terminal;
import dev.outcrop.rocksdb.LoadedOptions;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** {@code ./outcrop db repair}. */
@Command(name = "repair", description = {"Make a damaged database whole again, as far as possible.",
        "What is damaged goes to its directory 'lost'; deleted entries may come back. Copy the directory before.",
        ""}, footer = {"", "  ./outcrop db repair data"})
final class RepairCommand extends DatabaseAction {
    @Override
    protected int act(PrintWriter out) throws IOException {
        OpenDatabase.requireDirectory(directory());
        if (isSound()) {
            out.println(directory() + " is sound, and is left as it is");
            return 0;
        }
        if (interruption().isRequested()) {
            return interrupted("nothing is repaired, and nothing has changed");
        }
        List<Path> before = lost();
        if (Terminal.isError()) {
            warn("repairing " + directory() + "; this cannot be interrupted");
        }
        RocksDB.repair(directory(), options());
        List<Path> lost = lost().stream().filter(file -> !before.contains(file)).toList();
        out.println(directory() + " is repaired; " + (lost.isEmpty()
                ? "no file was lost"
                : Plural.of(lost.size(), "damaged file is", "damaged files are") + " in "
                        + directory().resolve("lost")));
        out.println("'./outcrop db verify " + directory() + "' checks it as it is now");
        return 0;
    }

    /**
     * Returns whether the database needs no repair. Repairing a sound database would lose data: RocksDB drops table files if it does not
     * know their column family, such as files from elsewhere.
     */
    private boolean isSound() {
        try (RocksDB db = RocksDB.openReadOnly(directory())) {
            long _ = VerifyCommand.readAll(db, interruption());
            return !interruption().isRequested();
        } catch (RocksDBException e) {
            return false;
        }
    }

    /** Returns the options with which the database was last opened, as far as they can still be read. */
    private Options options() {
        try {
            LoadedOptions stored = LoadedOptions.latest(directory());
            return stored.columnFamilies().getOrDefault(FamilyOption.DEFAULT, stored.database());
        } catch (RocksDBException e) {
            return new Options();
        }
    }

    private List<Path> lost() throws IOException {
        Path directory = directory().resolve("lost");
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
