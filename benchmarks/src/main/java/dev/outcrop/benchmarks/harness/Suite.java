package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
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

    /**
     * Draws the results, if there is anything that a picture shows better than the table.
     *
     * @param rows      what {@link #run} returned
     * @param directory where the files go
     * @return the files; none if not overridden
     * @throws IOException if they cannot be written
     */
    default List<Path> plot(List<Row> rows, Path directory) throws IOException {
        return List.of();
    }
}
