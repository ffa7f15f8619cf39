package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.CFunctions;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Turns;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One process of a case. */
final class PairedRun {
    private PairedRun() {
    }

    /** A program of its own. */
    public static void main(String[] args) throws Exception {
        org.rocksdb.RocksDB.loadLibrary();
        PairedWorkload workload = PairedWorkload.current();
        Path file = workload.functions();
        Optional<CFunctions> c = file == null
                ? Optional.empty()
                : Optional.of(new CFunctions(file, Database.current().engine(), workload.shape()));
        PairedTask task = workload.paired().task();
        PairedSides all = task.isWriting() ? new WriteSides(workload, c) : readers(workload, c);
        List<Side> sides = new ArrayList<>(all.all());
        Set<String> limits = new LinkedHashSet<>();
        task.forms().forEach(form -> limits.addAll(form.limits()));
        c.ifPresent(functions -> limits.forEach(limit -> sides.add(all.limit(limit, functions.work(limit)))));
        new Turns(workload.plan(), workload.paired().threads(), workload.operations()).run(sides, all::renew);
    }

    private static PairedSides readers(PairedWorkload workload, Optional<CFunctions> c) {
        RocksDB db = RocksDB.open(Database.current().directory(), new Options().set(EngineOptions.READING.text()));
        c.ifPresent(functions -> NativeHandles.lend(db, functions));
        PairedTask task = workload.paired().task();
        if (task.isPoint()) {
            return new PointSides(workload, db);
        }
        return task == PairedTask.MULTIGET ? new MultiGetSides(workload, db) : new ScanSides(workload, db);
    }
}
