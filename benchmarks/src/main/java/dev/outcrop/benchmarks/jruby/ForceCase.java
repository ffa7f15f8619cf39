package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;

/** Where to force: after so many pushes, or never; pages and metadata, or a log. */
record ForceCase() implements JRubyCase {
    private static final String SIDE = "force";
    private static final String NEVER = "never";
    private static final String OUTCROP = "Outcrop::Queue";
    private static final String MMAP = "Mmap::Queue";
    /** What Mmap::Queue does, by figure. */
    private static final SequencedMap<String, String> FORCED = JRubyCase.names("every-1", "every push",
            "every-10", "every 10",
            "every-100", "every 100",
            "every-1000", "every 1000",
            NEVER, NEVER);
    /** What Outcrop::Queue does, by figure, and what Mmap::Queue does instead. */
    private static final SequencedMap<String, String> DURABILITIES = JRubyCase.names("every_push", "every-1",
            "group_commit", "every-1000",
            "page_cache", NEVER);
    /** What may be missing behind a power cut, by durability. */
    private static final Map<String, String> LOST = Map.of("every_push", "nothing", "group_commit",
            "some 1000 items", "page_cache", "what was in memory");
    private static final int ITEMS = 20_000;
    private static final int SYNCS = 50;

    @Override
    public String label() {
        return "force";
    }

    @Override
    public List<Row> run(Lab lab) {
        RubySides sides = new RubySides(lab).add(SIDE, "force",
                Map.of("itemBytes", ITEM_BYTES, "items", ITEMS, "syncs", SYNCS)).run();
        List<Row> rows = new ArrayList<>();
        FORCED.forEach((figure, label) -> rows.add(row(JRubyCase.params("force", label), MMAP, sides.of(SIDE, figure),
                "never", sides.of(SIDE, NEVER), null)));
        DURABILITIES.forEach((figure, peer) -> rows.add(row(JRubyCase.params("force", figure), OUTCROP,
                sides.of(SIDE, figure), MMAP + ", " + FORCED.get(peer), sides.of(SIDE, peer), null)));
        return rows;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("what is forced when", "pushes a second", true);
        // One series: a logarithmic axis has no place for bars that are not there.
        rows.forEach(row -> bars.addRate("pushes", row.subject() + ", " + row.params().get("force"),
                row.ours().median()));
        Bars log = new Bars("what a power cut costs", "pushes a second", true);
        rows.stream().filter(row -> row.subject().equals(OUTCROP)).forEach(row -> {
            String lost = Objects.requireNonNull(LOST.get(String.valueOf(row.params().get("force"))));
            log.addRate("pages and metadata: " + MMAP, lost, row.peer());
            log.addRate("a log: " + OUTCROP, lost, row.ours().median());
        });
        return List.of(bars.draw(directory.resolve("jruby-force.png")), log.draw(directory.resolve("jruby-log.png")));
    }
}
