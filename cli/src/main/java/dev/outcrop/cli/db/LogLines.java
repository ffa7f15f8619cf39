package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Notation;
import dev.outcrop.rocksdb.WideColumn;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteBatchHandler;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of batches, one a line. */
final class LogLines implements WriteBatchHandler {
    private final PrintWriter out;
    private final Map<Integer, String> families;
    private final Notation notation;
    private final boolean json;
    private long left;
    private long number;

    LogLines(PrintWriter out, Map<Integer, String> families, Notation notation, boolean json, long limit) {
        this.out = out;
        this.families = families;
        this.notation = notation;
        this.json = json;
        this.left = limit;
    }

    boolean isMore() {
        return left > 0;
    }

    /** Shows a batch; its first change has the number. */
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
        // Columns as they are, since there may be any number of them: name, value, name, value.
        Map<String, Object> fields = fields("put-entity", family, key);
        StringBuilder text = new StringBuilder();
        for (WideColumn column : columns) {
            text.append('\t').append(notation.format(Entries.bytes(column.name()))).append('=')
                    .append(notation.format(Entries.bytes(column.value())));
        }
        fields.put("columns", text.toString().strip());
        line(fields, "put-entity", family, key, text.toString());
        number++;
    }

    @Override
    public void logData(MemorySegment data) {
        mark("log-data", data);
    }

    @Override
    public void beginPrepare() {
        mark("begin-prepare", null);
    }

    @Override
    public void endPrepare(MemorySegment transaction) {
        mark("end-prepare", transaction);
    }

    @Override
    public void commit(MemorySegment transaction) {
        mark("commit", transaction);
    }

    @Override
    public void rollback(MemorySegment transaction) {
        mark("rollback", transaction);
    }

    private void change(String kind, int family, MemorySegment key, String name, @Nullable MemorySegment value) {
        Map<String, Object> fields = fields(kind, family, key);
        if (value != null) {
            Json.put(fields, name, Entries.bytes(value), notation);
        }
        line(fields, kind, family, key, value == null ? "" : "\t" + notation.format(Entries.bytes(value)));
        number++;
    }

    /** What is in the log, but changes nothing by itself. */
    private void mark(String kind, @Nullable MemorySegment data) {
        if (left-- <= 0) {
            return;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", number);
        fields.put("kind", kind);
        if (data != null) {
            Json.put(fields, "data", Entries.bytes(data), notation);
        }
        out.write((json
                ? Json.line(fields)
                : number + "\t" + kind + (data == null ? "" : "\t" + notation.format(Entries.bytes(data)))) + "\n");
    }

    private Map<String, Object> fields(String kind, int family, MemorySegment key) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", number);
        fields.put("kind", kind);
        fields.put("family", FamilyOption.inJson(name(family)));
        Json.put(fields, "key", Entries.bytes(key), notation);
        return fields;
    }

    private void line(Map<String, Object> fields, String kind, int family, MemorySegment key, String rest) {
        if (left-- <= 0) {
            return;
        }
        out.write((json
                ? Json.line(fields)
                : number + "\t" + kind + "\t" + FamilyOption.shown(name(family)) + "\t"
                        + notation.format(Entries.bytes(key)) + rest)
                + "\n");
    }

    /** One that was dropped has only its number left. */
    private String name(int family) {
        return families.getOrDefault(family, "#" + family);
    }
}
