package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * In which order a record and its metadata get to the disk: how long it takes, and what a power cut in between leaves.
 */
record OrderCase() implements JRubyCase {
    private static final String SIDE = "order";
    private static final String PEER = "page-meta";
    private static final SequencedMap<String, String> ORDERS = JRubyCase.names(PEER, "page, then metadata",
            "meta-page", "metadata, then page",
            "both", "both at once, two files",
            "one-file", "both at once, one file",
            "page", "only the page");
    private static final int SYNCS = 100;

    @Override
    public String label() {
        return "order of page and metadata";
    }

    @Override
    public List<Row> run(Lab lab) {
        RubySides sides = new RubySides(lab).add(SIDE, "order", Map.of("itemBytes", ITEM_BYTES, "syncs", SYNCS)).run();
        sides.texts(SIDE).forEach(text -> lab.say("power cut: " + text));
        String peer = Objects.requireNonNull(ORDERS.get(PEER));
        return ORDERS.entrySet().stream().map(order -> row(JRubyCase.params("force", "each time"),
                order.getValue(), sides.of(SIDE, order.getKey()), peer, sides.of(SIDE, PEER), null)).toList();
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("what is forced", "records a second", false);
        rows.forEach(row -> bars.addRate("records", row.subject(), row.ours().median()));
        return List.of(bars.draw(directory.resolve("jruby-order.png")));
    }
}
