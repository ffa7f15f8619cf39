package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyRange;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./outcrop db count}. */
@Command(name = "count", description = {"Count entries, by reading them.", ""}, footer = {"",
        "  ./outcrop db count data --prefix user:"})
final class CountCommand extends DatabaseAction {
    @Mixin
    private RangeOptions range = new RangeOptions();

    @Option(names = "--estimate", description = "An estimate by RocksDB, without reading; of all keys only.")
    private boolean estimate;

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(!estimate || range.isAll(), "--estimate excludes --from, --to and --prefix");
        KeyRange keys = range.range(encoding);
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err())) {
            ColumnFamily of = family.of(open.db());
            long expected = Entries.estimate(of);
            long count = estimate ? expected : count(of, keys, range.isAll() ? expected : Progress.UNKNOWN);
            if (interruption().isCutShort()) {
                return interrupted("there are more than " + count);
            }
            out.println(json ? Json.line(Map.of(estimate ? "estimate" : "count", count)) : Long.toString(count));
            return 0;
        }
    }

    private long count(ColumnFamily of, KeyRange keys, long expected) {
        try (Progress progress = Progress.of("count", "entries", expected)) {
            return Entries.each(of, keys, progress, interruption()::goesOn, (_, _) -> true);
        }
    }
}
