package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** A question that the suite answers. */
interface JRubyCase extends Case {
    /** Size of an item, as in the talk. */
    int ITEM_BYTES = 1 << 10;

    /** Draws these lines. */
    List<Path> plot(List<Row> rows, Path directory) throws IOException;

    /** A line of the table; the parameters are also in its label. */
    default Row row(Map<String, ?> params, String subject, Measurement ours, String peerName, Measurement peer,
            @Nullable Double limit) {
        SequencedMap<String, Object> all = new LinkedHashMap<>(params);
        StringBuilder label = new StringBuilder(label());
        params.values().forEach(value -> label.append(", ").append(value));
        return new Row(JRubySuite.NAME, label(), all, label.toString(), subject, ours, peerName, peer.median(), limit);
    }

    /** Names in order, each behind what it stands for. */
    static SequencedMap<String, String> names(String... pairs) {
        SequencedMap<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            names.put(pairs[i], pairs[i + 1]);
        }
        return names;
    }

    /** Parameters in order. */
    static SequencedMap<String, Object> params(String name, Object value) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put(name, value);
        return params;
    }
}
