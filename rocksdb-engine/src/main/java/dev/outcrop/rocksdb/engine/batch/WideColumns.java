package dev.outcrop.rocksdb.engine.batch;

import static dev.outcrop.rocksdb.engine.batch.BatchFormat.varintSize;

import dev.outcrop.rocksdb.engine.Failures;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.callbacks.KeyOrder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A wide-column entity as RocksDB stores it (db/wide/wide_column_serialization.h, version 1): the version, the number of columns, for
 * each column its name and the length of its value, in the order of the names, and then all values. Numbers are varints.
 */
public final class WideColumns {
    private static final int VERSION = 1;

    private final Column[] columns;
    private final long length;

    /** A value under a name of its own. */
    public record Column(MemorySegment name, MemorySegment value) {
    }

    public WideColumns(Failures failures, List<Column> columns) {
        this.columns = columns.toArray(Column[]::new);
        Arrays.sort(this.columns, (a, b) -> KeyOrder.BYTEWISE.compare(a.name(), b.name()));
        long sum = (long) varintSize(VERSION) + varintSize(this.columns.length);
        for (int i = 0; i < this.columns.length; i++) {
            long name = this.columns[i].name().byteSize();
            long value = this.columns[i].value().byteSize();
            // No sum of lengths that overflows: the first part that is too long is refused.
            if (Long.compareUnsigned(name + value, NativeCall.LONGEST_ENTRY) > 0) {
                NativeCall.requireSize(name + value, failures);
            }
            sum += varintSize(name) + name + varintSize(value) + value;
            if (sum > NativeCall.LONGEST_ENTRY) {
                NativeCall.requireSize(sum, failures);
            }
            if (i > 0 && this.columns[i - 1].name().mismatch(this.columns[i].name()) < 0) {
                throw new IllegalArgumentException(
                        "Two columns of the entity have the same name of " + name + " bytes");
            }
        }
        NativeCall.requireSize(sum, failures);
        this.length = sum;
    }

    public long length() {
        return length;
    }

    /** Writes the entity; returns where it ends. */
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

    /**
     * Reads an entity that may hold anything.
     *
     * @param failures what is thrown: {@link NativeStatus#CORRUPTION} if RocksDB could not read it;
     *                 {@link NativeStatus#NOT_SUPPORTED} if its values may lie in blob files
     */
    public static List<Column> read(MemorySegment entity, Failures failures) {
        Cursor cursor = new Cursor(entity, failures);
        long version = cursor.varint();
        if (version == 2) {
            throw failures.of(NativeStatus.NOT_SUPPORTED, NativeStatus.NONE,
                    "The write batch has an entity whose columns may lie in blob files, which only its own database can read");
        }
        if (version != VERSION) {
            throw damaged(failures, "its version is " + version);
        }
        // Each column takes at least two bytes: no memory is taken for more than there can be.
        long number = cursor.varint();
        if (number > entity.byteSize() / 2) {
            throw damaged(failures, "it has too few bytes for its " + number + " columns");
        }
        MemorySegment[] names = new MemorySegment[(int) number];
        long[] lengths = new long[names.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = cursor.bytes(cursor.varint());
            lengths[i] = cursor.varint();
            if (i > 0 && KeyOrder.BYTEWISE.compare(names[i - 1], names[i]) >= 0) {
                throw damaged(failures, "its columns are not in order");
            }
        }
        List<Column> columns = new ArrayList<>(names.length);
        for (int i = 0; i < names.length; i++) {
            columns.add(new Column(names[i], cursor.bytes(lengths[i])));
        }
        if (cursor.at != entity.byteSize()) {
            throw damaged(failures, "bytes follow its last column");
        }
        return columns;
    }

    private static RuntimeException damaged(Failures failures, String how) {
        return failures.of(NativeStatus.CORRUPTION, NativeStatus.NONE,
                "An entity in the write batch is damaged: " + how);
    }

    /** A place in an entity, behind what was read. */
    private static final class Cursor {
        private final MemorySegment entity;
        private final Failures failures;
        private long at;

        Cursor(MemorySegment entity, Failures failures) {
            this.entity = entity;
            this.failures = failures;
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
            throw damaged(failures, "a number in it has no end");
        }

        MemorySegment bytes(long length) {
            if (length > entity.byteSize() - at) {
                throw damaged(failures, "it ends before a column does");
            }
            at += length;
            return entity.asSlice(at - length, length);
        }
    }
}
