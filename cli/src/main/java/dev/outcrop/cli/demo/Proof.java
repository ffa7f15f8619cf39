package dev.outcrop.cli.demo;

import dev.outcrop.cli.demo.Comparison.Difference;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Proves that each class file went through the queue into the database exactly once and intact, or finds the first one that did not. */
final class Proof {
    private final Audience audience;
    private final JdkClasses classes;

    Proof(Audience audience, JdkClasses classes) {
        this.audience = audience;
        this.classes = classes;
    }

    /**
     * Reads everything once more, and compares.
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
        try (ProgressLine line = ProgressLine.start(audience.out(), "  bytes", classes.size())) {
            scan(family, line, (index, value) -> Comparison.value(classes, index, value));
            line.done(String.format(Locale.ROOT,
                    "each byte of %,d class files in the database is the one that the JDK has", classes.size()));
        }
    }

    private void counters(ColumnFamily family) {
        try (ProgressLine line = ProgressLine.start(audience.out(), "  effects", classes.size())) {
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

    /** What is done with the value of each record. */
    private interface Check {
        void value(int index, MemorySegment value);
    }

    /** Goes through a column family, which must have the keys of all classes and no other. */
    private void scan(ColumnFamily family, ProgressLine line, Check check) {
        int[] count = {0};
        family.scan((key, value) -> {
            audience.check();
            Comparison.key(classes, count[0], key);
            check.value(count[0], value);
            line.at(++count[0]);
            return true;
        });
        Comparison.end(classes, count[0]);
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
        ProgressLine.print(audience.out(), "  queue",
                String.format(Locale.ROOT, "%,d records with sound checksums, all of them acknowledged", records));
    }
}
