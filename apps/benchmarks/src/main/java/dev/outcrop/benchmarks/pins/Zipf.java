package dev.outcrop.benchmarks.pins;

import java.util.Arrays;

/** Zipf's distribution: the probability of number i is proportional to 1 / (i + 1)<sup>exponent</sup>. */
final class Zipf {
    /** The cumulative distribution: for each number, the probability of this number or a smaller number. */
    private final double[] cumulative;

    /** Creates the table of numbers from 0 to {@code count - 1}. The benchmark YCSB uses an exponent of 0.99 (Cooper and others, 2010). */
    Zipf(int count, double exponent) {
        cumulative = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.pow(i + 1, -exponent);
            cumulative[i] = sum;
        }
        for (int i = 0; i < count; i++) {
            cumulative[i] /= sum;
        }
    }

    /** Returns the number for a probability from 0 to below 1. */
    int at(double uniform) {
        int found = Arrays.binarySearch(cumulative, uniform);
        // If an entry is equal, the part of its number ends just below, so the next number counts. Otherwise the number at the insertion
        // point counts. It exists, because the last entry is 1.
        return Math.min(found >= 0 ? found + 1 : -found - 1, cumulative.length - 1);
    }
}
