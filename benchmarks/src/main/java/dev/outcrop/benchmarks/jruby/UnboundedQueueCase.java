package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Queues without a bound: pushed and popped at once, pushed and then popped, only pushed. */
record UnboundedQueueCase() implements JRubyCase {
    private static final SequencedMap<String, String> OURS = JRubyCase.names("outcrop", "Outcrop::Queue",
            "page-cache", "Mmap::Queue");
    private static final String RUBY = "ruby";
    /** Producers and consumers. */
    private static final List<String> FLOWS = List.of("through-1-1", "through-1-2", "through-2-1", "through-2-2",
            "then-1-1", "then-1-2", "then-2-1", "then-2-2", "in-1-0", "in-2-0");

    @Override
    public String label() {
        return "unbounded Queue";
    }

    @Override
    public List<Row> run(Lab lab) {
        Map<String, Object> settings = Map.of("items", SizedQueueCase.items(lab), "itemBytes", ITEM_BYTES, "flows",
                String.join(",", FLOWS));
        RubySides sides = new RubySides(lab).add(RUBY, "queues", settings);
        OURS.keySet().forEach(side -> sides.add(side, "queues", settings));
        sides.run();
        List<Row> rows = new ArrayList<>();
        for (String flow : FLOWS) {
            SequencedMap<String, Object> params = JRubyCase.params("flow", way(flow));
            params.put("threads", SizedQueueCase.threads(flow));
            OURS.forEach((side, subject) -> rows.add(row(params, subject, sides.of(side, flow),
                    JRubySuite.PEER + " Queue", sides.of(RUBY, flow), null)));
        }
        return rows;
    }

    private static String way(String flow) {
        return switch (flow.substring(0, flow.indexOf('-'))) {
            case "through" -> "read/write";
            case "then" -> "write, then read";
            default -> "write only";
        };
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("", "items a second", false);
        for (Row row : rows) {
            String group = row.params().get("flow") + " " + row.params().get("threads");
            bars.addRate(row.peerName(), group, row.peer());
            bars.addRate(row.subject(), group, row.ours().median());
        }
        return List.of(bars.draw(directory.resolve("jruby-queue.png")));
    }
}
