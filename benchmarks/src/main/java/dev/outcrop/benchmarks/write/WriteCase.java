package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * One way of writing, in which all forms of all sides are compared.
 *
 * @param action   what an operation does
 * @param records  how many keys it puts
 * @param log      what becomes of the write-ahead log
 * @param isRandom whether keys are random; otherwise they ascend
 * @param threads  how many threads write at once
 */
record WriteCase(Action action, int records, Log log, boolean isRandom, int threads) {
    private static final List<Integer> BATCHES = List.of(10, 100, 1000);

    static List<WriteCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(put(Log.OFF, 1), build(1000), write(1000, Log.OFF, 1), write(100, Log.ON, 2),
                    put(Log.SYNC, 1));
        }
        List<WriteCase> cases = new ArrayList<>();
        BATCHES.forEach(records -> cases.add(build(records)));
        for (Log log : Log.values()) {
            for (int threads = 1; threads <= 2; threads++) {
                cases.add(put(log, threads));
                for (int records : BATCHES) {
                    cases.add(write(records, log, threads));
                }
            }
        }
        cases.add(new WriteCase(Action.PUT, 1, Log.OFF, true, 1));
        cases.add(new WriteCase(Action.WRITE, 1000, Log.OFF, true, 1));
        return List.copyOf(cases);
    }

    private static WriteCase put(Log log, int threads) {
        return new WriteCase(Action.PUT, 1, log, false, threads);
    }

    private static WriteCase build(int records) {
        return new WriteCase(Action.BUILD, records, Log.OFF, false, 1);
    }

    private static WriteCase write(int records, Log log, int threads) {
        return new WriteCase(Action.WRITE, records, log, false, threads);
    }

    String name() {
        String batch = String.format(Locale.ROOT, "batch of %,d", records);
        return switch (action) {
            case PUT -> "put";
            case BUILD -> batch + ", build";
            case WRITE -> batch + ", build + write";
        };
    }

    String label() {
        if (action == Action.BUILD) {
            return name();
        }
        return name() + ", " + log + (isRandom ? ", random keys, " : ", ") + Labels.threads(threads);
    }

    SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("records", records);
        params.put("keyBytes", WriteWorkload.KEY_BYTES);
        params.put("valueBytes", WriteWorkload.VALUE_BYTES);
        params.put("keys", isRandom ? "random" : "ascending");
        params.put("log", log.toString());
        params.put("threads", threads);
        return params;
    }
}
