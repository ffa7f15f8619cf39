package org.rocksdb;

import dev.outcrop.rocksdb.Histogram;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Numbers of histograms in C, which are others than in Java; their names are the same. */
final class Histograms {

    private static final Map<HistogramType, Integer> NUMBERS = new EnumMap<>(HistogramType.class);

    static {
        Map<String, Integer> numbers = new HashMap<>();
        for (Histogram histogram : Histogram.values()) {
            numbers.put(histogram.name(), numbers.size()); // their order is that of their numbers
        }
        numbers.put(HistogramType.HISTOGRAM_ENUM_MAX.name(), numbers.size());
        for (HistogramType type : HistogramType.values()) {
            NUMBERS.put(type, Objects.requireNonNull(numbers.get(type.name()), type.name()));
        }
    }

    private Histograms() {
    }

    static int number(HistogramType type) {
        return NUMBERS.get(type);
    }
}
