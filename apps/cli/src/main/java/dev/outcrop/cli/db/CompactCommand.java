package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.BottommostLevelCompaction;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.CompactRangeOptions;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.RocksDB;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./outcrop db compact}. */
@Command(name = "compact", description = {"Rewrite table files without what was deleted or replaced.",
        "Without -f, those of all column families.", ""}, footer = {"", "  ./outcrop db compact data -f users"})
final class CompactCommand extends DatabaseAction {
    @Mixin
    private FamilyOption family = new FamilyOption();

    @Mixin
    private RangeOptions range = new RangeOptions();

    @Mixin
    private EncodingOptions encoding = new EncodingOptions();

    @Override
    protected int act(PrintWriter out) {
        KeyRange keys = range.range(encoding);
        try (OpenDatabase open = OpenDatabase.toWrite(directory())) {
            RocksDB db = open.db();
            List<ColumnFamily> families = family.orAllOf(db);
            // All that was compacted up to then stays so, and nothing is lost.
            interruption().stopBy(() -> db.backgroundWork().disableManualCompaction());
            try (Progress progress = Progress.of("compact", "column families", families.size())) {
                for (int i = 0; i < families.size() && !interruption().isRequested(); i++) {
                    compact(families.get(i), keys, out);
                    progress.at(i + 1L);
                }
            }
        }
        return interruption().isRequested()
                ? interrupted("not everything is compacted; nothing is lost, and './outcrop db compact' goes on")
                : 0;
    }

    private static void compact(ColumnFamily of, KeyRange keys, PrintWriter out) {
        long before = of.metadata().size();
        of.flush();
        of.compact(keys, new CompactRangeOptions()
                // Otherwise files that others do not overlap are moved to another level as they are.
                .bottommostLevelCompaction(BottommostLevelCompaction.FORCE_OPTIMIZED));
        out.println(String.format(Locale.ROOT, "%s\t%,d bytes before, %,d after", FamilyOption.shown(of.name()), before,
                of.metadata().size()));
    }
}
