package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Side;
import java.util.List;

/** All sides of a case, with the database that they work on. */
interface PairedSides {
    /** Returns the sides in Java. */
    List<Side> all();

    /** Returns a C function as a side. */
    default Side limit(String name, Side.Work function) {
        return new Side(Side.limitName(name), List.of(function));
    }

    /** Starts with a new database if the sides write. Does nothing if they read. */
    default void renew() {
    }
}
