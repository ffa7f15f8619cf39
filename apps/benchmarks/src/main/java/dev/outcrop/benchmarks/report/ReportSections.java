package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.report.PublishedFigures.Published;
import dev.outcrop.benchmarks.report.ReportSection.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The questions of a report. Each has the lines that answer it, and the figures that others have published about it. */
final class ReportSections {
    private static final String PAIRED = "paired";
    private static final String QUEUE = "queue";
    private static final String JRUBY = "jruby";
    private static final String NOTHING = "This report has no line about it.";
    private static final String TIMES = "times as fast as the peer";
    private static final String VALUE_BYTES = "valueBytes";
    private static final String NONE = "–";

    private final List<Row> rows;

    ReportSections(ReportData data) {
        rows = data.rows();
    }

    /** Returns all sections, in the order of the page. */
    List<ReportSection> all() {
        return List.of(gets(), multiGets(), writing(), rubyQueues(), calls(), queue(), scans(), pins(), durable(),
                threads(), dropin(), start(), pipeline(), callbacks(), others());
    }

    private List<Row> rows(String suite, Predicate<Row> which) {
        return rows.stream().filter(row -> row.suite().equals(suite)).filter(which).toList();
    }

    private static boolean isTime(Row row) {
        return row.unit().equals(Row.UNIT);
    }

    private static boolean isOfOneThread(Row row) {
        return !(row.number("threads") > 1);
    }

    /** Adds a bar for Outcrop and a bar for C to the group of a row. The peer is the line at 1. */
    private static Plot ratios(List<Row> drawn) {
        Plot plot = new Plot(TIMES, false);
        for (Row row : drawn) {
            String group = row.label() + ": " + row.subject();
            plot.bar(group, PlotSide.OUTCROP, ReportSection.isUncertain(row) ? "?" : "", row.ratio());
            if (row.limit() != null) {
                plot.bar(group, PlotSide.C, "", row.peer() / row.limit());
            }
            plot.bar(group, PlotSide.ofPeer(row.peerName()), row.peerName(), 1);
        }
        return plot;
    }

    private static ReportSection compared(String title, String text, List<Row> drawn, List<Row> all) {
        return new ReportSection(title, all.isEmpty() ? NOTHING + ' ' + text : text,
                ratios(drawn), List.of(Table.of("All lines", all)));
    }

    private static Map<Double, Double> points(List<Row> rows, ToDoubleFunction<Row> x, ToDoubleFunction<Row> y) {
        Map<Double, Double> points = new TreeMap<>();
        rows.forEach(row -> points.put(x.applyAsDouble(row), y.applyAsDouble(row)));
        points.values().removeIf(value -> !Double.isFinite(value));
        return points;
    }

    private static String size(double bytes) {
        return bytes < 1024 ? Plot.number(bytes) + " B" : Plot.number(Math.rint(bytes / 1024)) + " KB";
    }

    private static boolean isAbout(double one, double other) {
        return Math.abs(one - other) <= 0.02 * other;
    }

    /** Returns the section about gets: the prototype's forms and our forms. */
    private ReportSection gets() {
        List<Row> points = rows(PAIRED, row -> row.name().matches("(fresh|hot|random|ascending) keys? of .*"));
        List<Row> asPublished = points.stream()
                .filter(row -> row.name().equals("random keys of 128 B") && isOfOneThread(row)).toList();
        List<Row> drawn = asPublished.stream().map(row -> row.number(VALUE_BYTES)).distinct().count() > 1
                ? asPublished
                : points.stream().filter(row -> row.name().equals("random keys of 16 B") && isOfOneThread(row))
                        .toList();
        Plot plot = new Plot("times as fast as JNI's best form", false).over("bytes of a value", true,
                ReportSections::size);
        for (String form : List.of("pinned", "segment", "hybrid")) {
            plot.line(PlotSide.OUTCROP, form, points(of(drawn, form), row -> row.number(VALUE_BYTES), Row::ratio));
        }
        plot.line(PlotSide.C, "pinned", points(of(drawn, "pinned"), row -> row.number(VALUE_BYTES),
                row -> row.limit() == null ? Double.NaN : row.peer() / row.limit()));
        List<Published> published = PublishedFigures.of("get");
        if (!plot.isEmpty()) {
            for (String form : List.of("ffiGetPinnableSlice", "ffiGetOutputSlice")) {
                Map<Double, Double> ratios = new LinkedHashMap<>();
                published.stream().filter(each -> each.form().equals(form) && each.shape().equals("100000")).forEach(
                        each -> ratios.put((double) each.size(), each.value() / best(published, each)));
                plot.line(PlotSide.PUBLISHED, form + ", 100,000 keys", ratios);
            }
        }
        List<List<String>> table = new ArrayList<>();
        for (Published each : published) {
            List<String> cells = new ArrayList<>(
                    List.of(each.form(), String.format(Locale.ROOT, "%,d", Integer.parseInt(each.shape())),
                            String.format(Locale.ROOT, "%,d B", each.size()), Plot.number(each.value()),
                            ReportSection.times(each.value() / preallocated(published, each))));
            cells.addAll(here(getLike(each, points)));
            table.add(cells);
        }
        return new ReportSection("1. get: JNI and FFM, by the size of the value",
                "Published: the FFI prototype of RocksDB's blog, against JNI. Keys have 128 B. Forms that end in Random read random "
                        + "keys, the others ascending ones. Here: the same, with values of 128 KB instead of 130,072 B, and with "
                        + "100,000 keys or as many as fit into 400 MB (128 MB in a quick report), because all sides read from a block "
                        + "cache of 1 GB. Each form of the prototype is compared with our form like it and with JNI's best one. Copying "
                        + "and pinning are equally fast where our two lines cross.",
                plot, List.of(new Table("Published, and ours beside it: operations a second",
                        List.of("published form", "keys", "value", "published", "÷ preallocatedGet", "keys here",
                                "rocksdbjni here", "ours here", "ours, times as fast", "C, times as fast"),
                        table), Table.of("All lines", points)));
    }

    /** Returns the columns of a table that show our measurement beside a published figure. */
    private static List<String> here(Optional<Row> measured) {
        return measured.map(row -> List.of(String.format(Locale.ROOT, "%,.0f", row.number("keys")), rate(row.peer()),
                rate(row.ours().median()), ReportSection.times(row.ratio()),
                row.limit() == null ? NONE : ReportSection.times(row.peer() / row.limit())))
                .orElse(List.of(NONE, NONE, NONE, NONE, NONE));
    }

    private static List<Row> of(List<Row> rows, String subject) {
        return rows.stream().filter(row -> row.subject().equals(subject)).toList();
    }

    private static double best(List<Published> published, Published like) {
        return published.stream().filter(each -> isLike(each, like) && each.form().startsWith("preallocated")
                && !each.form().endsWith("Random")).mapToDouble(Published::value).max().orElse(Double.NaN);
    }

    private static double preallocated(List<Published> published, Published like) {
        return published.stream().filter(each -> isLike(each, like) && each.form().equals("preallocatedGet"))
                .mapToDouble(Published::value).findFirst().orElse(Double.NaN);
    }

    private static boolean isLike(Published each, Published like) {
        return each.size() == like.size() && each.shape().equals(like.shape());
    }

    private static Optional<Row> getLike(Published each, List<Row> rows) {
        String form = switch (each.form()) {
            case "ffiGetPinnableSlice" -> "pinned";
            case "ffiGetOutputSlice" -> "segment";
            case "ffiPreallocatedGet", "ffiPreallocatedGetRandom", "preallocatedGet" -> "preallocated byte[]";
            case "preallocatedByteBufferGet", "preallocatedByteBufferGetRandom" -> "direct buffer";
            default -> "byte[]";
        };
        String name = (each.form().endsWith("Random") ? "random" : "ascending") + " keys of 128 B"
                + (each.shape().equals("1000") ? " among 1,000" : "");
        return of(rows, form).stream().filter(row -> row.name().equals(name) && isOfOneThread(row))
                .filter(row -> isAbout(row.number(VALUE_BYTES), each.size())).findFirst();
    }

    private static String rate(double nanos) {
        return Double.isFinite(nanos) ? Plot.number(Math.rint(1e9 / nanos)) : NONE;
    }

    private ReportSection multiGets() {
        List<Row> all = rows(PAIRED, row -> row.name().startsWith("100 keys"));
        List<Row> drawn = all.stream().filter(row -> row.subject().matches("pinned|list"))
                .filter(row -> List.of(256.0, 4096.0, 65_536.0).contains(row.number(VALUE_BYTES))).toList();
        Plot plot = ratios(drawn);
        List<Published> published = PublishedFigures.of("multiget");
        List<List<String>> table = new ArrayList<>();
        for (Published after : published) {
            if (!after.shape().startsWith("after ")) {
                continue;
            }
            String families = after.shape().substring("after ".length());
            double before = published.stream()
                    .filter(each -> each.form().equals(after.form()) && each.size() == after.size()
                            && each.shape().equals("before " + families))
                    .mapToDouble(Published::value).findFirst().orElse(Double.NaN);
            List<String> cells = new ArrayList<>(List.of(after.form(), families, size(after.size()),
                    Double.isFinite(before) ? Plot.number(before) : NONE, Plot.number(after.value()),
                    ReportSection.times(after.value() / before)));
            cells.addAll(here(multiGetLike(after, families, all)));
            table.add(cells);
        }
        return new ReportSection("2. multiGet, before and after batching",
                "Published: calls a second for 100 of 10,000 keys of 1 KB, before and after rocksdbjni used the batched call of C++. "
                        + "More column families were measured only after it. Today's rocksdbjni is the one after it. BB means direct "
                        + "buffers, compared with our slab. ExplicitCF names one family. RandomCF spreads the keys over all families. "
                        + "Here: the same, with 10,000 keys or as many as fit into 400 MB (128 MB in a quick report). The published "
                        + "figures show that a call for one family does not depend on how many others there are, so our line for it has "
                        + "no others. RandomCF with one family is the same as ExplicitCF.",
                plot, List.of(new Table("Published, and ours beside it: calls a second",
                        List.of("published form", "families", "value", "before", "after", "after ÷ before", "keys here",
                                "rocksdbjni here", "ours here", "ours, times as fast", "C, times as fast"),
                        table), Table.of("All lines", all)));
    }

    private static Optional<Row> multiGetLike(Published each, String families, List<Row> rows) {
        int read = switch (each.form()) {
            case "multiGetBB200", "multiGetList10" -> 0;
            case "multiGetListExplicitCF20" -> 1;
            default -> Math.max(1, Integer.parseInt(families));
        };
        return of(rows, each.form().equals("multiGetBB200") ? "slab vs direct buffer" : "list").stream()
                .filter(row -> row.number("families") == read && row.number(VALUE_BYTES) == each.size()).findFirst();
    }

    /** Returns the section about the strategies of the talk. The suite and the source have different names for them. */
    private ReportSection writing() {
        Map<String, String> strategies = new LinkedHashMap<>();
        strategies.put("Ruby's File#write", "file-write");
        strategies.put("Java, implicit, default charset", "mmap-java-implicit-default-charset");
        strategies.put("Java, implicit, ISO-8859-1", "mmap-java-implicit-iso-8859-1");
        strategies.put("Java, explicit cast in Ruby", "mmap-java-explicit-ruby-cast");
        strategies.put("Java, explicit cast in Java", "mmap-java-explicit-java-cast");
        strategies.put("extension of 2015, unsafe", "mmap-jruby-extension-unsafe");
        strategies.put("extension of 2015, safe", "mmap-jruby-extension-safe");
        strategies.put("JRuby only", "mmap-jruby-only");
        List<Row> all = rows(JRUBY, row -> row.name().equals("mapped file"));
        List<Published> published = PublishedFigures.of("jruby-write");
        Plot plot = new Plot("times as fast as Ruby's File#write, strings of 4 KB", true);
        List<List<String>> table = new ArrayList<>();
        for (Published each : published) {
            String size = size(each.size());
            double base = published.stream().filter(other -> other.form().equals("file-write")
                    && other.size() == each.size()).mapToDouble(Published::value).findFirst().orElse(Double.NaN);
            List<Row> ofSize = all.stream().filter(row -> size.equals(row.params().get("size"))).toList();
            double write = ofSize.stream().filter(row -> row.peerName().equals("Ruby's File#write"))
                    .mapToDouble(Row::peer).findFirst().orElse(Double.NaN);
            Optional<Row> here = ofSize.stream().filter(row -> each.form().equals(strategies.get(row.peerName())))
                    .findFirst();
            table.add(List.of(each.form(), size, Plot.number(each.value()), ReportSection.times(each.value() / base),
                    here.map(row -> Plot.number(megabytes(each.size(), row.peer()))).orElse(NONE),
                    here.map(row -> ReportSection.times(write / row.peer())).orElse(NONE),
                    here.map(row -> row.subject() + ' ' + Plot.number(megabytes(each.size(), row.ours().median())))
                            .orElse(NONE),
                    here.map(row -> row.limit() == null ? NONE : Plot.number(megabytes(each.size(), row.limit())))
                            .orElse(NONE)));
            if (each.size() == 4096 && here.isPresent()) {
                Row row = here.get();
                String group = row.peerName();
                plot.bar(group, PlotSide.PUBLISHED, "", each.value() / base)
                        .bar(group, PlotSide.RUBY, "", write / row.peer())
                        .bar(group, PlotSide.OUTCROP, row.subject(), write / row.ours().median());
            }
        }
        return new ReportSection("3. JRuby: strings into a file",
                "Published: the eight strategies of a talk at JRubyConf 2015, on a laptop with JRuby 1.7. Here: the same "
                        + "strategies and ours, on this machine. The limit is MemorySegment.copy from an array into the mapped file.",
                plot, List.of(new Table("Published, and here: MB a second",
                        List.of("strategy", "string", "published", "÷ File#write", "here", "÷ File#write", "ours",
                                "limit"),
                        table), Table.of("All lines", all)));
    }

    private static double megabytes(int bytes, double nanos) {
        return bytes / nanos * 1e9 / (1 << 20);
    }

    private ReportSection rubyQueues() {
        List<Row> all = rows(JRUBY, row -> row.name().equals("SizedQueue") || row.name().equals("unbounded Queue"));
        Plot plot = new Plot("items a second", false);
        for (Row row : all) {
            if ("of 20".equals(row.params().get("bound"))) {
                String group = "SizedQueue of 20, " + row.params().get("threads");
                if (row.subject().equals("Outcrop::SizedQueue")) {
                    plot.bar(group, PlotSide.RUBY, "SizedQueue", 1e9 / row.peer());
                }
                plot.bar(group, PlotSide.OUTCROP, row.subject(), 1e9 / row.ours().median());
            }
        }
        List<List<String>> table = new ArrayList<>();
        for (Published each : PublishedFigures.of("jruby-queue")) {
            String threads = each.shape();
            Predicate<Row> like = switch (each.form()) {
                case "sized-queue-page-cache" -> row -> row.subject().endsWith("PageCache")
                        && "of 20".equals(row.params().get("bound"));
                case "sized-queue-single-page" -> row -> row.subject().endsWith("SinglePage")
                        && "of 20".equals(row.params().get("bound"));
                case "queue-read-write" -> row -> isFlow(row, "read/write");
                case "queue-write-then-read" -> row -> isFlow(row, "write, then read");
                default -> row -> isFlow(row, "write only");
            };
            Optional<Row> here = all.stream().filter(row -> threads.equals(row.params().get("threads"))).filter(like)
                    .findFirst();
            table.add(List.of(each.form(), each.shape(), Plot.number(Math.rint(each.value())),
                    here.map(row -> rate(row.ours().median())).orElse(NONE), here.map(Row::subject).orElse(NONE),
                    here.map(row -> rate(row.peer())).orElse(NONE)));
        }
        return new ReportSection("4. JRuby: queues",
                "Published: the queues of a talk at JRubyConf 2015, with items of 1 KB. Its SizedQueue had a bound of 20. The "
                        + "talk did not compare them with Ruby's own queues. Here: the same queues from the gem, and Ruby's own, which "
                        + "store nothing on disk.",
                plot, List.of(new Table("Published, and here: items a second",
                        List.of("published form", "threads", "published", "here", "form", "Ruby's here"), table),
                        Table.of("All lines", all)));
    }

    private static boolean isFlow(Row row, String flow) {
        return row.subject().equals("Mmap::Queue") && flow.equals(row.params().get("flow"));
    }

    private ReportSection calls() {
        List<Row> all = rows("calls", _ -> true);
        Plot plot = new Plot("nanoseconds a call: less is better", false);
        for (Row row : all) {
            plot.bar(row.label(), PlotSide.OUTCROP, row.subject(), row.ours().median())
                    .bar(row.label(), PlotSide.ofPeer(row.peerName()), row.peerName(), row.peer())
                    .bar(row.label(), PlotSide.C, "", row.limit() == null ? 0 : row.limit());
        }
        return new ReportSection("5. Structs returned, and errno",
                "Native calls that need memory for their result: an out-pointer, a struct or a slice returned by value, or a captured "
                        + "errno. Each on a platform thread and on a virtual thread.",
                plot, List.of(Table.of("All lines", all)));
    }

    private ReportSection queue() {
        List<Row> all = rows(QUEUE, row -> !row.name().equals("durable append") && !row.name().equals("steady append"));
        return compared("6. The queue, against Chronicle Queue and C",
                "Appending, reading from end to end (tail), producers and consumers together (1P1C, 2P2C). C has no queue: it writes "
                        + "the same records into a mapped file, without checksums.",
                all.stream().filter(row -> isTime(row) && row.peerName().startsWith("Chronicle")).toList(), all);
    }

    private ReportSection scans() {
        List<Row> all = rows(PAIRED, row -> row.name().matches("(full|reverse) scan|range.*|seek.*|put.*|batch.*"));
        return compared("7. Scans, ranges and batches",
                "A scan calls a callback for each entry. Writes go into the memtable, without a log.",
                all.stream().filter(ReportSections::isOfOneThread)
                        .filter(row -> row.subject().matches("callback|segment")).toList(),
                all);
    }

    private ReportSection pins() {
        List<Row> all = rows("pins", _ -> true);
        List<Row> misses = all.stream().filter(row -> row.unit().startsWith("misses") && row.number("heldMillis") == 0)
                .toList();
        ToDoubleFunction<Row> megabytes = row -> row.number("pinnedBytes") / (1 << 20);
        Plot plot = new Plot("hits in 100 reads", false)
                .over("MB pinned and never released", false, value -> Plot.number(value))
                .line(PlotSide.OUTCROP, "with the default budget",
                        points(misses, megabytes, row -> 100 - row.ours().median()))
                .line(PlotSide.OUTCROP, "without a budget", points(misses, megabytes, row -> 100 - row.peer()));
        return new ReportSection("8. What pins cost others",
                "Other readers' hits while values are pinned, in a block cache of the same size.", plot,
                List.of(Table.of("All lines", all)));
    }

    private ReportSection durable() {
        List<Row> all = rows(QUEUE, row -> row.name().equals("durable append") || row.name().equals("steady append"));
        Plot plot = new Plot("microseconds, on a logarithmic axis: less is better", true);
        for (Row row : all) {
            if (row.unit().startsWith("ns, ") && row.name().equals("durable append")) {
                String group = row.label() + ", " + row.unit().substring("ns, ".length());
                PlotSide peer = PlotSide.ofPeer(row.peerName());
                if (peer == PlotSide.CHRONICLE) {
                    plot.bar(group, PlotSide.OUTCROP, "", row.ours().median() / 1000);
                }
                String form = peer == PlotSide.JDK
                        ? row.peerName().substring("JDK ".length())
                        : row.peerName().contains("one writer") ? "one writer" : "";
                plot.bar(group, peer, form, row.peer() / 1000);
            }
        }
        return new ReportSection("9. Latencies of durable appends",
                "Each append returns when its record is on the disk. C writes and calls fdatasync for each record; "
                        + "with one writer, one thread does it for all.",
                plot, List.of(Table.of("All lines", all)));
    }

    /** Returns the section with pairs of lines that differ only in the number of threads. */
    private ReportSection threads() {
        Plot plot = new Plot("operations a second of two threads, divided by those of one", false);
        List<Row> both = new ArrayList<>();
        Function<Row, String> key = row -> row.suite() + row.name() + row.subject() + row.number(VALUE_BYTES)
                + row.number("keyBytes") + row.number("records");
        for (Row two : rows) {
            if (two.number("threads") != 2 || !List.of(PAIRED, "dropin", "comparator").contains(two.suite())) {
                continue;
            }
            rows.stream().filter(one -> one.number("threads") == 1 && key.apply(one).equals(key.apply(two))).findFirst()
                    .ifPresent(one -> {
                        both.add(one);
                        both.add(two);
                        String group = two.label() + ": " + two.subject();
                        plot.bar(group, PlotSide.OUTCROP, "", 2 * one.ours().median() / two.ours().median())
                                .bar(group, PlotSide.ofPeer(two.peerName()), "", 2 * one.peer() / two.peer());
                    });
        }
        return new ReportSection("10. One thread and two",
                (both.isEmpty() ? NOTHING + ' ' : "")
                        + "2 means that two threads do twice as much as one. Each line was measured in its own process.",
                plot, List.of(Table.of("All lines", both.stream().distinct().toList())));
    }

    private ReportSection dropin() {
        List<Row> all = rows("dropin", _ -> true);
        return compared("11. The drop-in, against the published jar",
                "The same programs on our org.rocksdb and on the published jar, among them Kafka's own stores.",
                all, all);
    }

    private ReportSection start() {
        List<Row> all = rows("start", _ -> true);
        Plot plot = new Plot("milliseconds from the start of the process to the first get: less is better", false);
        for (Row row : all) {
            if (isTime(row)) {
                plot.bar(row.label(), PlotSide.OUTCROP, row.subject(), row.ours().median() / 1e6);
                if (row.subject().equals("drop-in")) {
                    plot.bar(row.label(), PlotSide.ofPeer(row.peerName()), "", row.peer() / 1e6);
                }
            }
        }
        return new ReportSection("12. Start: the first get, memory, size of jars",
                (all.isEmpty() ? NOTHING + ' ' : "")
                        + "A program opens an existing database with RocksDB's default options and reads one value. The time begins before "
                        + "the process is created and ends with the value. Memory is the resident memory at the end, mapped files "
                        + "included. Our jars hold the library of one platform, the published jar those of 15. Ours is unpacked once for "
                        + "a user, the published one at each start.",
                plot, List.of(Table.of("All lines", all)));
    }

    private ReportSection pipeline() {
        List<Row> all = rows("pipeline", _ -> true);
        return compared("13. From the queue into RocksDB",
                "Waiting records of a queue are written to an empty database, each exactly once. The peer does the same job with "
                        + "Chronicle Queue and rocksdbjni.",
                all, all);
    }

    private ReportSection callbacks() {
        List<Row> all = rows.stream().filter(row -> row.suite().equals("comparator") || row.suite().equals("merge"))
                .toList();
        return compared("14. Callbacks", "Comparators and merge operators written in Java.",
                all.stream().filter(row -> PlotSide.ofPeer(row.peerName()) == PlotSide.ROCKSDBJNI).toList(), all);
    }

    private ReportSection others() {
        List<Row> all = rows.stream().filter(row -> PlotSide.ofPeer(row.peerName()) == PlotSide.LMDB
                || (row.suite().equals(QUEUE) && PlotSide.ofPeer(row.peerName()) == PlotSide.JDK)).toList();
        return compared("15. Where another kind of store is the better choice",
                "LMDB reads in place from a mapped B+ tree, without a block cache, checksums or levels to merge. Take it for data that "
                        + "fits in memory and is read far more often than written. C's bar is C on RocksDB: the rest of the gap comes "
                        + "from the engine, not from the binding. A plain file or a mapped segment of the JDK is enough for one program "
                        + "that stores records, needs no groups, acknowledgements or checksums, and can find the end of the records after "
                        + "a crash by other means.",
                all.stream().filter(ReportSections::isTime).toList(), all);
    }
}
