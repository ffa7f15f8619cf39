package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * A task on a database of its own.
 *
 * @param task       what is done
 * @param valueBytes size of every value
 * @param families   over how many column families, besides the default one, the keys are spread at random; without any,
 *                   the default one has them
 * @param records    how many keys are written at once
 * @param threads    how many threads of a side write at the same time
 */
record PairedCase(Task task, int valueBytes, int families, int records, int threads) {
    private static final int WRITTEN_BYTES = 100;

    static List<PairedCase> all(boolean isQuick) {
        List<PairedCase> cases = new ArrayList<>();
        add(cases, Task.FULL, isQuick ? List.of(16, 1 << 10) : List.of(16, 256, 1 << 10, 4 << 10), 0);
        add(cases, Task.BACKWARD, isQuick ? List.of(1 << 10) : List.of(16, 1 << 10), 0);
        add(cases, Task.RANGE, isQuick ? List.of(16) : List.of(16, 1 << 10), 0);
        add(cases, Task.SEEK, List.of(16), 0);
        add(cases, Task.MULTIGET, isQuick ? List.of(256, 4 << 10) : List.of(256, 4 << 10, 64 << 10), 0);
        add(cases, Task.MULTIGET, isQuick ? List.of(256) : List.of(256, 4 << 10), 20);
        if (!isQuick) {
            add(cases, Task.MULTIGET, List.of(256, 4 << 10), 100);
        }
        for (int threads = 1; threads <= 2; threads++) {
            cases.add(new PairedCase(Task.PUT, WRITTEN_BYTES, 0, 1, threads));
            for (int records : isQuick ? List.of(10, 1000) : List.of(10, 100, 1000)) {
                cases.add(new PairedCase(Task.BATCH, WRITTEN_BYTES, 0, records, threads));
            }
        }
        return cases;
    }

    private static void add(List<PairedCase> cases, Task task, List<Integer> sizes, int families) {
        sizes.forEach(valueBytes -> cases.add(new PairedCase(task, valueBytes, families, 1, 1)));
    }

    String name() {
        String where = families == 0 ? " of the default family" : " of random ones of " + families + " families";
        return switch (task) {
            case MULTIGET -> task + where;
            case PUT -> task + ", WAL off";
            case BATCH -> String.format(Locale.ROOT, "batch of %,d, %s, WAL off", records, task);
            default -> task.toString();
        };
    }

    String label() {
        return name() + (threads == 1 ? "" : ", " + Labels.threads(threads)) + ", " + Labels.size(valueBytes);
    }

    SequencedMap<String, Object> params(Workload workload) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("valueBytes", valueBytes);
        params.put("keyBytes", workload.keyBytes());
        if (task.isWriting()) {
            params.put("records", records);
            params.put("threads", threads);
        } else {
            params.put("keys", workload.keys());
        }
        params.put("families", families);
        return params;
    }
}
