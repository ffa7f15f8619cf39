package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Something that the suite finds out. */
interface JRubyCase {
    /** Size of an item, as in the talk. */
    int ITEM_BYTES = 1 << 10;

    /** What it is called in the table. */
    String name();

    /** Measures all lines of it. */
    List<Row> run(Lab lab);

    /** Draws these lines. */
    List<Path> plot(List<Row> rows, Path directory) throws IOException;

    /** A line of the table; the parameters are also in its label. */
    default Row row(Map<String, ?> params, String subject, Measurement ours, String peerName, Measurement peer,
            @Nullable Double limit) {
        SequencedMap<String, Object> all = new LinkedHashMap<>(params);
        StringBuilder label = new StringBuilder(name());
        params.values().forEach(value -> label.append(", ").append(value));
        return new Row(JRubySuite.NAME, name(), all, label.toString(), subject, ours, peerName, peer.nanos(), limit);
    }

    /** Parameters in order. */
    static SequencedMap<String, Object> params(String name, Object value) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put(name, value);
        return params;
    }
}
