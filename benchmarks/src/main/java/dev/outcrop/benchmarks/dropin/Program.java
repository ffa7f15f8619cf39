package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.turns.Side;

/** What a program does with a database of its own, over and over. Loaded once, unlike its implementations. */
public interface Program extends Side.Work {
    /**
     * Begins with an empty database if the program writes; otherwise does nothing.
     *
     * @throws Exception if that fails
     */
    void renew() throws Exception;
}
