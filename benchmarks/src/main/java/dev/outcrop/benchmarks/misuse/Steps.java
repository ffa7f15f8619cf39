package dev.outcrop.benchmarks.misuse;

import java.util.concurrent.Callable;

/**
 * The steps of a mistake, on objects that are ready.
 *
 * @param close closes something
 * @param use   uses it, and returns what came out
 */
record Steps(Step close, Callable<?> use) {

    /** Something that may fail. */
    interface Step {
        void run() throws Exception;
    }

    /** A use that returns nothing. */
    static Steps of(Step close, Step use) {
        return new Steps(close, () -> {
            use.run();
            return "nothing";
        });
    }
}
