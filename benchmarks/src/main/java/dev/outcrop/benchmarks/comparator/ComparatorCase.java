package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.JmhFork;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Processes;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Start;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * One operation on keys in one order: by ours, by rocksdbjni in all its ways to give a comparator its keys, and by C.
 *
 * @param operation the operation
 * @param order     the order of the keys
 * @param threads   how many threads do it at once
 */
record ComparatorCase(KeyOperation operation, KeyOrder order, int threads) implements Case {
    private static final String OURS = "outcrop";
    private static final String C = "C";
    private static final String SUBJECT = "segments";

    /** All cases. */
    static List<ComparatorCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(new ComparatorCase(KeyOperation.GET, KeyOrder.NUMBERS, 1),
                    new ComparatorCase(KeyOperation.WRITE, KeyOrder.NUMBERS, 1),
                    new ComparatorCase(KeyOperation.GET, KeyOrder.BYTES, 1));
        }
        List<ComparatorCase> cases = new ArrayList<>();
        for (KeyOrder order : KeyOrder.values()) {
            cases.add(new ComparatorCase(KeyOperation.GET, order, 1));
            cases.add(new ComparatorCase(KeyOperation.GET, order, 2));
            cases.add(new ComparatorCase(KeyOperation.SEEK, order, 1));
            cases.add(new ComparatorCase(KeyOperation.WRITE, order, 1));
        }
        return cases;
    }

    @Override
    public String label() {
        return operation + ", " + order + ", " + Labels.threads(threads);
    }

    private SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("keyBytes", order.keyBytes());
        params.put("valueBytes", ComparatorWorkload.VALUE_BYTES);
        params.put("keys", ComparatorWorkload.KEYS);
        params.put("threads", threads);
        return params;
    }

    @Override
    public List<Row> run(Lab lab) {
        Database database = lab.database();
        Effort effort = lab.effort().patient();
        ComparatorWorkload workload = new ComparatorWorkload(operation, order, RocksJavaBuffers.REUSED_BY_THREAD);
        if (operation != KeyOperation.WRITE) {
            Processes.java(OrderedDatabaseBuilder.class, database.jvmArgs(workload), List.of());
        }
        Contest contest = lab.contest().add(OURS,
                new JmhFork(OutcropComparator.class, operation.method(), threads, database.jvmArgs(workload), effort));
        List<String> peers = new ArrayList<>();
        for (RocksJavaBuffers buffers : RocksJavaBuffers.all(effort.isQuick())) {
            String peer = Suite.ROCKSDBJNI + ' ' + buffers;
            peers.add(peer);
            contest.add(peer, new JmhFork(RocksJavaComparator.class, operation.method(), threads,
                    database.jvmArgs(workload.with(buffers)), effort));
        }
        lab.program(ComparatorSuite.NAME).ifPresent(program -> contest.add(C,
                program.probe(database.engine(), database.directory(), EngineOptions.READING.text(),
                        operation.method(), order.name(), order.comparatorName(), ComparatorWorkload.KEYS,
                        ComparatorWorkload.VALUE_BYTES, ComparatorWorkload.WRITES, threads, effort.iterations(),
                        effort.time().toMillis())));
        Results results = contest.run(effort.rounds());
        String best = results.fastest(peers, Start.TIME);
        return List.of(new Row(ComparatorSuite.NAME, operation.toString(), params(), label(), SUBJECT,
                results.of(OURS).time(), best, results.of(best).time().median(), results.timeIfMeasured(C)));
    }
}
