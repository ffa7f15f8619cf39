package dev.outcrop.benchmarks.harness;

import java.util.List;

/** A task on which all sides are compared. */
public interface Case {
    /** Returns the name in the table, by which users choose the case. It is unique in the suite. */
    String label();

    /** Compares the sides and returns the rows of the table. */
    List<Row> run(RunContext context);
}
