package dev.outcrop.benchmarks.harness;

import java.util.List;

/** A task on which all sides are compared. */
public interface Case {
    /** Returns the name in the table. Users choose the case by this name. It is unique in the suite. */
    String label();

    /** Compares the sides and returns the rows of the table. */
    List<Row> run(RunContext context);
}
