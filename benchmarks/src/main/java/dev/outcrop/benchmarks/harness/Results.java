package dev.outcrop.benchmarks.harness;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the sides of a {@link Contest} measured.
 *
 * @param bySide one measurement for each side, by its name
 */
public record Results(Map<String, Measurement> bySide) {
    /** Copies the map. */
    public Results {
        bySide = Map.copyOf(bySide);
    }

    /**
     * The result of a side.
     *
     * @param side its name
     * @return its measurement
     * @throws IllegalArgumentException if it was not in the contest
     */
    public Measurement of(String side) {
        Measurement measurement = bySide.get(side);
        if (measurement == null) {
            throw new IllegalArgumentException("'" + side + "' was not measured, but " + bySide.keySet());
        }
        return measurement;
    }

    /**
     * Nanoseconds an operation of a side that may have been left out.
     *
     * @param side its name
     * @return null if it was not in the contest
     */
    public @Nullable Double nanosIfMeasured(String side) {
        Measurement measurement = bySide.get(side);
        return measurement == null ? null : measurement.nanos();
    }

    /**
     * The better one of two sides.
     *
     * @param one   a name
     * @param other another name
     * @return the name of the one that takes less time
     */
    public String faster(String one, String other) {
        return of(one).nanos() <= of(other).nanos() ? one : other;
    }
}
