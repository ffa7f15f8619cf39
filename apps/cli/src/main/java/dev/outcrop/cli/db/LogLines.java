package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Encoding;
import dev.outcrop.cli.common.Json;
import dev.outcrop.rocksdb.WideColumn;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchHandler;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of batches, one change for each line. */
final class LogLines implements WriteBatchHandler {
    private final PrintWriter out;
    private final Map<Integer, String> families;
    private final Encoding encoding;
    private final boolean json;
    private long left;
    private long number;

    LogLines(PrintWriter out, Map<Integer, String> families, Encoding encoding, boolean json, long limit) {
        this.out = out;
        this.families = families;
        this.encoding = encoding;
        this.json = json;
        this.left = limit;
    }

    boolean isMore() {
        return left > 0;
    }

    /** Shows a batch. The number is the sequence number of its first change. */
    void show(long first, WriteBatch batch) {
        number = first;
        batch.forEach(this);
    }

    @Override
    public void put(int family, MemorySegment key, MemorySegment value) {
        change("put", family, key, "value", value);
    }

    @Override
    public void delete(int family, MemorySegment key) {
        change("delete", family, key, "value", null);
    }

    @Override
    public void singleDelete(int family, MemorySegment key) {
        change("single-delete", family, key, "value", null);
    }

    @Override
    public void deleteRange(int family, MemorySegment begin, MemorySegment end) {
        change("delete-range", family, begin, "end", end);
    }

    @Override
    public void merge(int family, MemorySegment key, MemorySegment operand) {
        change("merge", family, key, "value", operand);
    }

    @Override
    public void putEntity(int family, MemorySegment key, List<WideColumn> columns) {
        // A flat list of columns, because there may be any number of them: name, value, name, value.
        Map<String, Object> fields = fields("put-entity", family, key);
        StringBuilder text = new StringBuilder();
        for (WideColumn column : columns) {
            text.append('\t').append(encoding.format(Entries.bytes(column.name()))).append('=')
                    .append(encoding.format(Entries.bytes(column.value())));
        }
        fields.put("columns", text.toString().strip());
        change(fields, "put-entity", family, key, text.toString());
    }

    @Override
    public void logData(MemorySegment data) {
        marker("log-data", data);
    }

    @Override
    public void beginPrepare() {
        marker("begin-prepare", null);
    }

    @Override
    public void endPrepare(MemorySegment transaction) {
        marker("end-prepare", transaction);
    }

    @Override
    public void commit(MemorySegment transaction) {
        marker("commit", transaction);
    }

    @Override
    public void rollback(MemorySegment transaction) {
        marker("rollback", transaction);
    }

    private void change(String kind, int family, MemorySegment key, String name, @Nullable MemorySegment value) {
        Map<String, Object> fields = fields(kind, family, key);
        if (value != null) {
            Json.put(fields, name, Entries.bytes(value), encoding);
        }
        change(fields, kind, family, key, value == null ? "" : "\t" + encoding.format(Entries.bytes(value)));
    }

    private void change(Map<String, Object> fields, String kind, int family, MemorySegment key, String rest) {
        line(fields, number + "\t" + kind + "\t" + FamilyOption.shown(name(family)) + "\t"
                + encoding.format(Entries.bytes(key)) + rest);
        number++;
    }

    /** Shows a record of the log that changes nothing by itself. */
    private void marker(String kind, @Nullable MemorySegment data) {
        Map<String, Object> fields = Json.fields("number", number, "kind", kind);
        if (data != null) {
            Json.put(fields, "data", Entries.bytes(data), encoding);
        }
        line(fields, number + "\t" + kind + (data == null ? "" : "\t" + encoding.format(Entries.bytes(data))));
    }

    private Map<String, Object> fields(String kind, int family, MemorySegment key) {
        Map<String, Object> fields = Json.fields("number", number,
                "kind", kind,
                "family", FamilyOption.inJson(name(family)));
        Json.put(fields, "key", Entries.bytes(key), encoding);
        return fields;
    }

    private void line(Map<String, Object> fields, String text) {
        if (left-- > 0) {
            out.write((json ? Json.line(fields) : text) + "\n");
        }
    }

    /** Returns the name of a column family, or its number if it was dropped, because then its name is not known. */
    private String name(int family) {
        return families.getOrDefault(family, "#" + family);
    }
}
