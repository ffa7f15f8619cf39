package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Json;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WalFile;
import dev.outcrop.rocksdb.WalIterator;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./outcrop db log}. */
@Command(name = "log", description = {"Show the changes that the write-ahead log holds.",
        "A line is number, kind, column family, key, value.", ""}, footer = {"",
                "  ./outcrop db log data --from 1000 --limit 20"})
final class LogCommand extends DatabaseAction {
    @Option(names = "--from", paramLabel = "NUMBER", description = "From the batch with this change on. Default: all.")
    private long from;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many changes.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--files", description = "Only the log's files: name, first change, bytes.")
    private boolean filesOnly;

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(from >= 0, "--from must be 0 or more, not " + from);
        require(limit >= 1, "--limit must be 1 or more, not " + limit);
        onlyShows();
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
            RocksDB db = open.db();
            List<WalFile> files = db.walFiles();
            if (filesOnly) {
                files.forEach(file -> out.println(line(file)));
                return 0;
            }
            OptionalLong first = files.stream().mapToLong(WalFile::startSequence).filter(number -> number > 0).min();
            if (first.isPresent()) {
                changes(db, Math.max(from, first.getAsLong()), out);
            }
        }
        return interruption().isCutShort() ? interrupted("there are more changes than were shown") : 0;
    }

    private void changes(RocksDB db, long start, PrintWriter out) {
        Map<Integer, String> families = new HashMap<>();
        for (ColumnFamily family : db.columnFamilies()) {
            families.put(family.id(), family.name());
        }
        LogLines lines = new LogLines(out, families, encoding.encoding(), json, limit);
        try (WalIterator batches = db.updatesSince(start)) {
            while (lines.isMore() && batches.next() && goesOn()) {
                lines.show(batches.sequenceNumber(), batches.batch());
            }
        }
    }

    private String line(WalFile file) {
        String name = file.pathName().substring(1);
        if (!json) {
            return name + "\t" + file.startSequence() + "\t" + file.sizeBytes();
        }
        return Json.line(Json.fields("file", name,
                "sequenceNumber", file.startSequence(),
                "bytes", file.sizeBytes()));
    }
}
