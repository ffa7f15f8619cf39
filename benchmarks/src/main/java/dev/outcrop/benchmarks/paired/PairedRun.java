package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.rocksdb.RocksDBException;

/** One process of a case: its sides take turns, and what each turn took is printed. */
final class PairedRun {
    /** The name of the setting that says where the functions in C are; empty if there is no C compiler. */
    static final String FUNCTIONS = "functions";
    /** Begins a line with figures: nanoseconds an operation, bytes of garbage an operation, name of the side. */
    static final String FIGURES = "figures";
    /** What is written in so many rounds stays far below the size of a memtable. */
    private static final int ROUNDS_OF_A_DATABASE = 8;
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private final Workload workload;
    private final Sides contestants;
    private final List<Side> sides;
    private final Turns turns;

    private PairedRun(Workload workload, Sides contestants, List<Side> sides) {
        this.workload = workload;
        this.contestants = contestants;
        this.sides = sides;
        this.turns = new Turns(workload.shape().threads(), workload.operations());
    }

    /** A program of its own. It ends without closing anything, for the database is open in three libraries. */
    public static void main(String[] args) throws RocksDBException {
        Workload workload = Workload.current();
        org.rocksdb.RocksDB.loadLibrary();
        open(workload).run();
        workload.database().requireOnlyEngine();
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static PairedRun open(Workload workload) {
        String file = Settings.text(FUNCTIONS);
        Optional<CFunctions> c = file.isEmpty()
                ? Optional.empty()
                : Optional.of(new CFunctions(Path.of(file), workload));
        Set<String> limits = new LinkedHashSet<>();
        workload.shape().task().forms().forEach(form -> limits.add(form.limit()));
        List<Side> sides = new ArrayList<>();
        if (workload.shape().task().isWriting()) {
            Writes writes = new Writes(workload, c);
            sides.addAll(writes.all());
            c.ifPresent(functions -> limits.forEach(limit -> sides.add(writes.limit(limit, functions.work(limit)))));
            return new PairedRun(workload, writes, sides);
        }
        RocksDB db = RocksDB.open(workload.database().directory(), new Options().set(EngineOptions.READING.text()));
        Sides reads = workload.shape().task() == Task.MULTIGET ? new MultiGets(workload, db) : new Scans(workload, db);
        sides.addAll(reads.all());
        c.ifPresent(functions -> {
            functions.use(db);
            limits.forEach(limit -> sides.add(Side.limit(limit, functions.work(limit))));
        });
        return new PairedRun(workload, reads, sides);
    }

    private void run() throws RocksDBException {
        for (Side side : sides) {
            contestants.renew();
            turn(side, 0, (side.isJava() ? workload.warmUp() : workload.turn()).toNanos());
        }
        for (int round = 0; round < workload.rounds(); round++) {
            if (round % ROUNDS_OF_A_DATABASE == 0) {
                contestants.renew();
            }
            Set<Long> checksums = new LinkedHashSet<>();
            for (int i = 0; i < sides.size(); i++) {
                // Everybody comes first, and behind everybody else, equally often.
                Side side = sides.get((round + (round % 2 == 0 ? i : sides.size() - i)) % sides.size());
                Turns.Turn turn = turn(side, round, workload.turn().toNanos());
                checksums.add(turn.checksum());
                System.out.println(FIGURES + ' ' + turn.nanos() + ' ' + turn.bytes() + ' ' + side.name());
            }
            if (checksums.size() != 1 || checksums.contains(0L)) {
                throw new IllegalStateException("The sides have not done the same: their checksums are " + checksums);
            }
        }
        contestants.renew();
    }

    private Turns.Turn turn(Side side, int round, long atLeastNanos) throws RocksDBException {
        return turns.take(side, SEED * ((round + 1L) * 1_000_000), SEED, atLeastNanos);
    }
}
