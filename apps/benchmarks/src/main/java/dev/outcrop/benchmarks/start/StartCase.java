package dev.outcrop.benchmarks.start;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.harness.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts from jars of one layout.
 *
 * @param isFat  whether the program and the libraries are in one jar; otherwise each jar is on the class path
 * @param before the state that earlier starts have left
 */
public record StartCase(boolean isFat, Before before) implements Case {
    private static final String NAME = "start";
    private static final int KEYS = 10_000;
    private static final int KEY = 5000;
    private static final int KEY_BYTES = 16;
    private static final int VALUE_BYTES = 100;
    private static final String CACHE = "cache.aot";

    /** The state that earlier starts have left. */
    enum Before {
        /** Our native library is unpacked already. The published jar unpacks its library at each start. */
        USUAL("no AOT cache"),
        /** The same, and there is an AOT cache of this program. */
        AOT_CACHE("AOT cache"),
        /** Earlier starts have left nothing. */
        NOTHING("nothing unpacked yet");

        private final String label;

        Before(String label) {
            this.label = label;
        }
    }

    /** Returns the suite: the time until the first get from an existing database, the memory at that point, and the size of the jars. */
    public static Suite suite() {
        // The layout of the jars does not change which files are unpacked.
        return new Suite(NAME, Suite.ROCKSDBJNI, _ -> List.of(new StartCase(false, Before.USUAL),
                new StartCase(false, Before.AOT_CACHE), new StartCase(false, Before.NOTHING),
                new StartCase(true, Before.USUAL), new StartCase(true, Before.AOT_CACHE)));
    }

    @Override
    public String label() {
        return "start, " + (isFat ? "fat jar, " : "class path, ") + before.label;
    }

    @Override
    public List<Row> run(RunContext context) {
        Path data = context.data();
        Database database = new Database(context.database().engine(), data.resolve("database"));
        try {
            Files.createDirectories(data);
        } catch (IOException e) {
            throw new BenchmarkException("Cannot make " + data + ": " + e.getMessage(), e);
        }
        new DatabaseBuilder.Contents(EngineOptions.READING.text(), KEYS, KEY_BYTES, VALUE_BYTES, 0).build(database);
        Map<StartLibrary, StartJars> jars = new LinkedHashMap<>();
        for (StartLibrary library : StartLibrary.values()) {
            jars.put(library, StartJars.make(library, isFat, data.resolve(library.name())));
        }
        ProcessComparison comparison = context.comparison();
        jars.forEach((library, each) -> {
            // Loads all files into memory, and unpacks the library.
            process(library, each, Before.USUAL, database).start(0);
            if (before == Before.AOT_CACHE) {
                makeCache(library, each, database);
            }
            comparison.add(library.toString(), process(library, each, before, database));
        });
        int rounds = context.runLength().rounds();
        // An even number, so that each side goes first equally often: 20 in a full run, and 6 in a quick run.
        return rows(comparison.run(rounds == 1 ? 1 : rounds * (rounds + 1)), jars);
    }

    private static void makeCache(StartLibrary library, StartJars jars, Database database) {
        try {
            process(library, jars, null, database).start(0);
            size(jars.directory().resolve(CACHE));
        } catch (BenchmarkException e) {
            throw new UnavailableException("This JDK has made no AOT cache: " + e.getMessage());
        }
    }

    /** Returns a start in a state. If there is no state, returns a start that creates an AOT cache. */
    private static StartProcess process(StartLibrary library, StartJars jars, @Nullable Before before,
            Database database) {
        Path data = Objects.requireNonNull(database.directory().getParent());
        Path unpacked = data.resolve(before == Before.NOTHING ? "never" : "unpacked");
        Path cache = jars.directory().resolve(CACHE);
        List<String> arguments = new ArrayList<>(List.of("-Doutcrop.cache.directory=" + unpacked));
        if (before == null) {
            arguments.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"));
        } else if (before == Before.AOT_CACHE) {
            // With this mode, a start that cannot use the cache fails.
            arguments.addAll(List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on"));
        }
        arguments.addAll(jars.arguments(library));
        byte[] key = Keys.first(KEY_BYTES);
        Keys.set(key, KEY);
        arguments.addAll(List.of(database.directory().toString(), HexFormat.of().formatHex(key)));
        return new StartProcess(arguments, String.valueOf(VALUE_BYTES + (byte) KEY), data.resolve("errors"),
                before == Before.NOTHING ? unpacked : null);
    }

    private List<Row> rows(Results results, Map<StartLibrary, StartJars> jars) {
        List<Row> rows = new ArrayList<>();
        add(rows, Row.UNIT, library -> results.of(library.toString()).of(ProcessOutput.TIME));
        add(rows, "bytes resident", library -> results.of(library.toString()).of(StartProcess.RESIDENT));
        if (before == Before.USUAL) {
            add(rows, "bytes of jars", library -> exactly(jarsOf(jars, library).bytes()));
        } else if (before == Before.AOT_CACHE) {
            add(rows, "bytes of AOT cache",
                    library -> exactly(size(jarsOf(jars, library).directory().resolve(CACHE))));
        }
        return rows;
    }

    private void add(List<Row> rows, String unit, Function<StartLibrary, Measurement> figure) {
        for (StartLibrary library : List.of(StartLibrary.OWN_API, StartLibrary.DROP_IN)) {
            rows.add(new Row(NAME, label(), Row.params("keys", KEYS, "valueBytes", VALUE_BYTES), label(),
                    library.toString(), figure.apply(library), Suite.ROCKSDBJNI,
                    figure.apply(StartLibrary.PUBLISHED), null, unit));
        }
    }

    private static StartJars jarsOf(Map<StartLibrary, StartJars> jars, StartLibrary library) {
        return Objects.requireNonNull(jars.get(library));
    }

    private static Measurement exactly(long bytes) {
        return new Measurement(bytes, 0, 0);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new BenchmarkException("There is no file " + file, e);
        }
    }
}
