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

/**
 * Serializers side by side; and, for each of them, two queues against one: SizedQueue gives out what it has in memory,
 * and Queue reads.
 */
record ItemsCase() implements JRubyCase {
    private static final List<String> SERIALIZERS = List.of("identity", "marshal", "json", "msgpack");
    private static final String RUBY = "ruby";
    /** The kinds of queue, by figure. */
    private static final SequencedMap<String, String> QUEUES = JRubyCase.names("queue", "Outcrop::Queue",
            "sized", "Outcrop::SizedQueue",
            "mmap-queue", "Mmap::Queue",
            "mmap-sized", "Mmap::SizedQueue");
    /** Two queues, and the same with one. */
    private static final Map<String, String> SINGLE = Map.of("sized", "queue", "mmap-sized", "mmap-queue");
    private static final int ITEMS = 5000;

    @Override
    public String label() {
        return "serializer";
    }

    @Override
    public List<Row> run(Lab lab) {
        RubySides sides = new RubySides(lab);
        SERIALIZERS.forEach(serializer -> sides.add(serializer, "items", Map.of("items", ITEMS)));
        sides.run();
        List<Row> rows = new ArrayList<>();
        for (String serializer : SERIALIZERS) {
            SequencedMap<String, Object> params = JRubyCase.params("serializer", serializer);
            QUEUES.forEach((figure, subject) -> {
                String single = SINGLE.get(figure);
                rows.add(row(params, subject, sides.of(serializer, figure), JRubySuite.PEER + " Queue",
                        sides.of(serializer, RUBY), null));
                if (single != null) {
                    rows.add(row(params, subject, sides.of(serializer, figure),
                            Objects.requireNonNull(QUEUES.get(single)),
                            sides.of(serializer, single), null));
                }
            });
        }
        return rows;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        Bars bars = new Bars("serializer", "items a second, pushed and popped", false);
        rows.forEach(row -> bars.addRate(row.subject(), String.valueOf(row.params().get("serializer")),
                row.ours().median()));
        Bars dual = new Bars("serializer", "times as fast as one queue", false);
        rows.stream().filter(row -> SINGLE.values().stream().map(QUEUES::get).anyMatch(row.peerName()::equals))
                .forEach(row -> dual.add(row.subject() + " to " + row.peerName(),
                        String.valueOf(row.params().get("serializer")), row.ratio()));
        return List.of(bars.draw(directory.resolve("jruby-serializers.png")),
                dual.draw(directory.resolve("jruby-dual.png")));
    }
}
