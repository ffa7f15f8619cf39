package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Table;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.ColumnFamilyMetadata;
import dev.outcrop.rocksdb.LiveFile;
import dev.outcrop.rocksdb.Property;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WalFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop db stats}. */
@Command(name = "stats", description = {"Show sizes: column families, levels, files, logs.", "All in bytes.",
        ""}, footer = {"", "  ./outcrop db stats data"})
final class StatsCommand extends DatabaseAction {
    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    /** The sizes of a column family. The number of keys is an estimate. Only deletions in files count. */
    private record Row(String family, long keys, long deletions, long memory, long files, long bytes,
            Map<String, Long> levels) {
        String levelsAsText() {
            return levels.entrySet().stream().map(level -> "L" + level.getKey() + ": " + Table.number(level.getValue()))
                    .collect(Collectors.joining(", "));
        }

        Map<String, Object> asMap() {
            return Json.fields("family", FamilyOption.inJson(family),
                    "estimatedKeys", keys,
                    "deletions", deletions,
                    "memtableBytes", memory,
                    "files", files,
                    "bytes", bytes,
                    "levels", levels);
        }
    }

    @Override
    protected int act(PrintWriter out) throws IOException {
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
            RocksDB db = open.db();
            List<LiveFile> files = db.liveFiles();
            List<Row> rows = db.columnFamilies().stream().map(family -> row(family, files)).toList();
            List<WalFile> logs = db.walFiles();
            long logBytes = logs.stream().mapToLong(WalFile::sizeBytes).sum();
            if (json) {
                out.println(Json.line(Json.fields("path", db.path().toString(),
                        "identity", identity(db),
                        "sequenceNumber", db.latestSequenceNumber(),
                        "logs", logs.size(),
                        "logBytes", logBytes,
                        "families", rows.stream().map(Row::asMap).toList())));
                return 0;
            }
            Table.line(out, "database", db.path().toString());
            Table.line(out, "identity", identity(db));
            Table.line(out, "sequence", Table.number(db.latestSequenceNumber()));
            Table.line(out, "files",
                    Table.number(sum(rows, Row::files)) + " of " + Table.number(sum(rows, Row::bytes)) + " bytes");
            Table.line(out, "logs", Table.number(logs.size()) + " of " + Table.number(logBytes) + " bytes");
            out.println(table(rows));
        }
        return 0;
    }

    private static String identity(RocksDB db) throws IOException {
        String identity = db.dbIdentity();
        // A secondary instance does not know the identity of its primary.
        return identity.isEmpty() ? Files.readString(db.path().resolve("IDENTITY")).strip() : identity;
    }

    private static Row row(ColumnFamily family, List<LiveFile> all) {
        ColumnFamilyMetadata metadata = family.metadata();
        Map<String, Long> levels = new LinkedHashMap<>();
        metadata.levels().stream().filter(level -> !level.files().isEmpty())
                .forEach(level -> levels.put(Integer.toString(level.level()), level.size()));
        long deletions = all.stream().filter(file -> file.columnFamily().equals(family.name()))
                .mapToLong(LiveFile::deletions).sum();
        long memory = Objects.requireNonNullElse(family.longProperty(Property.CUR_SIZE_ALL_MEM_TABLES), 0L);
        return new Row(family.name(), Entries.estimate(family), deletions, memory, metadata.fileCount(),
                metadata.size(), levels);
    }

    private static long sum(List<Row> rows, ToLongFunction<Row> value) {
        return rows.stream().mapToLong(value).sum();
    }

    private static String table(List<Row> rows) {
        return Table.of(rows, List.of(Table.names("Column family", row -> FamilyOption.shown(row.family())),
                Table.numbers("About keys", Row::keys), Table.numbers("Deletions", Row::deletions),
                Table.numbers("Memtables", Row::memory), Table.numbers("Files", Row::files),
                Table.numbers("Bytes", Row::bytes), Table.names("Levels", Row::levelsAsText)));
    }
}
