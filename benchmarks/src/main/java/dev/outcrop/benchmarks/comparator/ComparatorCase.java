package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * One operation on keys in one order.
 *
 * @param operation what is done
 * @param order     the order of the keys
 * @param threads   how many threads do it at once
 */
record ComparatorCase(Operation operation, KeyOrder order, int threads) {
    /** All cases. */
    static List<ComparatorCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(new ComparatorCase(Operation.GET, KeyOrder.NUMBERS, 1),
                    new ComparatorCase(Operation.WRITE, KeyOrder.NUMBERS, 1),
                    new ComparatorCase(Operation.GET, KeyOrder.BYTES, 1));
        }
        List<ComparatorCase> cases = new ArrayList<>();
        for (KeyOrder order : KeyOrder.values()) {
            cases.add(new ComparatorCase(Operation.GET, order, 1));
            cases.add(new ComparatorCase(Operation.GET, order, 2));
            cases.add(new ComparatorCase(Operation.SEEK, order, 1));
            cases.add(new ComparatorCase(Operation.WRITE, order, 1));
        }
        return cases;
    }

    String label() {
        return operation + ", " + order + ", " + Labels.threads(threads);
    }

    SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("keyBytes", order.keyBytes());
        params.put("valueBytes", Workload.VALUE_BYTES);
        params.put("keys", Workload.KEYS);
        params.put("threads", threads);
        return params;
    }
}
