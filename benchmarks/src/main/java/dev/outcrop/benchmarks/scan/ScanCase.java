package dev.outcrop.benchmarks.scan;

import dev.outcrop.benchmarks.harness.Labels;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * One way of scanning, in which all forms of all sides are compared.
 *
 * @param valueBytes size of every value
 * @param movement   which entries are read
 */
record ScanCase(int valueBytes, Movement movement) {
    private static final List<Integer> VALUE_BYTES = List.of(16, 256, 1 << 10, 4 << 10);

    /** All cases, those of one size together, so that each database is made once. */
    static List<ScanCase> all(boolean isQuick) {
        if (isQuick) {
            return List.of(new ScanCase(16, Movement.FULL), new ScanCase(16, Movement.RANGE),
                    new ScanCase(16, Movement.SEEK), new ScanCase(1 << 10, Movement.FULL),
                    new ScanCase(1 << 10, Movement.BACKWARD));
        }
        return VALUE_BYTES.stream()
                .flatMap(bytes -> Arrays.stream(Movement.values()).map(movement -> new ScanCase(bytes, movement)))
                .toList();
    }

    String name() {
        return movement.toString();
    }

    String label() {
        return name() + ", " + Labels.size(valueBytes);
    }

    SequencedMap<String, Object> params(int keys) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("valueBytes", valueBytes);
        params.put("keyBytes", ScanWorkload.KEY_BYTES);
        params.put("keys", keys);
        return params;
    }
}
