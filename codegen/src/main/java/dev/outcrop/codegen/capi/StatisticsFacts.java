package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the table of statistics says.
 *
 * @param tickers    what RocksDB counts
 * @param histograms what it makes histograms of
 * @param perfLevels how much a thread's perf context counts; without a name of their own
 * @param properties what a database can be asked for
 */
record StatisticsFacts(List<Counter> tickers, List<Counter> histograms, List<Counter> perfLevels,
        List<Property> properties) {

    /** A constant of RocksDB, its number, and the name that RocksDB prints. */
    record Counter(String constant, int number, String name) {
    }

    /** A property: what kind of value it has ({@code number}, {@code text} or {@code argument}), and its name. */
    record Property(String constant, String kind, String name) {
    }

    /**
     * Reads the table.
     *
     * @param table a file as tools/capi writes it
     * @throws IllegalArgumentException if a row is not understood; the message names it
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
