package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Something in which all sides are compared. */
interface QueueCase {
    /** What it is called in the table. */
    String label();

    /**
     * Compares the sides.
     *
     * @param lab       how
     * @param directory for the queue; not there yet, and deleted afterwards
     * @param c         the C program, if there is a compiler
     * @return the results
     */
    List<Row> run(Lab lab, Path directory, Optional<CProgram> c);
}
