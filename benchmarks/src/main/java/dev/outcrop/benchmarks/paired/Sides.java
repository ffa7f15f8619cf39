package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.turns.Side;
import java.util.List;

/** All who take part in a case in Java, with what they work on. */
interface Sides {
    /** Those who take turns, without the functions in C. */
    List<Side> all();

    /** A function in C, as a side. */
    default Side limit(String name, Side.Work function) {
        return new Side(Side.limitName(name), List.of(function));
    }

    /** Starts with a new database where the sides write; does nothing where they read. */
    default void renew() {
    }
}
