package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Plural;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Status;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop db verify}. */
@Command(name = "verify", description = {"Read everything and check the checksums. Changes nothing.",
        "Ends with 1 if there is damage.", ""}, footer = {"", "  ./outcrop db verify data"})
final class VerifyCommand extends DatabaseAction {
    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
            RocksDB db = open.db();
            long count = readAll(db, interruption());
            if (interruption().isCutShort()) {
                return interrupted("no damage so far, but not everything was checked");
            }
            if (json) {
                out.println(Json.line(Json.fields("path", directory().toString(), "sound", true,
                        "families", db.columnFamilies().size(), "files", db.liveFiles().size(), "entries", count)));
                return 0;
            }
            out.println(directory() + " is sound: "
                    + Plural.of(db.columnFamilies().size(), "column family", "column families") + ", "
                    + Plural.of(db.liveFiles().size(), "table file", "table files") + ", " + Plural.entries(count));
            return 0;
        } catch (RocksDBException e) {
            if (e.status().code() != Status.Code.CORRUPTION) {
                throw e;
            }
            if (json) {
                out.println(Json.line(Json.fields("path", directory().toString(), "sound", false,
                        "damage", Messages.of(e))));
                return 1;
            }
            throw new Failure(directory() + " is damaged: " + Messages.of(e)
                    + "; restore a backup, or copy the directory and try './outcrop db repair' on the copy", e);
        }
    }

    /** Reads all entries, then checks the checksums of all blocks, until it is interrupted. Returns how many entries were read. */
    static long readAll(RocksDB db, Interruption interruption) {
        long count = 0;
        for (ColumnFamily family : db.columnFamilies()) {
            try (Progress progress = Progress.of("verify " + FamilyOption.shown(family.name()), "entries",
                    Entries.estimate(family))) {
                count += Entries.each(family, KeyRange.all(), progress, interruption::goesOn, (_, _) -> true);
            }
        }
        if (interruption.goesOn()) {
            // This call also checks blocks without entries, such as filters and indexes. It only reads, and cannot be ended early.
            interruption.mayAbandon();
            db.verifyChecksum();
            interruption.mustWait();
        }
        return count;
    }
}
