package dev.outcrop.cli.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.cli.CliJvm;
import dev.outcrop.cli.Main;
import dev.outcrop.cli.Program;
import dev.outcrop.cli.Program.Run;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command is killed at random moments, and started again, until it has taken all of some files, which then grow. Values are appended to
 * those of the same key, so that one that is missing, doubled or out of order shows: after each kill, each key has the first of its values,
 * each once; in the end all of them. {@code -Doutcrop.crash.rounds=} says how many kills, {@code -Doutcrop.seed=} repeats the moments, as
 * far as that can be.
 */
@Tag("verify")
class PipeKillTest {
    private static final int ROUNDS = TestSize.choose("outcrop.crash.rounds", 3, 100);
    private static final int KEYS = 500;
    private static final int RECORDS = TestSize.choose("outcrop.crash.records", 15_000, 40_000);

    @TempDir
    private Path directory;

    private final Map<String, StringBuilder> expected = new TreeMap<>();
    private final List<String> letters = new ArrayList<>();
    private final Map<Path, Integer> lines = new TreeMap<>();
    private int records;

    /** More records for a file: some are no entries, some have line feeds in them. */
    private void grow(Path file, Random random) throws IOException {
        StringBuilder text = new StringBuilder();
        int line = lines.computeIfAbsent(file, _ -> {
            text.append("key,value,text\n");
            return 1;
        });
        for (int i = random.nextInt(RECORDS); i < RECORDS; i++) {
            line++;
            if (random.nextInt(500) == 0) {
                text.append("bad\n");
                letters.add("line " + line + " of " + file + ": there is no column 2; it has 1\tbad");
                continue;
            }
            String key = "k" + random.nextInt(KEYS);
            String value = Integer.toString(records++);
            text.append(key).append(",\"").append(value).append("\",\"some \"\"text\"\"");
            if (random.nextInt(3) == 0) {
                text.append('\n');
                line++;
            }
            text.append(" more\"\n");
            StringBuilder values = expected.computeIfAbsent(key, _ -> new StringBuilder());
            values.append(values.isEmpty() ? "" : ",").append(value);
        }
        lines.put(file, line);
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void eachRecordIsStoredOnce() throws Exception {
        Random random = new Random(TestSize.seed(getClass()));
        Path data = directory.resolve("data");
        RocksDB.open(data, new Options().createIfMissing(true).mergeOperator(MergeOperator.STRING_APPEND)).close();
        List<Path> files = List.of(directory.resolve("a.csv"), directory.resolve("b.csv"), directory.resolve("c.csv"));
        List<Object> command = new ArrayList<>(List.of("pipe", data, "--key", "key", "--value", "value", "--merge",
                "--create", "--bad", directory.resolve("bad")));
        command.addAll(files);
        // About how long a run takes once it writes, in milliseconds.
        int longest = 100;
        int kills = 0;
        int within = 0;
        while (kills < ROUNDS || within == 0) {
            for (Path file : files) {
                grow(file, random);
            }
            while (kills < ROUNDS || within == 0) {
                String log = Log.latest(data);
                Process run = CliJvm.jvm().start(Main.class, command.toArray());
                // Sometimes before that.
                if (random.nextInt(4) > 0) {
                    Log.awaitWrites(run, data, log);
                }
                boolean isDone = run.waitFor(random.nextInt(longest), TimeUnit.MILLISECONDS);
                ChildJvm.kill(run);
                int code = run.waitFor();
                if (isDone) {
                    assertThat(code).isZero();
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
        Run last = Program.run(command.toArray());
        assertThat(last.code()).as(last.err()).isZero();
        requireAll(data);
        assertThat(Program.run(command.toArray()).out()).contains("nothing new").contains("0 records are stored");
        requireAll(data);
        Run dump = Program.run("queue", "dump", directory.resolve("bad"));
        assertThat(dump.out().lines().map(line -> line.split("\t", 3)[2]
                .replaceFirst("^\\[dead letter of group pipe-\\p{XDigit}+, record \\d+: (.*)] (\\w+)$", "$1\t$2")))
                .isEqualTo(letters);
        System.out.println("PipeKillTest: " + kills + " kills, after " + within
                + " of which a part of the files was stored; " + records + " records, " + letters.size() + " bad ones");
    }

    /** Each key has the first of its values; returns whether some are missing, and some are there. */
    private boolean requireFirst(Path data) {
        Map<String, String> found = found(data);
        boolean isPart = false;
        for (Map.Entry<String, String> entry : found.entrySet()) {
            String all = String.valueOf(expected.get(entry.getKey()));
            assertThat(all + ",").as(entry.getKey()).startsWith(entry.getValue() + ",");
            isPart |= all.length() != entry.getValue().length();
        }
        return isPart;
    }

    private void requireAll(Path data) {
        Map<String, String> all = new TreeMap<>();
        expected.forEach((key, values) -> all.put(key, values.toString()));
        assertThat(found(data)).isEqualTo(all);
    }

    private static Map<String, String> found(Path data) {
        Map<String, String> found = new TreeMap<>();
        try (RocksDB db = RocksDB.openReadOnly(data)) {
            db.scan(KeyRange.all(), (key, value) -> {
                found.put(new String(key.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8),
                        new String(value.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
                return true;
            });
        }
        return found;
    }
}
