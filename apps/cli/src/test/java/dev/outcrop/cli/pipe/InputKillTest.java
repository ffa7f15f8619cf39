package dev.outcrop.cli.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.CliJvm;
import dev.outcrop.cli.Main;
import dev.outcrop.cli.Program;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command is killed while it reads the standard input, and started again with the same one, which has grown when all of it was taken.
 * Values are appended to those of the same key: after each kill each key has the first of its values, each once; in the end all of them.
 * {@code -Doutcrop.crash.rounds=} says how many kills, {@code -Doutcrop.seed=} repeats the moments, as far as that can be.
 */
@Tag("verify")
class InputKillTest {
    private static final int ROUNDS = TestSize.choose("outcrop.crash.rounds", 2, 100);
    private static final int KEYS = 500;
    private static final int LINES = TestSize.choose("outcrop.crash.records", 30_000, 60_000);
    /** No kill before the end. */
    private static final int LONG = 300_000;

    @TempDir
    private Path directory;

    private final Map<String, StringBuilder> expected = new TreeMap<>();
    private final StringBuilder input = new StringBuilder();
    private int lines;

    private void grow(Random random) {
        for (int i = random.nextInt(LINES); i < LINES; i++) {
            String key = "k" + random.nextInt(KEYS);
            String value = Integer.toString(lines++);
            input.append(key).append('\t').append(value).append('\n');
            StringBuilder values = expected.computeIfAbsent(key, _ -> new StringBuilder());
            values.append(values.isEmpty() ? "" : ",").append(value);
        }
    }

    @Test
    void eachLineIsStoredOnce() throws Exception {
        Random random = new Random(TestSize.seed(getClass()));
        Path data = directory.resolve("data");
        RocksDB.open(data, new Options().createIfMissing(true).mergeOperator(MergeOperator.STRING_APPEND)).close();
        // About how long a run takes once it writes, in milliseconds.
        int longest = 100;
        int within = 0;
        int kills = 0;
        while (kills < ROUNDS || within == 0) {
            grow(random);
            while (kills < ROUNDS || within == 0) {
                int code = run(data, random.nextInt(longest));
                if (code == 0) {
                    requireAll(data);
                    longest = Math.max(20, longest / 2);
                    break;
                }
                kills++;
                if (requireFirst(data)) {
                    within++;
                    longest = Math.min(20_000, longest * 5 / 4);
                } else {
                    // It had begun to write, so most often it had done all.
                    longest = Math.max(20, longest / 2);
                }
            }
        }
        assertThat(run(data, LONG)).isZero();
        requireAll(data);
        System.out.println("InputKillTest: " + kills + " kills, after " + within
                + " of which a part of the input was stored; " + lines + " lines");
    }

    /** Returns how it has ended: with 0, or by the kill. */
    private int run(Path data, int millis) throws Exception {
        String log = Log.latest(data);
        Process run = CliJvm.jvm().start(Main.class, "pipe", data, "--merge", "--create", "--resume");
        Thread feeder = Thread.ofPlatform().start(() -> {
            try (OutputStream to = run.getOutputStream()) {
                to.write(input.toString().getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // It is killed.
            }
        });
        Log.awaitWrites(run, data, log);
        boolean isDone = run.waitFor(millis, TimeUnit.MILLISECONDS);
        ChildJvm.kill(run);
        int code = run.waitFor();
        feeder.join();
        assertThat(code == 0 || !isDone).as("ended by itself with " + code).isTrue();
        return code;
    }

    /** Each key has the first of its values; returns whether some are missing, and some are there. */
    private boolean requireFirst(Path data) {
        Map<String, String> found = found(data);
        found.forEach((key, values) -> assertThat(expected.get(key) + ",").as(key).startsWith(values + ","));
        return !found.isEmpty() && !found.equals(all());
    }

    private void requireAll(Path data) {
        assertThat(found(data)).isEqualTo(all());
    }

    private Map<String, String> all() {
        Map<String, String> all = new TreeMap<>();
        expected.forEach((key, values) -> all.put(key, values.toString()));
        return all;
    }

    private static Map<String, String> found(Path data) {
        Map<String, String> found = new TreeMap<>();
        Program.ok("db", "scan", data).lines().map(line -> line.split("\t", 2))
                .forEach(entry -> found.put(entry[0], entry[1]));
        return found;
    }
}
