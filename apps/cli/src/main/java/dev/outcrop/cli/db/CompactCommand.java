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
@Command(name = "compact", description = {"Rewrite table files without deleted and replaced entries.",
        "Without -f, the table files of all column families.",
        ""}, footer = {"", "  ./outcrop db compact data -f users"})
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
            // The files that were compacted before stay compacted, and nothing is lost.
            interruption().stopBy(() -> db.backgroundWork().disableManualCompaction());
            try (Progress progress = Progress.of("compact", "column families", families.size())) {
                for (int i = 0; i < families.size() && interruption().goesOn(); i++) {
                    compact(families.get(i), keys, out);
                    progress.at(i + 1L);
                }
            }
        }
        return interruption().isCutShort()
                ? interrupted("not everything is compacted; nothing is lost, and './outcrop db compact' goes on")
                : 0;
    }

    private static void compact(ColumnFamily of, KeyRange keys, PrintWriter out) {
        long before = of.metadata().size();
        of.flush();
        of.compact(keys, new CompactRangeOptions()
                // Otherwise RocksDB moves files that overlap no other files to another level unchanged.
                .bottommostLevelCompaction(BottommostLevelCompaction.FORCE_OPTIMIZED));
        out.println(String.format(Locale.ROOT, "%s\t%,d bytes before, %,d after", FamilyOption.shown(of.name()), before,
                of.metadata().size()));
    }
}
