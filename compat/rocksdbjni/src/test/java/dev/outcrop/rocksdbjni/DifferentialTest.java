package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random programs do the same on the published jar and on ours: all that they see, all exceptions and their status, and what is in the
 * databases afterwards, which each side reads from the other one's files.
 *
 * <p>It runs some fixed seeds and new ones, which it prints. {@code -Doutcrop.differential.seeds=7,8} runs these seeds instead,
 * {@code -Doutcrop.differential.operations=…} makes shorter or longer programs, and {@code -Doutcrop.differential.new=…} runs more new
 * seeds.
 */
@Tag("verify")
class DifferentialTest extends DatabaseTest {
    private static final int OPERATIONS = TestSize.choose("outcrop.differential.operations", 1_200, 2_000);
    private static final int NEW_SEEDS = TestSize.choose("outcrop.differential.new", 1, 100);
    private static final long FIXED_SEEDS = TestSize.isNightly() ? 5 : 1;
    private static final int SHOWN = 25;

    /** Calls that are refused here on purpose; none at present. */
    private static final List<String> REFUSED = List.of();

    /** The published behaviour and ours where they differ on purpose, and why. */
    private static final Map<Pattern, String> DIFFERENT = Map.of(
            Pattern.compile(
                    "^RocksDB.multiGet\\w+\\([^\t]*\t[^\t]*\\bnull\\b[^\t]*\tthrows .* ≠ .*\tthrows java.lang.NullPointer"),
            "If two arguments are wrong, null is named first",
            Pattern.compile(
                    "^Transaction.multiGet\\w*\\([^\t]*\t[^\t]*\t\\[.* ≠ .*\tthrows RocksDBException"),
            "The published jar gives null for a key that it could not read or lock",
            Pattern.compile(
                    "^WriteBatch\\(byte\\[]\\)\tdamaged\t(?!throws).* ≠ .*\tthrows java.lang.IllegalArgumentException"),
            "Damaged bytes are refused when the batch is made, not when it is written");

    @Test
    void randomProgramsDoTheSameOnBothSides() throws Exception {
        List<String> seeds = seeds();
        System.out.println("DifferentialTest: seeds " + seeds + "; to run some of them again: "
                + "-Dtest=DifferentialTest -Doutcrop.differential.seeds=" + String.join(",", seeds));
        Files.write(directory.resolve("refused"), REFUSED);
        CompletableFuture<Map<String, String>> running = CompletableFuture
                .supplyAsync(() -> ours("run", "ours", seeds));
        Map<String, String> published = published("run", "published", seeds);
        Map<String, String> ours = running.get();
        assertThat(published).hasSizeGreaterThan(seeds.size() * OPERATIONS / 2);
        assertThat(differences(published, ours)).isEmpty();

        // Each side reads the files of the other one.
        Map<String, String> dumped = published("dump", "ours", seeds);
        assertThat(dumped).hasSizeGreaterThan(seeds.size());
        assertThat(ours("dump", "published", seeds)).isEqualTo(dumped);
    }

    private Map<String, String> published(String what, String name, List<String> seeds) {
        return run("published", what, name, seeds);
    }

    private Map<String, String> ours(String what, String name, List<String> seeds) {
        return run("ours", what, name, seeds);
    }

    private Map<String, String> run(String side, String what, String name, List<String> seeds) {
        try {
            List<String> arguments = new ArrayList<>(List.of(what,
                    Files.createDirectories(directory.resolve(name)).toString(),
                    path("refused"), Integer.toString(OPERATIONS), side));
            arguments.addAll(seeds);
            String[] array = arguments.toArray(String[]::new);
            return side.equals("ours")
                    ? PublishedJvm.runOurs(DifferentialProgram.class, directory, array)
                    : PublishedJvm.run(DifferentialProgram.class, directory, array);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> seeds() {
        String chosen = System.getProperty("outcrop.differential.seeds", "");
        if (!chosen.isEmpty()) {
            return List.of(chosen.split(","));
        }
        return LongStream.concat(LongStream.rangeClosed(1, FIXED_SEEDS), new Random().longs(NEW_SEEDS, 100, 1L << 40))
                .mapToObj(Long::toString).toList();
    }

    /** The first ones, because one leads to others. */
    private static Map<String, String> differences(Map<String, String> published, Map<String, String> ours) {
        Map<String, String> found = new TreeMap<>();
        published.forEach((key, line) -> {
            String own = ours.getOrDefault(key, "nothing");
            if (!own.equals(line) && found.size() < SHOWN
                    && DIFFERENT.keySet().stream().noneMatch(each -> each.matcher(line + " ≠ " + own).find())) {
                found.put(key, "published: " + line + "\n here: " + own + "\n");
            }
        });
        ours.keySet().stream().filter(key -> !published.containsKey(key)).limit(SHOWN)
                .forEach(key -> found.put(key, "published nothing, here: " + ours.get(key)));
        return found;
    }
}
