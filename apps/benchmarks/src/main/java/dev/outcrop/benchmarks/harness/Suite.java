package dev.outcrop.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Cases that belong together and have the same peer.
 *
 * @param name  one lower-case word; users choose the suite by this name
 * @param peer  the name that begins {@link Row#peerName()} in the rows that compare with the peer
 * @param cases makes the cases in the order of the table; a quick run needs only some of them
 * @param plot  draws results that a picture shows better than the table
 */
public record Suite(String name, String peer, Function<RunLength, List<? extends Case>> cases, Plot plot) {
    /** The peer of most suites. */
    public static final String ROCKSDBJNI = "rocksdbjni";

    /** Creates a suite without plots. */
    public Suite(String name, String peer, Function<RunLength, List<? extends Case>> cases) {
        this(name, peer, cases, (_, _) -> List.of());
    }

    /** Draws the rows of a suite into a directory, and returns the files. */
    @FunctionalInterface
    public interface Plot {
        List<Path> draw(List<Row> rows, Path directory) throws IOException;
    }

    /** Measures every case that the user asked for, and returns the rows of the table. */
    public List<Row> run(RunContext context) {
        List<? extends Case> wanted = wanted(context);
        if (!wanted.isEmpty()) {
            context.sayOrder();
        }
        List<Row> rows = new ArrayList<>();
        for (Case each : wanted) {
            try {
                List<Row> found = measure(each, context);
                found.forEach(context::finished);
                rows.addAll(found);
            } catch (UnavailableException e) {
                context.say(each.label() + ": not measured: " + e.getMessage());
            }
        }
        return rows;
    }

    /** Returns the cases that the user asked for. */
    public List<? extends Case> wanted(RunContext context) {
        return cases.apply(context.runLength()).stream().filter(each -> context.wants(each.label())).toList();
    }

    /** Measures one case, without files of an earlier case. */
    public static List<Row> measure(Case each, RunContext context) {
        context.clear();
        try {
            return each.run(context);
        } finally {
            context.clear();
        }
    }
}
