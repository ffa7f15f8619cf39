package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.LeakDetector;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The bean of the native objects of the process. */
final class NativeObjects implements NativeObjectsMXBean {
    private static final int MOST_PLACES = 20;

    @Override
    public Map<String, Long> getOpen() {
        return LeakDetector.open();
    }

    @Override
    public Map<String, Long> getLeaked() {
        return LeakDetector.leakedByClass();
    }

    @Override
    public List<Place> getPlaces() {
        return LeakDetector.places(MOST_PLACES).stream()
                .map(place -> new Place(place.type(), place.open(), place.stack())).toList();
    }

    @Override
    public List<DatabaseMemory> getMemory() {
        return DatabaseRegistry.memory();
    }

    @Override
    public String getReport() {
        StringBuilder report = new StringBuilder();
        report.append("block cache     pinned      memtables   pinned      readers     snapshots  database\n");
        for (DatabaseMemory each : getMemory()) {
            report.append(String.format(Locale.ROOT, "%-15d %-11d %-11d %-11d %-11d %-10d %s%n", each.blockCache(),
                    each.blockCachePinned(), each.memTables(), each.memTablesPinned(), each.tableReaders(),
                    each.snapshots(), each.database()));
        }
        report.append(LeakDetector.isOn()
                ? "open       leaked     class\n"
                : "Objects are not counted: start the program with -Doutcrop.leaks=sampled or always\n");
        Map<String, Long> leaked = getLeaked();
        getOpen().forEach((type, open) -> report.append(String.format(Locale.ROOT, "%-10d %-10d %s%n", open,
                leaked.getOrDefault(type, 0L), type)));
        getPlaces().forEach(place -> report.append(String.format(Locale.ROOT, "%n%d of %s were made here:%n%s%n",
                place.open(), place.type(), place.stack().indent(4))));
        return report.toString();
    }
}
