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

    protected Suite(String name, String peer) {
        this.name = name;
        this.peer = peer;
    }

    /** How users choose the suite. */
    public final String name() {
        return name;
    }

    /** What ours is compared with. */
    public final String peer() {
        return peer;
    }

    /** The cases of the suite. */
    protected abstract List<? extends Case> cases(Effort effort);

    /** Measures every case that is wanted. */
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

    /** Draws the results that a picture shows better than the table; returns the files. */
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        return List.of();
    }
}
