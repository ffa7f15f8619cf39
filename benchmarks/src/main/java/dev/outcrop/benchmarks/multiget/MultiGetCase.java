package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.Labels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * One shape of database and call, in which all forms of all sides are compared.
 *
 * @param families   how many column families there are beside the default one; without any, that one is read
 * @param isRandom   whether the keys are spread over all of these families; otherwise one of them has all
 * @param valueBytes size of every value
 */
record MultiGetCase(int families, boolean isRandom, int valueBytes) {
    private static final List<Integer> VALUE_BYTES = List.of(256, 1 << 10, 4 << 10, 16 << 10, 64 << 10);
    private static final List<Integer> SOME_VALUE_BYTES = List.of(256, 4 << 10, 64 << 10);

    /** All cases, those of one database together. */
    static List<MultiGetCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(new MultiGetCase(0, false, 4 << 10), new MultiGetCase(20, true, 256));
        }
        List<MultiGetCase> cases = new ArrayList<>();
        VALUE_BYTES.forEach(valueBytes -> cases.add(new MultiGetCase(0, false, valueBytes)));
        cases.add(new MultiGetCase(1, false, 4 << 10));
        cases.add(new MultiGetCase(20, false, 4 << 10));
        cases.add(new MultiGetCase(100, false, 4 << 10));
        for (int families : List.of(20, 100)) {
            SOME_VALUE_BYTES.forEach(valueBytes -> cases.add(new MultiGetCase(families, true, valueBytes)));
        }
        return cases;
    }

    String name() {
        return switch (families) {
            case 0 -> "default family";
            case 1 -> "another family";
            default -> (isRandom ? "random of " : "one of ") + families + " families";
        };
    }

    String label() {
        return name() + ", " + Labels.size(valueBytes);
    }

    SequencedMap<String, Object> params(int keys) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("valueBytes", valueBytes);
        params.put("keyBytes", MultiGetWorkload.KEY_BYTES);
        params.put("keys", keys);
        params.put("keysACall", MultiGetWorkload.CALL_KEYS);
        params.put("families", families);
        return params;
    }
}
