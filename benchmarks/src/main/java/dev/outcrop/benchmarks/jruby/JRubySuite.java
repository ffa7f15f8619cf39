package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The gem for JRuby: Outcrop, Ruby's own queues, the strategies of the talk. */
public final class JRubySuite implements Suite {
    static final String NAME = "jruby";
    /** Whom ours is compared with. */
    static final String PEER = "Ruby's";

    private static final List<JRubyCase> CASES = List.of(new IoCase(), new SizedQueueCase(), new QueueCase(),
            new CacheCase(), new PagesCase(), new SeekCase(), new ForceCase(), new OrderCase(), new ItemsCase(),
            new GroupsCase());

    /** Creates the suite. */
    public JRubySuite() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String peer() {
        return PEER;
    }

    @Override
    public List<Row> run(Lab lab) {
        List<Row> rows = new ArrayList<>();
        for (JRubyCase each : CASES) {
            if (lab.wants(each.name())) {
                List<Row> found = each.run(lab);
                found.forEach(lab::finished);
                rows.addAll(found);
            }
        }
        return rows;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (JRubyCase each : CASES) {
            List<Row> found = rows.stream().filter(row -> row.name().equals(each.name())).toList();
            if (!found.isEmpty()) {
                files.addAll(each.plot(found, directory));
            }
        }
        return files;
    }
}
