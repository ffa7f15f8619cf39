package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
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
            long count = Verification.run(db, interruption());
            if (interruption().isRequested()) {
                return interrupted("no damage so far, but not everything was looked at");
            }
            if (json) {
                Map<String, Object> fields = fields(true);
                fields.put("families", db.columnFamilies().size());
                fields.put("files", db.liveFiles().size());
                fields.put("entries", count);
                out.println(Json.line(fields));
                return 0;
            }
            out.println(directory() + " is sound: "
                    + Counted.of(db.columnFamilies().size(), "column family", "column families") + ", "
                    + Counted.files(db.liveFiles().size()) + ", " + Counted.entries(count));
            return 0;
        } catch (RocksDBException e) {
            if (e.status().code() != Status.Code.CORRUPTION) {
                throw e;
            }
            if (json) {
                Map<String, Object> fields = fields(false);
                fields.put("damage", Messages.of(e));
                out.println(Json.line(fields));
                return 1;
            }
            Failure failure = new Failure(directory() + " is damaged: " + Messages.of(e)
                    + "; restore a backup, or copy the directory and try './outcrop db repair' on the copy");
            failure.initCause(e);
            throw failure;
        }
    }

    private Map<String, Object> fields(boolean isSound) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("path", directory().toString());
        fields.put("sound", isSound);
        return fields;
    }
}
