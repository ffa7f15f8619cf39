package dev.outcrop.benchmarks.lmdb;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Figures;
import dev.outcrop.benchmarks.harness.InProcessComparison;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Suite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task on RocksDB and on LMDB.
 *
 * @param isScan     whether all entries are read in order, or values of random keys
 * @param valueBytes size of every value
 */
public record LmdbCase(boolean isScan, int valueBytes) implements Case {
    static final int KEY_BYTES = 16;
    static final String PEER = "LMDB";
    static final String KEPT = PEER + " kept transaction";
    static final String RENEWED = PEER + " renewed transaction";
    static final String CURSOR = PEER + " cursor";
    static final String PINNED = "pinned";
    static final String SEGMENT = "segment";
    static final String CALLBACK = "callback";

    private static final String NAME = "lmdb";
    private static final int MAX_KEYS = 100_000;
    private static final int STARTS = 2;

    /**
     * The work of a process.
     *
     * @param lmdb      the case
     * @param keys      how many keys there are
     * @param store     the directory of LMDB's file
     * @param plan      how sides take turns
     * @param functions the C functions; null if there is no compiler
     */
    record LmdbWorkload(LmdbCase lmdb, int keys, Path store, InProcessComparison.Plan plan,
            @Nullable Path functions) {
        /** Returns the number of operations between two checks of the clock. The operations of a scan are its entries. */
        int operations() {
            return lmdb.isScan ? keys : lmdb.valueBytes > 4 << 10 ? 100 : 500;
        }

        /** Returns the C function that does the same on RocksDB. */
        String limit() {
            return lmdb.isScan ? "scan_forward" : "read_pinned";
        }
    }

    /** Returns the suite: gets and scans in memory, against LMDB. */
    public static Suite suite() {
        return new Suite(NAME, PEER, runLength -> {
            List<LmdbCase> cases = new ArrayList<>();
            for (int bytes : runLength.isQuick()
                    ? List.of(16, 1 << 10)
                    : List.of(16, 256, 1 << 10, 4 << 10, 64 << 10)) {
                cases.add(new LmdbCase(false, bytes));
            }
            for (int bytes : runLength.isQuick() ? List.of(1 << 10) : List.of(16, 1 << 10, 4 << 10)) {
                cases.add(new LmdbCase(true, bytes));
            }
            return cases;
        });
    }

    private String name() {
        return isScan ? "scan in memory" : "get in memory";
    }

    @Override
    public String label() {
        return name() + ", " + Labels.size(valueBytes);
    }

    @Override
    public List<Row> run(RunContext context) {
        RunLength runLength = context.runLength();
        int keys = Math.clamp(runLength.dataBytes() / (valueBytes + KEY_BYTES), 200, MAX_KEYS);
        Database database = context.database();
        Path directory = Path.of(context.data() + ".lmdb");
        Directories.delete(directory);
        try {
            new DatabaseBuilder.Contents(EngineOptions.READING.text(), keys, KEY_BYTES, valueBytes, 0).build(database);
            LmdbWorkload workload = new LmdbWorkload(this, keys, directory, InProcessComparison.Plan.of(
                    runLength.time().multipliedBy(8), runLength.time().dividedBy(8)), context.library("paired"));
            List<String> arguments = new ArrayList<>(database.jvmArgs(workload));
            arguments.addAll(jvmArgs(directory));
            Figures figures = context.measure(new JavaProgram(LmdbRun.class, arguments).compiledInForeground(), STARTS);
            List<Row> rows = new ArrayList<>();
            if (isScan) {
                rows.add(row(CALLBACK, CALLBACK, List.of(CURSOR), figures, workload));
            } else {
                rows.add(row(PINNED, PINNED, List.of(KEPT, RENEWED), figures, workload));
                rows.add(row(SEGMENT, SEGMENT, List.of(KEPT, RENEWED), figures, workload));
                rows.add(row("pinned vs renewed transaction", PINNED, List.of(RENEWED), figures, workload));
            }
            return rows;
        } finally {
            Directories.delete(directory);
        }
    }

    /** Returns the flags for LMDBJava's fastest mode, and a directory for its library that is deleted later. */
    static List<String> jvmArgs(Path directory) {
        return List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", "-Dlmdbjava.disable.checks=true",
                "-Dlmdbjava.extract.dir=" + directory);
    }

    private Row row(String name, String form, List<String> peers, Figures figures, LmdbWorkload workload) {
        String ours = Side.oursName(form);
        String peer = figures.fastest(ours, peers);
        String c = Side.limitName(workload.limit());
        // The C function copies nothing, so it is no limit for a copy.
        boolean isLimited = figures.has(c) && !form.equals(SEGMENT);
        return new Row(NAME, name(), Row.params("valueBytes", valueBytes, "keyBytes", KEY_BYTES, "keys", workload.keys),
                label(), name, figures.of(ours), peer, figures.against(ours, peer), figures.ratio(ours, peer),
                isLimited ? (Double) figures.against(ours, c) : null, Row.UNIT);
    }
}
