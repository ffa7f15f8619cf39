package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Side;
import java.util.List;

/** All sides of a case, with the database that they work on. */
interface PairedSides {
    /** The sides in Java. */
    List<Side> all();

    /** A function in C, as a side. */
    default Side limit(String name, Side.Work function) {
        return new Side(Side.limitName(name), List.of(function));
    }

    /** Starts with a new database where the sides write; does nothing where they read. */
    default void renew() {
    }
}
