package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.batch.WideColumns;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * One column of a wide-column entity: a named value. A plain {@code get} of an entity's key returns the value of the column with an empty
 * name, or an empty value if there is no such column.
 *
 * @param name  the column's name, of any length; no two columns of an entity have the same one
 * @param value the column's value
 */
public record WideColumn(MemorySegment name, MemorySegment value) {
    /** A column. */
    public WideColumn {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }

    /**
     * Makes a column from arrays.
     *
     * @param name  the column's name; not copied
     * @param value the column's value; not copied
     */
    public WideColumn(byte[] name, byte[] value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        this(MemorySegment.ofArray(name), MemorySegment.ofArray(value));
    }

    static List<WideColumn> of(List<WideColumns.Column> columns) {
        return columns.stream().map(column -> new WideColumn(column.name(), column.value())).toList();
    }

    static List<WideColumns.Column> columns(List<WideColumn> columns) {
        return columns.stream().map(column -> new WideColumns.Column(column.name(), column.value())).toList();
    }
}
