package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.KeyRange;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./outcrop db scan}. */
@Command(name = "scan", description = {"Show entries in the order of their keys, one a line.",
        "A line is key, tab, value.", ""}, footer = {"", "  ./outcrop db scan data --prefix user: --limit 10"})
final class ScanCommand extends DatabaseAction {
    @Mixin
    private RangeOptions range = new RangeOptions();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--reverse", description = "The last one first.")
    private boolean reverse;

    @Option(names = "--keys", description = "Only the keys.")
    private boolean keysOnly;

    @Option(names = "--values", description = "Only the values.")
    private boolean valuesOnly;

    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(limit >= 1, "--limit must be 1 or more, not " + limit);
        require(!(keysOnly && valuesOnly), "--keys and --values exclude each other");
        EntryText text = new EntryText(encoding.encoding(), json);
        KeyRange keys = reverse ? range.range(encoding).reversed() : range.range(encoding);
        long[] left = {limit};
        onlyShows();
        try (OpenDatabase open = OpenDatabase.toRead(directory(), err());
                Progress progress = Progress.besideOutput("scan", "entries", Progress.UNKNOWN)) {
            Entries.each(family.of(open.db()), keys, progress, this::goesOn, (key, value) -> {
                out.write(text.line(valuesOnly ? null : Entries.bytes(key), keysOnly ? null : Entries.bytes(value))
                        + "\n");
                return --left[0] > 0;
            });
        }
        return interruption().isCutShort() ? interrupted("there are more entries than were shown") : 0;
    }
}
