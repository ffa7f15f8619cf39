package dev.outcrop.benchmarks.jruby;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The gem for JRuby: Outcrop, Ruby's own queues, the strategies of the talk. */
public final class JRubySuite extends Suite {
    static final String NAME = "jruby";
    static final String PEER = "Ruby's";

    private static final List<JRubyCase> CASES = List.of(new IoCase(), new SizedQueueCase(), new UnboundedQueueCase(),
            new CacheCase(), new PagesCase(), new SeekCase(), new ForceCase(), new OrderCase(), new ItemsCase(),
            new GroupsCase());

    /** Creates the suite. */
    public JRubySuite() {
        super(NAME, PEER);
    }

    @Override
    protected List<JRubyCase> cases(Effort effort) {
        return CASES;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (JRubyCase each : CASES) {
            List<Row> found = rows.stream().filter(row -> row.name().equals(each.label())).toList();
            if (!found.isEmpty()) {
                files.addAll(each.plot(found, directory));
            }
        }
        return files;
    }
}
