package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** The pages that were used last, against a head and a tail page and nothing else. They differ only in the page that they unmap. */
record CacheCase() implements JRubyCase {
    private static final String SIDE = "cache";
    private static final String ENDS = "ends";
    private static final String HEAD_AND_TAIL = "head and tail";
    private static final SequencedMap<String, String> CACHES = JRubyCase.names(ENDS, HEAD_AND_TAIL,
            "2", "LRU of 2",
            "4", "LRU of 4",
            "16", "LRU of 16");
    private static final List<Integer> KILOBYTES = List.of(256, 1 << 10, 4 << 10);
    /** Pages between tail and head, by what the program is told. */
    private static final SequencedMap<String, String> BACKLOGS = JRubyCase.names("0.25", "1/4 page waits",
            "0.75", "3/4 page waits",
            "2", "2 pages wait",
            "8", "8 pages wait");
    private static final int ITEMS = 20_000;

    @Override
    public String label() {
        return "head and tail";
    }

    @Override
    public List<Row> run(Lab lab) {
        List<String> names = new ArrayList<>();
        KILOBYTES.forEach(size -> BACKLOGS.keySet()
                .forEach(backlog -> CACHES.keySet().forEach(cache -> names.add(name(size, backlog, cache)))));
        RubySides sides = new RubySides(lab).add(SIDE, "cache",
                Map.of("itemBytes", ITEM_BYTES, "items", ITEMS, "caches", String.join(",", names))).run();
        List<Row> rows = new ArrayList<>();
        for (int size : KILOBYTES) {
            BACKLOGS.forEach((backlog, waiting) -> {
                SequencedMap<String, Object> params = JRubyCase.params("pageSize", PagesCase.size(size));
                params.put("backlog", waiting);
                CACHES.forEach((cache, subject) -> rows.add(row(params, subject,
                        sides.of(SIDE, name(size, backlog, cache)), HEAD_AND_TAIL,
                        sides.of(SIDE, name(size, backlog, ENDS)), null)));
            });
        }
        return rows;
    }

    private static String name(int kilobytes, String backlog, String cache) {
        return kilobytes + "x" + backlog + "x" + cache;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("page size, and how much of it waits", "items a second", false);
        rows.forEach(row -> bars.addRate(row.subject(),
                row.params().get("pageSize") + ", " + row.params().get("backlog"), row.ours().median()));
        return List.of(bars.draw(directory.resolve("jruby-cache.png")));
    }
}
