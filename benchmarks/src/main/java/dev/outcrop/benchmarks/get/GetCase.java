package dev.outcrop.benchmarks.get;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * One way of reading, in which all forms of all sides are compared.
 *
 * @param valueBytes size of every value
 * @param isHot      whether one key is read over and over, instead of random ones
 * @param threads    how many threads read at once
 */
record GetCase(int valueBytes, boolean isHot, int threads) {
    private static final List<Integer> VALUE_BYTES = List.of(16, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 128 << 10);

    /** All cases, those of one size together, so that each database is made once. */
    static List<GetCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(new GetCase(16, true, 1), new GetCase(256, false, 2), new GetCase(4 << 10, true, 1),
                    new GetCase(4 << 10, false, 1), new GetCase(64 << 10, false, 1));
        }
        List<GetCase> cases = new ArrayList<>();
        for (int valueBytes : VALUE_BYTES) {
            for (int threads = 1; threads <= 2; threads++) {
                cases.add(new GetCase(valueBytes, true, threads));
                cases.add(new GetCase(valueBytes, false, threads));
            }
        }
        return cases;
    }

    String name() {
        return isHot ? "hot key" : "random keys";
    }

    String label() {
        String size = valueBytes < 1 << 10 ? valueBytes + " B" : (valueBytes >> 10) + " KB";
        return name() + ", " + size + ", " + threads + (threads == 1 ? " thread" : " threads");
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
