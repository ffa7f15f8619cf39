package dev.outcrop.benchmarks.lmdb;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.CFunctions;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.InProcessComparison;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.UnavailableException;
import dev.outcrop.benchmarks.lmdb.LmdbCase.LmdbWorkload;
import dev.outcrop.benchmarks.paired.NativeHandles;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One process of a case: Outcrop, C and LMDB take turns. For each entry, all sides look at its key, at the size of its value, and at the
 * ends of the value.
 */
final class LmdbRun {
    /** The last byte of a key that is not padding. */
    private static final int LAST = Long.BYTES - 1;

    private final LmdbWorkload workload;
    private final RocksDB db;
    private final RandomIndexes random = new RandomIndexes();
    private final MemorySegment key = Keys.inSegment(Keys.first(LmdbCase.KEY_BYTES));
    private final MemorySegment value;
    private long sum;

    private LmdbRun(LmdbWorkload workload) {
        this.workload = workload;
        this.value = Arena.global().allocate(workload.lmdb().valueBytes());
        this.db = RocksDB.open(Database.current().directory(), new Options().set(EngineOptions.READING.text()));
    }

    public static void main(String[] args) throws Exception {
        LmdbWorkload workload = Settings.current(LmdbWorkload.class);
        LmdbSides lmdb = open(workload);
        LmdbRun ours = new LmdbRun(workload);
        List<Side> sides = new ArrayList<>(lmdb.all());
        if (workload.lmdb().isScan()) {
            sides.add(Side.ours(LmdbCase.CALLBACK, _ -> ours.scan()));
        } else {
            sides.add(Side.ours(LmdbCase.PINNED, ours::pinned));
            sides.add(Side.ours(LmdbCase.SEGMENT, ours::segment));
        }
        Path file = workload.functions();
        if (file != null) {
            CFunctions c = new CFunctions(file, Database.current().engine(),
                    new CFunctions.Shape(workload.keys(), LmdbCase.KEY_BYTES, workload.lmdb().valueBytes(),
                            workload.operations(), 1, 1, CFunctions.Choice.RANDOM));
            NativeHandles.lend(ours.db, c);
            sides.add(new Side(Side.limitName(workload.limit()), List.of(c.work(workload.limit()))));
        }
        new InProcessComparison(workload.plan(), 1, workload.operations()).run(sides, () -> {
        });
    }

    private static LmdbSides open(LmdbWorkload workload) throws IOException {
        // An earlier start has left its records.
        Directories.delete(workload.store());
        Files.createDirectories(workload.store());
        try {
            return new LmdbSides(workload);
        } catch (LinkageError e) {
            throw new UnavailableException("LMDB cannot be loaded on this machine: " + e);
        }
    }

    private long pinned(long seed) {
        random.restart(seed);
        long total = 0;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(key, random.next(workload.keys()));
            try (PinnedSlice slice = Objects.requireNonNull(db.getPinned(key))) {
                total += look(slice.segment(), slice.size());
            }
        }
        return total;
    }

    private long segment(long seed) {
        random.restart(seed);
        long total = 0;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(key, random.next(workload.keys()));
            total += look(value, db.get(key, value));
        }
        return total;
    }

    private long scan() {
        sum = 0;
        db.scan(KeyRange.all(), (foundKey, found) -> {
            sum += foundKey.get(JAVA_BYTE, LAST) + look(found, found.byteSize());
            return true;
        });
        return sum;
    }

    private static long look(MemorySegment found, long size) {
        return size + found.get(JAVA_BYTE, 0) + found.get(JAVA_BYTE, size - 1);
    }
}
