package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.jruby.JRubyCase.Chart;
import dev.outcrop.benchmarks.jruby.JRubyCase.Figure;
import dev.outcrop.benchmarks.jruby.JRubyCase.Line;
import dev.outcrop.benchmarks.jruby.JRubyCase.RubySide;
import dev.outcrop.benchmarks.jruby.JRubyCase.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The gem for JRuby: Outcrop, Ruby's own queues, and the strategies of the talk. */
public final class JRubySuite {
    static final String NAME = "jruby";

    private static final String RUBYS = "Ruby's";
    private static final String OUTCROP_QUEUE = "Outcrop::Queue";
    private static final String MMAP_QUEUE = "Mmap::Queue";
    private static final String NEVER = "never";
    /** Size of an item, as in the talk. */
    private static final int ITEM_BYTES = 1 << 10;
    private static final int MEGABYTE = 1 << 10;

    private static final List<JRubyCase> CASES = List.of(mappedFile(), sizedQueue(), unboundedQueue(), headAndTail(),
            pageAndCacheSize(), slowDisk(), force(), order(), serializers(), groups());

    private JRubySuite() {
    }

    public static Suite suite() {
        return new Suite(NAME, RUBYS, _ -> CASES, (rows, directory) -> {
            List<Path> files = new ArrayList<>();
            for (JRubyCase each : CASES) {
                files.addAll(each.plot(rows, directory));
            }
            return files;
        });
    }

    /**
     * Strings into a file: the strategies of the talk, our methods, and the limit, which is measured in the same process as our methods.
     */
    private static JRubyCase mappedFile() {
        String ours = "put_bytes";
        String oursCopying = "put_bytes_copy";
        // The strategies that the talk has measured: their names in the program and in the table.
        SequencedMap<String, Object> strategies = Row.params("file-write", "Ruby's File#write",
                "implicit-default-charset", "Java, implicit, default charset",
                "implicit-iso-8859-1", "Java, implicit, ISO-8859-1",
                "explicit-ruby-cast", "Java, explicit cast in Ruby",
                "explicit-java-cast", "Java, explicit cast in Java",
                "extension-unsafe", "extension of 2015, unsafe",
                "extension-safe", "extension of 2015, safe",
                "jruby-only", "JRuby only");
        return new JRubyCase("mapped file", context -> {
            // A multiple of the size of the largest strings.
            int bytes = Math.clamp(context.runLength().dataBytes(), 16 << 20, 128 << 20);
            List<Integer> sizes = List.of(1 << 10, 4 << 10, 16 << 10);
            Map<String, Object> settings = Map.of("fileBytes", bytes, "sizes", joined(sizes));
            List<RubySide> sides = new ArrayList<>();
            strategies.keySet().forEach(strategy -> sides.add(new RubySide(strategy, "io", settings)));
            sides.add(new RubySide(ours, "io", settings));
            sides.add(new RubySide(oursCopying, "io", settings));
            List<Line> lines = new ArrayList<>();
            sizes.forEach(size -> strategies.forEach((strategy, peer) -> {
                // Compare a deliberate copy with a deliberate copy.
                String compared = strategy.equals("extension-safe") ? oursCopying : ours;
                String figure = String.valueOf(size);
                lines.add(new Line(Row.params("size", Labels.size(size)), compared, new Figure(compared, figure),
                        String.valueOf(peer), new Figure(strategy, figure), new Figure(ours, "limit-" + figure)));
            }));
            return new Table(sides, lines);
        }, List.of(new Chart("jruby-io.png", "size of a string", "% of MemorySegment.copy", false, (bars, row) -> {
            double limit = Objects.requireNonNull(row.limit());
            bars.add(row.peerName(), param(row, "size"), 100 * limit / row.peer());
            bars.add("Outcrop " + row.subject(), param(row, "size"), 100 * limit / row.ours().median());
        })));
    }

    /** Bounded queues between threads. */
    private static JRubyCase sizedQueue() {
        SequencedMap<String, Object> ours = Row.params("outcrop", "Outcrop::SizedQueue",
                "page-cache", "Mmap::SizedQueue, PageCache",
                "single-page", "Mmap::SizedQueue, SinglePage");
        List<String> flows = List.of("through-1-1", "through-1-2", "through-2-1", "through-2-2");
        return new JRubyCase("SizedQueue", context -> {
            List<RubySide> sides = new ArrayList<>();
            List<Line> lines = new ArrayList<>();
            for (int bound : context.runLength().isQuick() ? List.of(20) : List.of(20, 1000)) {
                queues(context, bound, ours, flows, sides,
                        flow -> Row.params("bound", "of " + bound, "threads", threads(flow)), "SizedQueue", lines);
            }
            return new Table(sides, lines);
        }, List.of(new Chart("jruby-sized-queue.png", "producers and consumers, bound 20", "items a second", false,
                (bars, row) -> {
                    if (param(row, "bound").equals("of 20")) {
                        bars.addRate(row.peerName(), param(row, "threads"), row.peer());
                        bars.addRate(row.subject(), param(row, "threads"), row.ours().median());
                    }
                })));
    }

    /** Queues without a bound: pushed and popped at once, pushed and then popped, only pushed. */
    private static JRubyCase unboundedQueue() {
        SequencedMap<String, Object> ours = Row.params("outcrop", OUTCROP_QUEUE, "page-cache", MMAP_QUEUE);
        List<String> flows = List.of("through-1-1", "through-1-2", "through-2-1", "through-2-2", "then-1-1",
                "then-1-2", "then-2-1", "then-2-2", "in-1-0", "in-2-0");
        SequencedMap<String, Object> ways = Row.params("through", "read/write", "then", "write, then read", "in",
                "write only");
        return new JRubyCase("unbounded Queue", context -> {
            List<RubySide> sides = new ArrayList<>();
            List<Line> lines = new ArrayList<>();
            queues(context, 0, ours, flows, sides,
                    flow -> Row.params("flow", String.valueOf(ways.get(flow.substring(0, flow.indexOf('-')))),
                            "threads", threads(flow)),
                    "Queue", lines);
            return new Table(sides, lines);
        }, List.of(new Chart("jruby-queue.png", "", "items a second", false, (bars, row) -> {
            String group = param(row, "flow") + " " + param(row, "threads");
            bars.addRate(row.peerName(), group, row.peer());
            bars.addRate(row.subject(), group, row.ours().median());
        })));
    }

    /** Adds the sides and lines of queues with one bound, against Ruby's own class. A bound of 0 means no bound. */
    private static void queues(RunContext context, int bound, SequencedMap<String, Object> ours, List<String> flows,
            List<RubySide> sides, Function<String, SequencedMap<String, Object>> params, String peer,
            List<Line> lines) {
        // The number of items is a multiple of the number that threads take at once, with 4 KB of data for each item.
        long chunk = 2000;
        long items = chunk * Math.max(1, context.runLength().dataBytes() / (4 << 10) / chunk);
        String suffix = bound == 0 ? "" : " of " + bound;
        Stream.concat(Stream.of("ruby"), ours.keySet().stream()).forEach(side -> {
            Map<String, Object> settings = new HashMap<>(Map.of("side", side, "items", items, "itemBytes", ITEM_BYTES,
                    "flows", String.join(",", flows)));
            if (bound > 0) {
                settings.put("max", bound);
            }
            sides.add(new RubySide(side + suffix, "queues", settings));
        });
        flows.forEach(flow -> ours.forEach((side, subject) -> lines.add(new Line(params.apply(flow),
                String.valueOf(subject), new Figure(side + suffix, flow), RUBYS + ' ' + peer,
                new Figure("ruby" + suffix, flow)))));
    }

    /** Returns the producers and consumers of a flow, such as {@code "1P2C"}. */
    private static String threads(String flow) {
        String[] parts = flow.split("-", -1);
        return parts[1] + "P" + parts[2] + "C";
    }

    /**
     * A cache of the most recently used pages, against a cache of only the head and the tail page. The caches differ only in the page that
     * they unmap.
     */
    private static JRubyCase headAndTail() {
        String side = "cache";
        String headAndTail = "head and tail";
        SequencedMap<String, Object> caches = Row.params("ends", headAndTail, "2", "LRU of 2", "4", "LRU of 4", "16",
                "LRU of 16");
        // Pages between tail and head, by the argument of the program.
        SequencedMap<String, Object> backlogs = Row.params("0.25", "1/4 page waits", "0.75", "3/4 page waits", "2",
                "2 pages wait", "8", "8 pages wait");
        List<String> names = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        for (int size : List.of(256, MEGABYTE, 4 * MEGABYTE)) {
            backlogs.forEach((backlog, waiting) -> caches.forEach((cache, subject) -> {
                String name = size + "x" + backlog + "x";
                names.add(name + cache);
                lines.add(new Line(Row.params("pageSize", pageSize(size), "backlog", waiting), String.valueOf(subject),
                        new Figure(side, name + cache), headAndTail, new Figure(side, name + "ends")));
            }));
        }
        return new JRubyCase(headAndTail, _ -> new Table(List.of(new RubySide(side, "cache",
                Map.of("itemBytes", ITEM_BYTES, "items", 20_000, "caches", String.join(",", names)))), lines),
                List.of(Chart.ofRates("jruby-cache.png", "page size, and how much of it waits", "items a second",
                        Row::subject, row -> param(row, "pageSize") + ", " + param(row, "backlog"))));
    }

    /** Page sizes and cache sizes of a PageCache, against the default. Its head and tail are on different pages if pages are small. */
    private static JRubyCase pageAndCacheSize() {
        String side = "pages";
        List<String> names = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        for (int size : List.of(64, 256, MEGABYTE, 4 * MEGABYTE, 16 * MEGABYTE, 100 * MEGABYTE)) {
            for (int count : List.of(1, 2, 4, 16)) {
                names.add(size + "x" + count);
                lines.add(new Line(Row.params("pageSize", pageSize(size), "cacheSize", "cache of " + count),
                        "Mmap::PagedQueue", new Figure(side, size + "x" + count), "100 MB, cache of 2",
                        new Figure(side, 100 * MEGABYTE + "x2")));
            }
        }
        // The backlog is a number of items, so it is less than a large page, or more than several small pages.
        return new JRubyCase("page and cache size", _ -> new Table(List.of(new RubySide(side, "pages",
                Map.of("itemBytes", ITEM_BYTES, "items", 20_000, "backlog", 5000, "pages", String.join(",", names)))),
                lines),
                List.of(Chart.ofRates("jruby-pages.png", "page size", "items a second", row -> param(row, "cacheSize"),
                        row -> param(row, "pageSize"))));
    }

    private static String pageSize(int kilobytes) {
        return kilobytes < MEGABYTE ? kilobytes + " KB" : kilobytes / MEGABYTE + " MB";
    }

    /** A disk that seeks slowly: {@code seek.c} makes every wait for the disk longer. */
    private static JRubyCase slowDisk() {
        SequencedMap<String, Object> subjects = Row.params("mmap-1", "Mmap::Queue, forced every push",
                "mmap-100", "Mmap::Queue, forced every 100",
                "mmap-never", "Mmap::Queue, never forced",
                "every_push-1", "Outcrop::Queue, every_push",
                "every_push-8", "Outcrop::Queue, every_push, 8 threads",
                "group_commit", "Outcrop::Queue, group_commit",
                "page_cache", "Outcrop::Queue, page_cache");
        return new JRubyCase("slow disk", context -> {
            Path library = context.library("seek");
            if (library == null) {
                return null;
            }
            List<RubySide> sides = new ArrayList<>();
            List<Line> lines = new ArrayList<>();
            for (int millis : context.runLength().isQuick() ? List.of(0, 10) : List.of(0, 1, 5, 10)) {
                String side = millis + " ms";
                int micros = millis * 1000;
                sides.add(new RubySide(side, "seek",
                        Map.of("itemBytes", ITEM_BYTES, "items", 20_000, "syncs", 25, "seekMicros", micros),
                        Map.of("LD_PRELOAD", library.toString(), "OUTCROP_SEEK_MICROS", Integer.toString(micros))));
                subjects.forEach((figure, subject) -> lines.add(new Line(Row.params("seek", side),
                        String.valueOf(subject), new Figure(side, figure), "without a seek",
                        new Figure("0 ms", figure))));
            }
            return new Table(sides, lines);
        }, List.of(new Chart("jruby-seek.png", "longer for each wait for the disk", "items a second", true,
                (bars, row) -> bars.addRate(row.subject(), param(row, "seek"), row.ours().median()))));
    }

    /** Forcing after a number of pushes, or never: pages and metadata, or a log. */
    private static JRubyCase force() {
        String side = "force";
        SequencedMap<String, Object> forced = Row.params("every-1", "every push", "every-10", "every 10", "every-100",
                "every 100", "every-1000", "every 1000", NEVER, NEVER);
        // The durabilities of Outcrop::Queue, and the figures of Mmap::Queue with which they are compared.
        SequencedMap<String, Object> durabilities = Row.params("every_push", "every-1", "group_commit", "every-1000",
                "page_cache", NEVER);
        // The possible loss in a power cut, by durability.
        Map<String, String> lost = Map.of("every_push", "nothing", "group_commit", "some 1000 items", "page_cache",
                "what was in memory");
        List<Line> lines = new ArrayList<>();
        forced.forEach((figure, label) -> lines.add(new Line(Row.params("force", label), MMAP_QUEUE,
                new Figure(side, figure), NEVER, new Figure(side, NEVER))));
        durabilities.forEach((figure, peer) -> lines.add(new Line(Row.params("force", figure), OUTCROP_QUEUE,
                new Figure(side, figure), MMAP_QUEUE + ", " + forced.get(String.valueOf(peer)),
                new Figure(side, String.valueOf(peer)))));
        return new JRubyCase(side, _ -> new Table(List.of(new RubySide(side, "force",
                Map.of("itemBytes", ITEM_BYTES, "items", 20_000, "syncs", 50))), lines), List.of(
                        // One series: a logarithmic axis has no place for missing bars.
                        new Chart("jruby-force.png", "what is forced when", "pushes a second", true,
                                (bars, row) -> bars.addRate("pushes", row.subject() + ", " + param(row, "force"),
                                        row.ours().median())),
                        new Chart("jruby-log.png", "what a power cut costs", "pushes a second", true, (bars, row) -> {
                            String loss = lost.get(param(row, "force"));
                            if (loss != null) {
                                bars.addRate("pages and metadata: " + MMAP_QUEUE, loss, row.peer());
                                bars.addRate("a log: " + OUTCROP_QUEUE, loss, row.ours().median());
                            }
                        })));
    }

    /** The order in which a record and its metadata get to the disk: the time of each order, and the result of a power cut in between. */
    private static JRubyCase order() {
        String side = "order";
        SequencedMap<String, Object> orders = Row.params("page-meta", "page, then metadata",
                "meta-page", "metadata, then page", "both", "both at once, two files", "one-file",
                "both at once, one file", "page", "only the page");
        return new JRubyCase("order of page and metadata", _ -> new Table(
                List.of(new RubySide(side, "order", Map.of("itemBytes", ITEM_BYTES, "syncs", 100))),
                orders.entrySet().stream().map(order -> new Line(Row.params("force", "each time"),
                        String.valueOf(order.getValue()), new Figure(side, order.getKey()), "page, then metadata",
                        new Figure(side, "page-meta"))).toList()),
                List.of(Chart.ofRates("jruby-order.png", "what is forced", "records a second", _ -> "records",
                        Row::subject)));
    }

    /**
     * Serializers side by side. For each serializer, also two queues against one queue: SizedQueue returns objects from memory, and Queue
     * reads them.
     */
    private static JRubyCase serializers() {
        List<String> serializers = List.of("identity", "marshal", "json", "msgpack");
        SequencedMap<String, Object> queues = Row.params("queue", OUTCROP_QUEUE, "sized", "Outcrop::SizedQueue",
                "mmap-queue", MMAP_QUEUE, "mmap-sized", "Mmap::SizedQueue");
        // The case with two queues, and the same case with one queue.
        Map<String, String> single = Map.of("sized", "queue", "mmap-sized", "mmap-queue");
        List<Line> lines = new ArrayList<>();
        serializers.forEach(serializer -> queues.forEach((figure, subject) -> {
            SequencedMap<String, Object> params = Row.params("serializer", serializer);
            Figure ours = new Figure(serializer, figure);
            lines.add(
                    new Line(params, String.valueOf(subject), ours, RUBYS + " Queue", new Figure(serializer, "ruby")));
            String one = single.get(figure);
            if (one != null) {
                lines.add(new Line(params, String.valueOf(subject), ours, String.valueOf(queues.get(one)),
                        new Figure(serializer, one)));
            }
        }));
        return new JRubyCase("serializer", _ -> new Table(serializers.stream()
                .map(serializer -> new RubySide(serializer, "items", Map.of("items", 5000))).toList(), lines),
                List.of(Chart.ofRates("jruby-serializers.png", "serializer", "items a second, pushed and popped",
                        Row::subject, row -> param(row, "serializer")),
                        new Chart("jruby-dual.png", "serializer", "times as fast as one queue", false, (bars, row) -> {
                            if (row.peerName().equals(OUTCROP_QUEUE) || row.peerName().equals(MMAP_QUEUE)) {
                                bars.add(row.subject() + " to " + row.peerName(), param(row, "serializer"),
                                        row.ratio());
                            }
                        })));
    }

    /** Every item for each of several groups, against one in-memory queue for each group. */
    private static JRubyCase groups() {
        List<Integer> groups = List.of(1, 2, 4, 8);
        Map<String, Object> settings = Map.of("itemBytes", ITEM_BYTES, "items", 5000, "groups", joined(groups));
        return new JRubyCase("groups", _ -> new Table(
                List.of(new RubySide("outcrop", "groups", settings), new RubySide("ruby", "groups", settings)),
                groups.stream().map(String::valueOf).map(count -> new Line(Row.params("groups", count), OUTCROP_QUEUE,
                        new Figure("outcrop", count), RUBYS + " Queue for each", new Figure("ruby", count))).toList()),
                List.of(Chart.ofRates("jruby-groups.png", "groups that each get all items",
                        "items a second, of all groups", Row::subject, row -> param(row, "groups"))));
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String param(Row row, String name) {
        return String.valueOf(row.params().get(name));
    }
}
