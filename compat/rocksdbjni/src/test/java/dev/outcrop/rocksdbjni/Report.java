package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/** Programs that list what calls return, one line a call; they also run in a JVM that has only the published jar. */
@SuppressWarnings("ImmutableEnumChecker") // the programs are method references without state
enum Report {
    BACKUPS(BackupsReport::report, 20),
    BATCH_ITERATORS(BatchIteratorsReport::report, 150),
    DESCRIPTIONS(DescriptionsReport::report, 150),
    EVENTS(EventsReport::report, 30),
    LOCKS(LocksReport::report, 40),
    MAINTENANCE(MaintenanceReport::report, 2_500),
    NAMES(NamesReport::report, 360),
    READS(ReadsReport::report, 350),
    READ_FILTERS(ReadFiltersReport::report, 20),
    RESTARTS(RestartsReport::report, 100),
    SEAMS(SeamsReport::report, 200),
    SHARED_OBJECTS(SharedObjectsReport::report, 30),
    STATISTICS(StatisticsReport::report, 300),
    TABLE_FILES(TableFilesReport::report, 100),
    TRACES(TracesReport::report, 8),
    TRANSACTIONS(TransactionsReport::report, 150),
    UTILITIES(_ -> UtilitiesReport.report(), 30),
    WRITES(WritesReport::report, 70);

    private final Program program;

    /** The least lines that the published jar prints, less one. */
    final int lines;

    Report(Program program, int lines) {
        this.program = program;
        this.lines = lines;
    }

    private interface Program {
        Map<String, String> run(Path directory) throws Exception;
    }

    /** Returns the result of each call by its name. */
    Map<String, String> run(Path directory) throws Exception {
        return program.run(directory);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, UTF_8);
        valueOf(arguments[0]).run(Path.of(arguments[1])).forEach((key, value) -> out.println(key + "\t" + value));
        out.flush();
    }
}
