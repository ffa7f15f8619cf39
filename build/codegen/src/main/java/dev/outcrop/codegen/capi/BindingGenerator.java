package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A program that reads the tables and writes the sources. */
public final class BindingGenerator {

    private static final Path ROCKSDB = Path.of("dev", "outcrop", "rocksdb");
    private static final Path ENGINE = ROCKSDB.resolve("engine");
    private static final Path CAPI = ENGINE.resolve("capi");

    private BindingGenerator() {
    }

    /**
     * Writes the Java sources. Leaves unchanged files alone, because they would be compiled again.
     *
     * @param args {@code binding} for the engine's classes or {@code api} for the classes above the engine; the table of facts, with
     *             {@code calls.tsv} in the same directory; the table of statistics; and the directory for the sources
     * @throws IOException if the table cannot be read or a source cannot be written
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 4 || !Set.of("binding", "api").contains(args[0])) {
            System.err.println("usage: BindingGenerator binding|api FACTS STATISTICS DIRECTORY");
            System.exit(2);
        }
        Facts facts = Facts.read(Path.of(args[1]));
        if (args[0].equals("binding")) {
            generateBinding(facts, StatisticsFacts.read(Path.of(args[2])), Path.of(args[3]));
            generateCalls(facts, CallClass.readAll(Path.of(args[1]).resolveSibling("calls.tsv")), Path.of(args[3]));
        } else {
            generateApi(facts, StatisticsFacts.read(Path.of(args[2])), Path.of(args[3]));
        }
    }

    static void generateBinding(Facts facts, StatisticsFacts statistics, Path directory) throws IOException {
        write(directory.resolve(CAPI).resolve("CApi.java"), new CApiSource(facts).text());
        write(directory.resolve(CAPI).resolve("CCallbacks.java"), new CCallbacksSource(facts).text());
        write(directory.resolve(CAPI).resolve("CConstants.java"), new CConstantsSource(facts).text());
        write(directory.resolve(CAPI).resolve("CStructs.java"), new CStructsSource(facts).text());
        write(directory.resolve(CAPI).resolve("CHistograms.java"), CounterEnumSource.histogramNames(statistics));
    }

    private static void generateCalls(Facts facts, List<CallClass> classes, Path directory) throws IOException {
        for (CallClass each : classes) {
            write(directory.resolve(ENGINE).resolve(each.packageName()).resolve(each.name() + ".java"),
                    new CallsSource(each, facts).text());
        }
    }

    static void generateApi(Facts facts, StatisticsFacts statistics, Path directory) throws IOException {
        for (OptionEnum type : OptionEnum.ALL) {
            write(directory.resolve(ROCKSDB).resolve(type.javaName() + ".java"),
                    new OptionEnumSource(facts, type).text());
        }
        for (CounterEnumSource counters : List.of(CounterEnumSource.tickers(statistics),
                CounterEnumSource.histograms(statistics), CounterEnumSource.perfMetrics(facts))) {
            write(directory.resolve(ROCKSDB).resolve(counters.javaName() + ".java"), counters.text());
        }
        write(directory.resolve(ROCKSDB).resolve("PerfLevel.java"), new PerfLevelSource(statistics).text());
        write(directory.resolve(ROCKSDB).resolve("Property.java"), new PropertySource(statistics).text());
        for (InfoObject object : InfoObject.ALL) {
            write(directory.resolve(ROCKSDB).resolve(object.javaName() + ".java"),
                    new InfoSource(object, facts).text());
        }
        List<String> skipped = new ArrayList<>();
        for (OptionObject object : OptionObject.ALL) {
            SettersSource setters = new SettersSource(object, facts);
            write(directory.resolve(ROCKSDB).resolve(object.javaName() + "Setters.java"), setters.text());
            skipped.addAll(setters.skipped());
        }
        write(directory.resolve("skipped-setters.txt"), String.join("\n", skipped) + "\n");
    }

    private static void write(Path file, String text) throws IOException {
        if (Files.exists(file) && Files.readString(file).equals(text)) {
            return;
        }
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
