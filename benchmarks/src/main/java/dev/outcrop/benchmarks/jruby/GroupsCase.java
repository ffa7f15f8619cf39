package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Every item for each of several groups, against a queue in memory for each of them. */
record GroupsCase() implements JRubyCase {
    private static final List<String> GROUPS = List.of("1", "2", "4", "8");
    private static final String OUTCROP = "outcrop";
    private static final String RUBY = "ruby";
    private static final int ITEMS = 5000;

    @Override
    public String label() {
        return "groups";
    }

    @Override
    public List<Row> run(Lab lab) {
        Map<String, Object> settings = Map.of("itemBytes", ITEM_BYTES, "items", ITEMS, "groups",
                String.join(",", GROUPS));
        RubySides sides = new RubySides(lab).add(OUTCROP, "groups", settings)
                .add(RUBY, "groups", settings).run();
        return GROUPS.stream().map(groups -> row(JRubyCase.params("groups", groups), "Outcrop::Queue",
                sides.of(OUTCROP, groups), JRubySuite.PEER + " Queue for each", sides.of(RUBY, groups), null))
                .toList();
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("groups, each of which gets all items", "items a second, of all groups", false);
        rows.forEach(row -> bars.addRate(row.subject(), String.valueOf(row.params().get("groups")),
                row.ours().median()));
        return List.of(bars.draw(directory.resolve("jruby-groups.png")));
    }
}
