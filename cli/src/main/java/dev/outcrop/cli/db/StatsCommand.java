package dev.outcrop.cli.db;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import dev.outcrop.cli.common.Json;
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
import java.util.Locale;
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
    private static final int WIDTH = 12;

    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    /** What a column family consists of; keys are estimated, deletions are those in its files. */
    private record Row(String family, long keys, long deletions, long memory, long files, long bytes,
            Map<String, Long> levels) {
        String levelsAsText() {
            return levels.entrySet().stream().map(level -> "L" + level.getKey() + ": " + number(level.getValue()))
                    .collect(Collectors.joining(", "));
        }

        Map<String, Object> asMap() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("family", FamilyOption.inJson(family));
            fields.put("estimatedKeys", keys);
            fields.put("deletions", deletions);
            fields.put("memtableBytes", memory);
            fields.put("files", files);
            fields.put("bytes", bytes);
            fields.put("levels", levels);
            return fields;
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
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("path", db.path().toString());
                fields.put("identity", identity(db));
                fields.put("sequenceNumber", db.latestSequenceNumber());
                fields.put("logs", logs.size());
                fields.put("logBytes", logBytes);
                fields.put("families", rows.stream().map(Row::asMap).toList());
                out.println(Json.line(fields));
                return 0;
            }
            line(out, "database", db.path().toString());
            line(out, "identity", identity(db));
            line(out, "sequence", number(db.latestSequenceNumber()));
            line(out, "files", number(sum(rows, Row::files)) + " of " + number(sum(rows, Row::bytes)) + " bytes");
            line(out, "logs", number(logs.size()) + " of " + number(logBytes) + " bytes");
            out.println(table(rows));
        }
        return 0;
    }

    private static String identity(RocksDB db) throws IOException {
        String identity = db.dbIdentity();
        // A secondary instance does not know that of its primary.
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

    private static void line(PrintWriter out, String what, String value) {
        out.println(what + " ".repeat(WIDTH - what.length()) + value);
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static long sum(List<Row> rows, ToLongFunction<Row> value) {
        return rows.stream().mapToLong(value).sum();
    }

    private static String table(List<Row> rows) {
        List<ColumnData<Row>> columns = List.of(
                new Column().header("Column family").dataAlign(HorizontalAlign.LEFT)
                        .with(row -> FamilyOption.shown(row.family())),
                column("About keys", Row::keys), column("Deletions", Row::deletions), column("Memtables", Row::memory),
                column("Files", Row::files), column("Bytes", Row::bytes),
                new Column().header("Levels").dataAlign(HorizontalAlign.LEFT).with(Row::levelsAsText));
        return AsciiTable.builder().border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS).data(rows, columns).asString();
    }

    private static ColumnData<Row> column(String header, ToLongFunction<Row> value) {
        return new Column().header(header).headerAlign(HorizontalAlign.RIGHT).dataAlign(HorizontalAlign.RIGHT)
                .with(row -> number(value.applyAsLong(row)));
    }
}
