package dev.outcrop.cli.demo;

import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Proves that each class file went through the queue into the database exactly once and intact, or finds the first class file that did not.
 */
final class Proof {
    private final DemoOutput output;
    private final JdkClasses classes;

    /** Thrown for a record that differs from the stored record. The message names the record and the first byte that differs. */
    static final class Difference extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        Difference(String message) {
            super(message);
        }
    }

    Proof(DemoOutput output, JdkClasses classes) {
        this.output = output;
        this.classes = classes;
    }

    /**
     * Reads everything once more and compares it.
     *
     * @throws Difference if anything is not as it should be
     */
    void of(Path queue, Path database) {
        try (RocksDB db = RocksDB.openReadOnly(database)) {
            bytes(family(db, "default"));
            counters(family(db, PipelineProgram.COUNTERS));
        }
        queue(queue);
    }

    private void bytes(ColumnFamily family) {
        try (ProgressLine line = ProgressLine.start(output.writer(), "  bytes", classes.size())) {
            scan(family, line, this::compareValue);
            line.done(String.format(Locale.ROOT,
                    "each byte of %,d class files in the database is the one that the JDK has", classes.size()));
        }
    }

    private void counters(ColumnFamily family) {
        try (ProgressLine line = ProgressLine.start(output.writer(), "  effects", classes.size())) {
            scan(family, line, (index, value) -> {
                long count = value.byteSize() == PipelineProgram.COUNTER.byteSize()
                        ? value.get(PipelineProgram.COUNTER, 0)
                        : -1;
                if (count != 1) {
                    throw new Difference(classes.name(index) + " had its effect " + count + " times, not once");
                }
            });
            line.done(String.format(Locale.ROOT,
                    "%,d counters, raised in the batches of their class files: each stands at 1", classes.size()));
        }
    }

    private static ColumnFamily family(RocksDB db, String name) {
        @Nullable
        ColumnFamily family = db.findColumnFamily(name);
        if (family == null) {
            throw new Difference("there is no column family '" + name + "' in " + db.path());
        }
        return family;
    }

    /** Checks the value of a record. */
    private interface Check {
        void value(int index, MemorySegment value);
    }

    /** Scans a column family, which must have exactly the keys of all classes. */
    private void scan(ColumnFamily family, ProgressLine line, Check check) {
        int[] count = {0};
        family.scan((key, value) -> {
            output.check();
            compareKey(count[0], key);
            check.value(count[0], value);
            line.at(++count[0]);
            return true;
        });
        if (count[0] < classes.size()) {
            throw missing(count[0]);
        }
    }

    private void compareValue(int index, MemorySegment value) {
        MemorySegment stored = classes.value(index);
        long at = stored.mismatch(value);
        if (at < 0) {
            return;
        }
        if (stored.byteSize() != value.byteSize()) {
            throw new Difference(
                    String.format("%s has %d bytes, but %d were stored; the first difference is at byte %d",
                            classes.name(index), value.byteSize(), stored.byteSize(), at));
        }
        throw new Difference(String.format("byte %d of %s is 0x%02x, but 0x%02x was stored", at, classes.name(index),
                value.get(ValueLayout.JAVA_BYTE, at), stored.get(ValueLayout.JAVA_BYTE, at)));
    }

    private void compareKey(int index, MemorySegment key) {
        if (index < classes.size()) {
            MemorySegment stored = classes.key(index);
            long at = stored.mismatch(key);
            if (at < 0) {
                return;
            }
            // Keys are in the order of their bytes, so the smaller key tells whether a record is missing or there is an extra record.
            if (at == stored.byteSize() || (at < key.byteSize() && Byte.compareUnsigned(
                    stored.get(ValueLayout.JAVA_BYTE, at), key.get(ValueLayout.JAVA_BYTE, at)) < 0)) {
                throw missing(index);
            }
        }
        throw new Difference(JdkClasses.text(key) + " is there and was not stored");
    }

    private Difference missing(int index) {
        return new Difference(classes.name(index) + " was stored and is not found");
    }

    private void queue(Path directory) {
        QueueCheck found = QueueFiles.verify(directory);
        if (!found.isSound()) {
            throw new Difference("the queue is damaged: " + found.damages().getFirst());
        }
        long records = found.segments().stream().mapToLong(QueueCheck.Segment::records).sum();
        if (records != classes.size()) {
            throw new Difference("the queue has " + records + " records of " + classes.size() + " class files");
        }
        long acknowledged = found.groups().stream().filter(group -> group.name().equals(PipelineProgram.GROUP))
                .mapToLong(QueueCheck.Group::floor).sum();
        if (acknowledged != records) {
            throw new Difference("only " + acknowledged + " of " + records + " records are acknowledged");
        }
        ProgressLine.print(output.writer(), "  queue",
                String.format(Locale.ROOT, "%,d records with sound checksums, all of them acknowledged", records));
    }
}
