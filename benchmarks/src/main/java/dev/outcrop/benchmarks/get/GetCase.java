package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * One way of reading, in which all forms of all sides are compared.
 *
 * @param valueBytes size of every value
 * @param access     which keys are read
 * @param threads    how many threads read at once
 */
record GetCase(int valueBytes, Access access, int threads) {
    private static final List<Integer> VALUE_BYTES = List.of(16, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 128 << 10);

    /** All cases, those of one size together, so that each database is made once. */
    static List<GetCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(new GetCase(16, Access.FRESH_KEY, 1), new GetCase(256, Access.RANDOM_KEYS, 2),
                    new GetCase(4 << 10, Access.HOT_KEY, 1), new GetCase(4 << 10, Access.RANDOM_KEYS, 1),
                    new GetCase(64 << 10, Access.RANDOM_KEYS, 1));
        }
        List<GetCase> cases = new ArrayList<>();
        addBoth(cases, 16, Access.FRESH_KEY);
        for (int valueBytes : VALUE_BYTES) {
            addBoth(cases, valueBytes, Access.HOT_KEY);
            addBoth(cases, valueBytes, Access.RANDOM_KEYS);
        }
        return cases;
    }

    private static void addBoth(List<GetCase> cases, int valueBytes, Access access) {
        cases.add(new GetCase(valueBytes, access, 1));
        cases.add(new GetCase(valueBytes, access, 2));
    }

    String name() {
        return access.toString();
    }

    String label() {
        return name() + ", " + Labels.size(valueBytes) + ", " + Labels.threads(threads);
    }

    SequencedMap<String, Object> params(int keys) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("valueBytes", valueBytes);
        params.put("keyBytes", Workload.KEY_BYTES);
        params.put("keys", keys);
        params.put("threads", threads);
        return params;
    }
}
