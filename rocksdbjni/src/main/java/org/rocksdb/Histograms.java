package org.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CHistograms;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Numbers of histograms in C, which are others than in Java; their names are the same. */
final class Histograms {

    private static final Map<HistogramType, Integer> NUMBERS = new EnumMap<>(HistogramType.class);

    static {
        for (HistogramType type : HistogramType.values()) {
            NUMBERS.put(type, type == HistogramType.HISTOGRAM_ENUM_MAX
                    ? CHistograms.NAMES.size()
                    : Objects.checkIndex(CHistograms.NAMES.indexOf(type.name()), CHistograms.NAMES.size()));
        }
    }

    private Histograms() {
    }

    static int number(HistogramType type) {
        return NUMBERS.get(type);
    }
}
