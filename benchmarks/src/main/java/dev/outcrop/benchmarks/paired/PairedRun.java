package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.turns.CFunctions;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.benchmarks.turns.Start;
import dev.outcrop.benchmarks.turns.Turns;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.rocksdb.RocksDBException;

/** One process of a case: its sides take turns, and what each turn took is printed. */
final class PairedRun {
    /** The name of the setting from which the order of the sides in each round follows. */
    static final String ORDER = "order";
    /** What is written in so many rounds stays far below the size of a memtable. */
    private static final int ROUNDS_OF_A_DATABASE = 8;
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private final Workload workload;
    private final Sides contestants;
    private final List<Side> sides;
    private final Turns turns;
    private final Random order = new Random(Long.parseLong(Settings.text(ORDER)));

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
        String file = Settings.text(CFunctions.SETTING);
        Optional<CFunctions> c = file.isEmpty()
                ? Optional.empty()
                : Optional.of(new CFunctions(Path.of(file), workload.database().engine(), workload.functions()));
        Set<String> limits = new LinkedHashSet<>();
        workload.shape().task().forms().forEach(form -> limits.addAll(form.limits()));
        Sides contestants = workload.shape().task().isWriting() ? new Writes(workload, c) : readers(workload, c);
        List<Side> sides = new ArrayList<>(contestants.all());
        c.ifPresent(functions -> limits.forEach(limit -> sides.add(contestants.limit(limit, functions.work(limit)))));
        return new PairedRun(workload, contestants, sides);
    }

    private static Sides readers(Workload workload, Optional<CFunctions> c) {
        RocksDB db = RocksDB.open(workload.database().directory(), new Options().set(EngineOptions.READING.text()));
        c.ifPresent(functions -> NativeHandles.lend(db, functions));
        Task task = workload.shape().task();
        if (task.isPoint()) {
            return new Gets(workload, db);
        }
        return task == Task.MULTIGET ? new MultiGets(workload, db) : new Scans(workload, db);
    }

    private void run() throws RocksDBException {
        for (Side side : sides) {
            contestants.renew();
            turn(side, 0, (side.isJava() ? workload.warmUp() : workload.turn()).toNanos());
        }
        List<Side> shuffled = new ArrayList<>(sides);
        for (int round = 0; round < workload.rounds(); round++) {
            if (round % ROUNDS_OF_A_DATABASE == 0) {
                contestants.renew();
            }
            Set<Long> checksums = new LinkedHashSet<>();
            // What a side leaves behind, in caches and on the heap, meets another one each time.
            Collections.shuffle(shuffled, order);
            for (Side side : shuffled) {
                Turns.Turn turn = turn(side, round, workload.turn().toNanos());
                checksums.add(turn.checksum());
                System.out.println(Start.line(turn, side));
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
