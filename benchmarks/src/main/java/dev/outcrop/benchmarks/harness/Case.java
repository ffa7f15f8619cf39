package dev.outcrop.benchmarks.harness;

import java.util.List;

/** Something in which all sides are compared. */
public interface Case {
    /**
     * The name in the table, by which users choose the case.
     *
     * @return a text that no other case of the suite has
     */
    String label();

    /**
     * Compares the sides.
     *
     * @param lab how and where
     * @return the results, in the order of the table
     * @throws BenchmarkException if the case cannot be measured
     */
    List<Row> run(Lab lab);
}
