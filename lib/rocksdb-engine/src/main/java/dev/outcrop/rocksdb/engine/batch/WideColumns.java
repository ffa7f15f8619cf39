package dev.outcrop.rocksdb.engine.batch;

import static dev.outcrop.rocksdb.engine.batch.BatchFormat.varintSize;

import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wide-column entity in RocksDB's format (db/wide/wide_column_serialization.h, version 1). It consists of the version, the number of
 * columns, the name and the value's length of each column, in the order of the names, and then all values. Numbers are varints.
 */
public final class WideColumns {
    private static final int VERSION = 1;

    private final Column[] columns;
    private final long length;

    /** A column. */
    public record Column(MemorySegment name, MemorySegment value) {
    }

    public WideColumns(List<Column> columns) {
        this.columns = columns.toArray(Column[]::new);
        Arrays.sort(this.columns, (a, b) -> UserComparator.BYTEWISE.compare(a.name(), b.name()));
        long sum = (long) varintSize(VERSION) + varintSize(this.columns.length);
        for (int i = 0; i < this.columns.length; i++) {
            long name = this.columns[i].name().byteSize();
            long value = this.columns[i].value().byteSize();
            sum += varintSize(name) + name + varintSize(value) + value;
            if (Long.compareUnsigned(name + value, NativeCall.LONGEST_ENTRY) > 0 || sum > NativeCall.LONGEST_ENTRY) {
                // Too long, and the sum must not overflow.
                sum = Math.max(sum, NativeCall.LONGEST_ENTRY + 1);
                break;
            }
            if (i > 0 && this.columns[i - 1].name().mismatch(this.columns[i].name()) < 0) {
                throw new IllegalArgumentException(
                        "Two columns of the entity have the same name of " + name + " bytes");
            }
        }
        this.length = sum;
    }

    /** Returns the length of the entity, or a number that is too large for RocksDB. */
    public long length() {
        return length;
    }

    /** Writes the entity; returns its end. */
    public long write(MemorySegment to, long at) {
        long next = BatchBuffer.varint(to, at, VERSION);
        next = BatchBuffer.varint(to, next, columns.length);
        for (Column column : columns) {
            next = BatchBuffer.varint(to, next, column.name().byteSize());
            MemorySegment.copy(column.name(), 0, to, next, column.name().byteSize());
            next = BatchBuffer.varint(to, next + column.name().byteSize(), column.value().byteSize());
        }
        for (Column column : columns) {
            MemorySegment.copy(column.value(), 0, to, next, column.value().byteSize());
            next += column.value().byteSize();
        }
        return next;
    }

    /** The columns of an entity, or the problem if it cannot be read. */
    public record Entity(List<Column> columns, @Nullable NativeStatus problem) {

        /**
         * Reads an entity.
         *
         * @return the columns; or {@link NativeStatus#CORRUPTION} if RocksDB could not read it, {@link NativeStatus#NOT_SUPPORTED} if its
         *         values may lie in blob files
         */
        public static Entity read(MemorySegment bytes) {
            Cursor cursor = new Cursor(bytes);
            long version = cursor.varint();
            if (version == 2) {
                return new Entity(List.of(), new NativeStatus(NativeStatus.NOT_SUPPORTED, NativeStatus.NONE,
                        "The write batch has an entity whose columns may lie in blob files, which only its own database can read"));
            }
            List<Column> columns = new ArrayList<>();
            if (version != VERSION) {
                cursor.damage("its version is " + version);
            } else {
                read(cursor, columns);
            }
            return cursor.problem == null ? new Entity(columns, null) : new Entity(List.of(), cursor.problem);
        }

        private static void read(Cursor cursor, List<Column> columns) {
            // A column takes at least two bytes: no memory is allocated for more columns than there can be.
            long number = cursor.varint();
            if (number > cursor.entity.byteSize() / 2) {
                cursor.damage("it has too few bytes for its " + number + " columns");
                return;
            }
            MemorySegment[] names = new MemorySegment[(int) number];
            long[] lengths = new long[names.length];
            for (int i = 0; i < names.length && cursor.problem == null; i++) {
                names[i] = cursor.bytes(cursor.varint());
                lengths[i] = cursor.varint();
                if (i > 0 && UserComparator.BYTEWISE.compare(names[i - 1], names[i]) >= 0) {
                    cursor.damage("its columns are not in order");
                }
            }
            for (int i = 0; i < names.length && cursor.problem == null; i++) {
                columns.add(new Column(names[i], cursor.bytes(lengths[i])));
            }
            if (cursor.at != cursor.entity.byteSize()) {
                cursor.damage("bytes follow its last column");
            }
        }
    }

    /** A position in an entity. */
    private static final class Cursor {
        private final MemorySegment entity;
        private long at;
        /** The first damage; later values mean nothing. */
        private @Nullable NativeStatus problem;

        Cursor(MemorySegment entity) {
            this.entity = entity;
        }

        void damage(String how) {
            if (problem == null) {
                problem = new NativeStatus(NativeStatus.CORRUPTION, NativeStatus.NONE,
                        "An entity in the write batch is damaged: " + how);
            }
        }

        long varint() {
            long result = 0;
            for (int shift = 0; shift < 35 && at < entity.byteSize(); shift += 7) {
                long next = entity.get(BatchFormat.BYTE, at++);
                result |= (next & 0x7f) << shift;
                if (next >= 0 && result <= 0xffff_ffffL) {
                    return result;
                }
            }
            damage("a number in it has no end");
            return 0;
        }

        MemorySegment bytes(long length) {
            if (length > entity.byteSize() - at) {
                damage("it ends before a column does");
                return MemorySegment.NULL;
            }
            at += length;
            return entity.asSlice(at - length, length);
        }
    }
}
