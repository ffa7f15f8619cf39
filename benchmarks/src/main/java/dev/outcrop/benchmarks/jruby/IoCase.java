package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/** Strings into a file: the strategies of the talk, ours, and the limit. */
record IoCase() implements JRubyCase {
    private static final String OURS = "put_bytes";
    private static final String OURS_COPYING = "put_bytes_copy";
    /** What the figures of the limit begin with; they are of the same process as {@link #OURS}. */
    private static final String LIMIT = "limit-";
    private static final List<Integer> SIZES = List.of(1 << 10, 4 << 10, 16 << 10);
    private static final int FILE_BYTES = 128 << 20;
    /** The file is a multiple of so many of the greatest strings. */
    private static final int LEAST_BYTES = 16 << 20;

    /** What the talk has measured, as it calls them and as the table does. */
    private static final SequencedMap<String, String> STRATEGIES = JRubyCase.names("file-write", "Ruby's File#write",
            "implicit-default-charset", "Java, implicit, default charset",
            "implicit-iso-8859-1", "Java, implicit, ISO-8859-1",
            "explicit-ruby-cast", "Java, explicit cast in Ruby",
            "explicit-java-cast", "Java, explicit cast in Java",
            "extension-unsafe", "extension of 2015, unsafe",
            "extension-safe", "extension of 2015, safe",
            "jruby-only", "JRuby only");

    @Override
    public String label() {
        return "mapped file";
    }

    @Override
    public List<Row> run(Lab lab) {
        int bytes = Math.clamp(lab.effort().dataBytes(), LEAST_BYTES, FILE_BYTES);
        String sizes = SIZES.stream().map(String::valueOf).collect(Collectors.joining(","));
        Map<String, Object> settings = Map.of("fileBytes", bytes, "sizes", sizes);
        RubySides sides = new RubySides(lab);
        STRATEGIES.keySet().forEach(strategy -> sides.add(strategy, "io", settings));
        sides.add(OURS, "io", settings).add(OURS_COPYING, "io", settings).run();
        List<Row> rows = new ArrayList<>();
        for (int size : SIZES) {
            String figure = String.valueOf(size);
            double limit = sides.of(OURS, LIMIT + figure).median();
            STRATEGIES.forEach((strategy, peer) -> {
                // What copies on purpose is compared with what copies on purpose.
                String ours = strategy.equals("extension-safe") ? OURS_COPYING : OURS;
                rows.add(row(JRubyCase.params("size", Labels.size(size)), ours, sides.of(ours, figure), peer,
                        sides.of(strategy, figure), limit));
            });
        }
        return rows;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("size of a string", "% of MemorySegment.copy", false);
        for (Row row : rows) {
            String size = String.valueOf(row.params().get("size"));
            double limit = Objects.requireNonNull(row.limit());
            bars.add(row.peerName(), size, 100 * limit / row.peer());
            bars.add("Outcrop " + row.subject(), size, 100 * limit / row.ours().median());
        }
        return List.of(bars.draw(directory.resolve("jruby-io.png")));
    }
}
