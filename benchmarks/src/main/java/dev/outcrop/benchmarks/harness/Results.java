package dev.outcrop.benchmarks.harness;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the sides of a {@link Contest} measured.
 *
 * @param bySide the figures of each side, by its name
 */
public record Results(Map<String, Figures> bySide) {
    /** Copies the map. */
    public Results {
        bySide = Map.copyOf(bySide);
    }

    /**
     * The figures of a side.
     *
     * @param side its name
     * @return its figures
     * @throws IllegalArgumentException if it was not in the contest
     */
    public Figures of(String side) {
        Figures figures = bySide.get(side);
        if (figures == null) {
            throw new IllegalArgumentException("'" + side + "' was not measured, but " + bySide.keySet());
        }
        return figures;
    }

    /**
     * The time of a side that may have been left out.
     *
     * @param side its name
     * @return null if it was not in the contest
     */
    public @Nullable Double timeIfMeasured(String side) {
        return bySide.containsKey(side) ? of(side).time().median() : null;
    }

    /**
     * Finds the fastest of some sides.
     *
     * @param sides  their names
     * @param figure what counts
     * @return the name of the one that takes the least
     */
    public String fastest(List<String> sides, String figure) {
        return sides.stream().min(Comparator.comparingDouble(side -> of(side).of(figure).median())).orElseThrow();
    }
}
