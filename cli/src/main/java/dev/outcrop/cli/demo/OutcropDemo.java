package dev.outcrop.cli.demo;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.ScanVisitor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Random;

/**
 * The demo's phases through {@code dev.outcrop.rocksdb}: puts and pinned reads of native {@link MemorySegment}s, with
 * no value ever on the heap. Runs in a JVM of its own; what is timed stands in the description of this package.
 *
 * <p>Single-threaded, so the latencies are those of one caller alone.
 */
final class OutcropDemo {
    /** A cold JVM would measure the interpreter: both sides first do the phases on so many records, so many times. */
    private static final int WARM_UP_RECORDS = 2_000;
    private static final int WARM_UP_ROUNDS = 5;

    /** What the directory of the database for warming up is called, after the name of the measured one. */
    static final String WARM_UP_SUFFIX = ".warm-up";

    private final Input input;
    private final RocksDB db;
    private final Report report;
    private final long[] latencies;

    OutcropDemo(Input input, RocksDB db, Report report) {
        this.input = input;
        this.db = db;
        this.report = report;
        this.latencies = new long[input.size()];
    }

    /**
     * Runs all phases and exits with 0, or with 1 after a line that says why not.
     *
     * @param args directory of the new database, file with the records, seed of the random orders, options
     */
    public static void main(String[] args) {
        Report report = new Report(System.out);
        System.exit(ChildProgram.exitCode(report, () -> {
            try (Arena arena = Arena.ofShared()) {
                Input input = Input.read(Path.of(args[1]), arena);
                run(Path.of(args[0]), input, Long.parseLong(args[2]), new Options().set(args[3]), report);
            }
        }));
    }

    private static void run(Path database, Input input, long seed, Options options, Report report) {
        try (RocksDB db = RocksDB.open(database.resolveSibling(database.getFileName() + WARM_UP_SUFFIX), options)) {
            OutcropDemo warmUp = new OutcropDemo(input.first(WARM_UP_RECORDS), db, Report.SILENT);
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                warmUp.allPhases(seed + i);
            }
        }
        try (RocksDB db = RocksDB.open(database, options)) {
            new OutcropDemo(input, db, report).allPhases(seed);
        }
    }

    void allPhases(long seed) {
        Random random = new Random(seed);
        store();
        read(Phase.READ, shuffled(input.size(), random));
        read(Phase.READ_AGAIN, shuffled(input.size(), random));
        scan();
    }

    void store() {
        report.phase(Phase.STORE, input.size(), input.bytes());
        for (int i = 0; i < input.size(); i++) {
            MemorySegment key = input.key(i);
            MemorySegment value = input.value(i);
            long start = System.nanoTime();
            db.put(key, value);
            latencies[i] = System.nanoTime() - start;
            report.at(i + 1);
        }
        long start = System.nanoTime();
        db.flush();
        report.done(latencies, System.nanoTime() - start);
    }

    /** Reads the records with the given indices and compares each with what was stored. */
    void read(Phase phase, int[] order) {
        report.phase(phase, input.size(), input.bytes());
        for (int i = 0; i < order.length; i++) {
            int index = order[i];
            MemorySegment key = input.key(index);
            long start = System.nanoTime();
            PinnedSlice slice = db.getPinned(key);
            MemorySegment value = slice == null ? null : slice.segment();
            long readable = System.nanoTime();
            long release;
            try (slice) {
                Comparison.value(input, index, value);
                release = System.nanoTime();
            }
            long released = System.nanoTime();
            latencies[i] = readable - start + released - release;
            report.at(i + 1);
        }
        report.done(latencies, 0);
    }

    /** Goes over the database and compares number, order, keys and values of its entries with what was stored. */
    void scan() {
        report.phase(Phase.SCAN, input.size(), input.bytes());
        Scan scan = new Scan();
        scan.left = System.nanoTime();
        db.scan(scan);
        Comparison.end(input, scan.count);
        report.done(latencies, 0);
    }

    private final class Scan implements ScanVisitor {
        private int count;
        private long left;

        @Override
        public boolean visit(MemorySegment key, MemorySegment value) {
            long readable = System.nanoTime();
            Comparison.key(input, count, key);
            Comparison.value(input, count, value);
            latencies[count] = readable - left;
            count++;
            report.at(count);
            left = System.nanoTime();
            return true;
        }
    }

    /** The numbers below {@code size} in random order (Fisher and Yates). */
    static int[] shuffled(int size, Random random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }
}
