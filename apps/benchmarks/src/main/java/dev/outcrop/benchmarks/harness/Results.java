package dev.outcrop.benchmarks.harness;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all sides of a {@link ProcessComparison}.
 *
 * @param bySide the figures of each side, by its name
 */
public record Results(Map<String, Figures> bySide) {
    public Results {
        bySide = Map.copyOf(bySide);
    }

    /** Returns the figures of a side. */
    public Figures of(String side) {
        Figures figures = bySide.get(side);
        if (figures == null) {
            throw new IllegalArgumentException("'" + side + "' was not measured, but " + bySide.keySet());
        }
        return figures;
    }

    /** Returns the time of a side, or null if the side was left out. */
    public @Nullable Double timeIfMeasured(String side) {
        return bySide.containsKey(side) ? of(side).time().median() : null;
    }

    /** Returns the name of the side with the smallest value of a figure. */
    public String fastest(List<String> sides, String figure) {
        return sides.stream().min(Comparator.comparingDouble(side -> of(side).of(figure).median())).orElseThrow();
    }
}
