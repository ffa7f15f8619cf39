package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of statistics.
 *
 * @param tickers    RocksDB's counters
 * @param histograms RocksDB's histograms
 * @param perfLevels the levels of a thread's perf context, which have no second name
 * @param properties of databases
 */
record StatisticsFacts(List<Counter> tickers, List<Counter> histograms, List<Counter> perfLevels,
        List<Property> properties) {

    /** A constant of RocksDB, its number, and the name that RocksDB prints. */
    record Counter(String constant, int number, String name) {
    }

    /** A property: the kind of its value ({@code number}, {@code text} or {@code argument}), and its name. */
    record Property(String constant, String kind, String name) {
    }

    /**
     * Reads the table.
     *
     * @param table a file from build/tools/capi
     * @throws IllegalArgumentException if a row cannot be read; the message names it
     */
    static StatisticsFacts read(Path table) throws IOException {
        StatisticsFacts facts = new StatisticsFacts(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
                new ArrayList<>());
        List<String> rows = Files.readAllLines(table);
        for (int i = 0; i < rows.size(); i++) {
            try {
                facts.add(rows.get(i).split("\t", -1));
            } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        table + ":" + (i + 1) + ": cannot read the row '" + rows.get(i) + "'", e);
            }
        }
        return facts;
    }

    private void add(String[] row) {
        switch (row[0]) {
            case "version" -> {
            }
            case "ticker" -> tickers.add(new Counter(row[1], Integer.parseInt(row[2]), row[3]));
            case "histogram" -> histograms.add(new Counter(row[1], Integer.parseInt(row[2]), row[3]));
            case "perflevel" -> perfLevels.add(new Counter(row[1], Integer.parseInt(row[2]), ""));
            case "property" -> properties.add(new Property(row[1], row[2], row[3]));
            default -> throw new IllegalArgumentException("unknown kind of row '" + row[0] + "'");
        }
    }
}
