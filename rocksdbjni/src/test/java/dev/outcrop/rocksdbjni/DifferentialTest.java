package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random programs do the same on the published jar and on ours: all that they see, all exceptions and their status, and what is in the
 * databases afterwards, which each side reads from the other one's files.
 *
 * <p>It still finds differences, so it runs only when asked: {@code -Doutcrop.differential.seeds=7,8} runs these seeds, an empty list some fixed
 * ones and a new one, which is printed; {@code -Doutcrop.differential.operations=…} makes shorter or
 * longer programs, and {@code -Doutcrop.differential.new=…} runs more new seeds.
 */
@EnabledIfSystemProperty(named = "outcrop.differential.seeds", matches = ".*")
class DifferentialTest {

    private static final int OPERATIONS = Integer.getInteger("outcrop.differential.operations", 2_000);
    private static final int NEW_SEEDS = Integer.getInteger("outcrop.differential.new", 1);
    private static final long FIXED_SEEDS = 5;
    private static final int SHOWN = 25;
    /** Calls that are left out are found by running it; what they hide is found by running it again. */
    private static final int MOST_RUNS = 5;

    /** Calls that are refused here on purpose, and why. */
    private static final Map<String, String> REFUSED = Map.of();

    /** Lines that differ on purpose, by what is called and with what, and why. */
    private static final Map<Pattern, String> DIFFERENT = Map.of();

    @TempDir
    Path directory;

    @Test
    void randomProgramsDoTheSameOnBothSides() throws Exception {
        List<String> seeds = seeds();
        System.out.println("DifferentialTest: seeds " + seeds);
        Path leftOut = Files.createFile(directory.resolve("refused"));
        Set<String> refused = new TreeSet<>();
        Map<String, String> ours = Map.of();
        for (int i = 0; i < MOST_RUNS; i++) {
            ours = PublishedJvm.runOurs(DifferentialProgram.class, directory,
                    arguments("run", "ours" + i, leftOut, seeds));
            Set<String> now = refused(ours);
            if (now.isEmpty()) {
                break;
            }
            refused.addAll(now);
            Files.write(leftOut, refused);
            ours = Map.of();
        }
        assertThat(refused).isEqualTo(REFUSED.keySet());
        Path last = latest();
        Map<String, String> published = PublishedJvm.run(DifferentialProgram.class, directory,
                arguments("run", "published", leftOut, seeds));
        assertThat(published).hasSizeGreaterThan(seeds.size() * OPERATIONS / 2);
        assertThat(differences(published, ours)).isEmpty();

        Map<String, String> dumped = PublishedJvm.run(DifferentialProgram.class, directory,
                arguments("dump", last.getFileName().toString(), leftOut, seeds));
        assertThat(dumped).hasSizeGreaterThan(seeds.size());
        assertThat(PublishedJvm.runOurs(DifferentialProgram.class, directory,
                arguments("dump", "published", leftOut, seeds))).isEqualTo(dumped);
    }

    private Path latest() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("ours")).sorted().toList().getLast();
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

    private String[] arguments(String what, String name, Path leftOut, List<String> seeds) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of(what, Files.createDirectories(directory.resolve(name)).toString(),
                        leftOut.toString(), Integer.toString(OPERATIONS)));
        arguments.addAll(seeds);
        return arguments.toArray(String[]::new);
    }

    private static Set<String> refused(Map<String, String> lines) {
        return lines.values().stream().filter(line -> line.contains("\t" + DifferentialTranscript.REFUSED))
                .map(line -> line.substring(0, line.indexOf('\t'))).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The first ones, because one leads to others. */
    private static Map<String, String> differences(Map<String, String> published, Map<String, String> ours) {
        Map<String, String> found = new TreeMap<>();
        published.forEach((key, line) -> {
            String own = ours.getOrDefault(key, "nothing");
            if (!own.equals(line) && found.size() < SHOWN
                    && DIFFERENT.keySet().stream().noneMatch(each -> each.matcher(line).find())) {
                found.put(key, "published: " + line + "\n here: " + own + "\n");
            }
        });
        ours.keySet().stream().filter(key -> !published.containsKey(key)).limit(SHOWN)
                .forEach(key -> found.put(key, "published nothing, here: " + ours.get(key)));
        return found;
    }
}
