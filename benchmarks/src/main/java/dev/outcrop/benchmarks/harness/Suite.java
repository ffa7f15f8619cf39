package dev.outcrop.benchmarks.harness;

import java.util.List;

/** Cases that belong together and are compared with the same peer. */
public interface Suite {
    /**
     * How users choose it.
     *
     * @return one lower-case word
     */
    String name();

    /**
     * Whom ours is compared with.
     *
     * @return the name that begins {@link Row#peerName()}
     */
    String peer();

    /**
     * Measures every case that is wanted.
     *
     * @param lab how and where
     * @return the results, in the order of the table
     * @throws BenchmarkException if a case cannot be measured
     */
    List<Row> run(Lab lab);
}
