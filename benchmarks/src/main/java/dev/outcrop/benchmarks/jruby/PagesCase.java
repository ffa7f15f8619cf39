package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Page size and cache size of a PageCache whose head and tail are on different pages, against the default.
 */
record PagesCase() implements JRubyCase {
    private static final String SIDE = "pages";
    private static final String DEFAULT = name(100 << 10, 2);
    private static final int MEGABYTE = 1 << 10;
    private static final List<Integer> KILOBYTES = List.of(64, 256, MEGABYTE, 4 * MEGABYTE, 16 * MEGABYTE,
            100 * MEGABYTE);
    private static final List<Integer> CACHE_SIZES = List.of(1, 2, 4, 16);
    /** Items between tail and head: less than a page, and more than several, whichever page it is. */
    private static final int BACKLOG = 5000;
    private static final int ITEMS = 20_000;

    @Override
    public String label() {
        return "page and cache size";
    }

    @Override
    public List<Row> run(Lab lab) {
        List<String> names = new ArrayList<>();
        KILOBYTES.forEach(size -> CACHE_SIZES.forEach(count -> names.add(name(size, count))));
        RubySides sides = new RubySides(lab).add(SIDE, "pages", Map.of("itemBytes", ITEM_BYTES, "items", ITEMS,
                "backlog", BACKLOG, "pages", String.join(",", names))).run();
        List<Row> rows = new ArrayList<>();
        for (int size : KILOBYTES) {
            for (int count : CACHE_SIZES) {
                SequencedMap<String, Object> params = JRubyCase.params("pageSize", size(size));
                params.put("cacheSize", "cache of " + count);
                rows.add(row(params, "Mmap::PagedQueue", sides.of(SIDE, name(size, count)), "100 MB, cache of 2",
                        sides.of(SIDE, DEFAULT), null));
            }
        }
        return rows;
    }

    /** The name of a page size. */
    static String size(int kilobytes) {
        return kilobytes < MEGABYTE ? kilobytes + " KB" : kilobytes / MEGABYTE + " MB";
    }

    private static String name(int kilobytes, int count) {
        return kilobytes + "x" + count;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("page size", "items a second", false);
        rows.forEach(row -> bars.addRate(String.valueOf(row.params().get("cacheSize")),
                String.valueOf(row.params().get("pageSize")), row.ours().median()));
        return List.of(bars.draw(directory.resolve("jruby-pages.png")));
    }
}
