package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Cases that belong together and are compared with the same peer. */
public abstract class Suite {
    /** The peer of most suites. */
    public static final String ROCKSDBJNI = "rocksdbjni";

    private final String name;
    private final String peer;

    /**
     * Creates a suite.
     *
     * @param name how users choose it: one lower-case word
     * @param peer what ours is compared with; begins {@link Row#peerName()}
     */
    protected Suite(String name, String peer) {
        this.name = name;
        this.peer = peer;
    }

    /**
     * How users choose the suite.
     *
     * @return one lower-case word
     */
    public final String name() {
        return name;
    }

    /**
     * What ours is compared with.
     *
     * @return the name that begins {@link Row#peerName()}
     */
    public final String peer() {
        return peer;
    }

    /**
     * The cases of the suite.
     *
     * @param effort a quick run needs only a part of them
     * @return the cases, in the order of the table
     */
    protected abstract List<? extends Case> cases(Effort effort);

    /**
     * Measures every case that is wanted.
     *
     * @param lab how and where
     * @return the results, in the order of the table
     * @throws BenchmarkException if a case cannot be measured
     */
    public final List<Row> run(Lab lab) {
        List<? extends Case> wanted = cases(lab.effort()).stream().filter(each -> lab.wants(each.label())).toList();
        if (!wanted.isEmpty()) {
            lab.sayOrder();
        }
        List<Row> rows = new ArrayList<>();
        for (Case each : wanted) {
            lab.clear();
            try {
                List<Row> found = each.run(lab);
                found.forEach(lab::finished);
                rows.addAll(found);
            } finally {
                lab.clear();
            }
        }
        return rows;
    }

    /**
     * Draws the results, if there is anything that a picture shows better than the table.
     *
     * @param rows      what {@link #run} returned
     * @param directory where the files go
     * @return the files; none if not overridden
     * @throws IOException if they cannot be written
     */
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        return List.of();
    }
}
