package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Bounded queues between threads. */
record SizedQueueCase() implements JRubyCase {
    /** Outcrop's, by the name that the program knows. */
    private static final SequencedMap<String, String> OURS = JRubyCase.names("outcrop", "Outcrop::SizedQueue",
            "page-cache", "Mmap::SizedQueue, PageCache",
            "single-page", "Mmap::SizedQueue, SinglePage");
    private static final String RUBY = "ruby";
    private static final List<Integer> BOUNDS = List.of(20, 1000);
    /** Producers and consumers. */
    private static final List<String> FLOWS = List.of("through-1-1", "through-1-2", "through-2-1", "through-2-2");
    /** So many bytes of data for each item that goes through. */
    private static final int SHARE = 4 << 10;

    @Override
    public String label() {
        return "SizedQueue";
    }

    @Override
    public List<Row> run(Lab lab) {
        List<Row> rows = new ArrayList<>();
        for (int bound : lab.effort().isQuick() ? BOUNDS.subList(0, 1) : BOUNDS) {
            Map<String, Object> settings = Map.of("max", bound, "items", items(lab), "itemBytes", ITEM_BYTES,
                    "flows", String.join(",", FLOWS));
            RubySides sides = new RubySides(lab).add(RUBY, "queues", settings);
            OURS.keySet().forEach(side -> sides.add(side, "queues", settings));
            sides.run();
            for (String flow : FLOWS) {
                SequencedMap<String, Object> params = JRubyCase.params("bound", "of " + bound);
                params.put("threads", threads(flow));
                OURS.forEach((side, subject) -> rows.add(row(params, subject, sides.of(side, flow),
                        JRubySuite.PEER + " SizedQueue", sides.of(RUBY, flow), null)));
            }
        }
        return rows;
    }

    /** How many items go through a queue in an iteration: a multiple of what threads take at once. */
    static int items(Lab lab) {
        long chunk = 2000;
        return (int) (chunk * Math.max(1, lab.effort().dataBytes() / SHARE / chunk));
    }

    /** How a figure's threads are called: producers and consumers. */
    static String threads(String flow) {
        String[] parts = flow.split("-", -1);
        return parts[1] + "P" + parts[2] + "C";
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("producers and consumers, bound 20", "items a second", false);
        for (Row row : rows) {
            if (!String.valueOf(row.params().get("bound")).endsWith(" " + BOUNDS.getFirst())) {
                continue;
            }
            String threads = String.valueOf(row.params().get("threads"));
            bars.addRate(row.peerName(), threads, row.peer());
            bars.addRate(row.subject(), threads, row.ours().median());
        }
        return List.of(bars.draw(directory.resolve("jruby-sized-queue.png")));
    }
}
