package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After kill -9 at any moment, all that was acknowledged is there, what belongs together is there as a whole or not at all, and nothing
 * half-made is taken for whole.
 */
@Tag("verify")
class KilledActivityTest {
    private static final int PAIRS = TestSize.choose("outcrop.kill.pairs", 1, 50);
    private static final int ROUNDS = 2;
    /** So far apart are the numbers of two rounds. */
    private static final int STRIDE = 1_000_000;
    /** The first of the activities that is asked for more than one line decides when. */
    private static final Map<KilledActivity, Integer> MOST_LINES = Map.of(KilledActivity.PUTS, 120,
            KilledActivity.BATCHES, 100, KilledActivity.TRANSACTIONS, 100, KilledActivity.TWO_PHASES, 60,
            KilledActivity.FAMILIES_COME_AND_GO, 15, KilledActivity.INGESTS, 15, KilledActivity.CHECKPOINTS, 6,
            KilledActivity.BACKUPS, 4);

    private final long seed = TestSize.seed(getClass());
    private final Random random = new Random(seed);

    @TempDir
    private Path temporary;

    /** Kills it in two rounds, the second one on what the first one has left; checks all activities after each. */
    @Test
    void nothingIsLostOrHalfMade() throws Exception {
        List<KilledActivity> deciding = List.copyOf(new TreeSet<>(MOST_LINES.keySet()));
        for (int pair = 0; pair < PAIRS; pair++) {
            Path directory = temporary.resolve("pair" + pair);
            Map<KilledActivity, Check> checks = checks();
            Map<KilledActivity, List<String>> lines = new EnumMap<>(KilledActivity.class);
            for (KilledActivity activity : KilledActivity.values()) {
                Files.createDirectories(activity.in(directory));
                lines.put(activity, new ArrayList<>());
            }
            for (int round = 0; round < ROUNDS; round++) {
                KilledActivity slowest = deciding.get(random.nextInt(deciding.size()));
                int most = Objects.requireNonNull(MOST_LINES.get(slowest));
                List<String> all = KilledProcess.linesOf(KilledActivity.Program.class,
                        isEnough(slowest, 1 + random.nextInt(most)), random.nextInt(3_000_000), directory,
                        round * STRIDE);
                for (String line : all) {
                    int space = line.indexOf(' ');
                    Objects.requireNonNull(lines.get(KilledActivity.valueOf(line.substring(0, space))))
                            .add(line.substring(space + 1));
                }
                for (KilledActivity activity : KilledActivity.values()) {
                    List<String> own = Objects.requireNonNull(lines.get(activity));
                    assertThat(own).as("seed %d, %s", seed, activity)
                            .noneMatch(line -> line.startsWith(KilledActivity.FAILED));
                    Objects.requireNonNull(checks.get(activity)).run(activity.in(directory), own);
                }
            }
        }
    }

    /** Each activity has done something, and one of them so much. */
    private static Predicate<String> isEnough(KilledActivity slowest, int lines) {
        Map<String, Integer> left = new HashMap<>();
        for (KilledActivity activity : KilledActivity.values()) {
            left.put(activity.name(), activity == slowest ? lines : 1);
        }
        return line -> {
            left.computeIfPresent(line.split(" ", -1)[0], (_, count) -> count == 1 ? null : count - 1);
            return left.isEmpty() || line.contains(KilledActivity.FAILED);
        };
    }

    private Map<KilledActivity, Check> checks() {
        Map<Integer, Boolean> isThere = new HashMap<>();
        Map<KilledActivity, Check> checks = new EnumMap<>(KilledActivity.class);
        for (KilledActivity activity : KilledActivity.values()) {
            checks.put(activity, switch (activity) {
                case PUTS -> this::requireWrites;
                case BATCHES, INDEXED_BATCHES, TRANSACTIONS -> (directory, lines) -> requireWhole(activity, directory,
                        lines);
                case TWO_PHASES -> (directory, lines) -> requireEnded(directory, lines, isThere);
                case FAMILIES_COME_AND_GO -> this::requireFamilies;
                case INGESTS -> this::requireIngested;
                case CHECKPOINTS -> this::requireCheckpoints;
                case BACKUPS -> this::requireBackups;
            });
        }
        return checks;
    }

    /** Looks at what is there. */
    private interface Check {
        void run(Path directory, List<String> lines) throws Exception;
    }

    private static Set<Integer> numbers(List<String> lines, String prefix) {
        Set<Integer> numbers = new HashSet<>();
        lines.stream().filter(line -> line.matches(prefix + "\\d+.*"))
                .forEach(line -> numbers.add(Integer.valueOf(line.substring(prefix.length()).split(" ", -1)[0])));
        return numbers;
    }

    /** The acknowledged steps, and the first ones after them in each round, which may have been done or not. */
    private static List<Integer> withNext(Set<Integer> acknowledged) {
        Set<Integer> all = new HashSet<>(acknowledged);
        acknowledged.forEach(i -> all.add(i + 1));
        IntStream.range(0, ROUNDS).forEach(round -> all.add(round * STRIDE));
        return List.copyOf(all);
    }

    /** Checks a key in all families. Returns whether it is there. */
    private boolean isWhole(RocksDB db, int i) {
        List<byte[]> found = new ArrayList<>();
        for (KeyValueReader reader : List.of(db, KilledActivity.family(db, "a"), KilledActivity.family(db, "b"))) {
            byte[] value = reader.get(KilledActivity.key(i));
            if (value != null) {
                assertThat(value).isEqualTo(KilledActivity.value(i));
                found.add(value);
            }
        }
        assertThat(found).as("seed %d, step %d in three column families", seed, i)
                .satisfiesAnyOf(all -> assertThat(all).isEmpty(), all -> assertThat(all).hasSize(3));
        return !found.isEmpty();
    }

    private void requireWrites(Path directory, List<String> lines) {
        Set<Integer> acknowledged = numbers(lines, "");
        try (RocksDB db = RocksDB.open(directory)) {
            for (int i : acknowledged) {
                assertThat(db.get(KilledActivity.key(i))).as("seed %d, step %d", seed, i)
                        .isEqualTo(KilledActivity.value(i));
            }
            db.scan((key, found) -> {
                assertThat(ReadForm.bytes(found)).as("seed %d, key %s", seed, text(key))
                        .isEqualTo(KilledActivity.value(Integer.parseInt(text(key).substring(3))));
                return true;
            });
        }
    }

    private static String text(MemorySegment key) {
        return new String(ReadForm.bytes(key), StandardCharsets.UTF_8);
    }

    private void requireWhole(KilledActivity activity, Path directory, List<String> lines) {
        Set<Integer> acknowledged = numbers(lines, "");
        try (RocksDB db = activity == KilledActivity.TRANSACTIONS
                ? TransactionDB.open(directory, KilledActivity.options())
                : RocksDB.open(directory)) {
            withNext(acknowledged).forEach(i -> assertThat(isWhole(db, i) || !acknowledged.contains(i))
                    .as("seed %d, step %d was acknowledged", seed, i).isTrue());
        }
    }

    /** Prepared transactions are recovered, and can be ended either way. Knows whether what they have written is there. */
    private void requireEnded(Path directory, List<String> lines, Map<Integer, Boolean> isThere) {
        Set<Integer> prepared = numbers(lines, "");
        numbers(lines, "ended ").forEach(i -> isThere.put(i, !KilledActivity.isRolledBack(i)));
        try (TransactionDB db = TransactionDB.open(directory, KilledActivity.options())) {
            endRecovered(db, isThere);
            for (int i : withNext(prepared)) {
                // A prepared transaction that is not recovered has ended, although the process could not report it.
                boolean expected = isThere.getOrDefault(i, prepared.contains(i) && !KilledActivity.isRolledBack(i));
                assertThat(isWhole(db, i)).as("seed %d, transaction %d is there", seed, i).isEqualTo(expected);
            }
        }
        try (TransactionDB db = TransactionDB.open(directory, KilledActivity.options())) {
            assertThat(db.preparedTransactions()).isEmpty();
        }
    }

    private void endRecovered(TransactionDB db, Map<Integer, Boolean> isThere) {
        List<Transaction> recovered = db.preparedTransactions();
        // At most the one that was on its way.
        assertThat(recovered).as("seed %d", seed).hasSizeLessThanOrEqualTo(1);
        for (Transaction transaction : recovered) {
            int i = Integer.parseInt(transaction.name().substring(1));
            assertThat(isThere).as("seed %d", seed).doesNotContainKey(i);
            assertThat(isWhole(db, i)).isFalse();
            boolean commits = random.nextBoolean();
            if (commits) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            transaction.close();
            isThere.put(i, commits);
        }
    }

    private void requireFamilies(Path directory, List<String> lines) {
        Set<Integer> created = numbers(lines, "");
        Set<Integer> dropped = numbers(lines, "ended ");
        IntPredicate mayBeDropped = KilledActivity::isRolledBack;
        try (RocksDB db = RocksDB.open(directory)) {
            for (int i : withNext(created)) {
                ColumnFamily family = db.findColumnFamily("f" + i);
                if (dropped.contains(i)) {
                    assertThat(family).as("seed %d, f%d was dropped", seed, i).isNull();
                } else if (created.contains(i) && !mayBeDropped.test(i)) {
                    assertThat(family).as("seed %d, f%d was created", seed, i).isNotNull();
                }
                if (family != null) {
                    byte[] value = family.get(KilledActivity.key(i));
                    if (created.contains(i)) {
                        assertThat(value).as("seed %d, f%d", seed, i).isEqualTo(KilledActivity.value(i));
                    } else {
                        assertThat(value).isIn(null, KilledActivity.value(i));
                    }
                }
            }
        }
    }

    private void requireIngested(Path directory, List<String> lines) {
        Set<Integer> acknowledged = numbers(lines, "");
        try (RocksDB db = RocksDB.open(directory)) {
            for (int i : withNext(acknowledged)) {
                int found = 0;
                for (int part = 0; part < KilledActivity.PARTS; part++) {
                    byte[] value = db.get(KilledActivity.part(i, part));
                    if (value != null) {
                        assertThat(value).isEqualTo(KilledActivity.value(i));
                        found++;
                    }
                }
                if (acknowledged.contains(i)) {
                    assertThat(found).as("seed %d, parts of %d", seed, i).isEqualTo(KilledActivity.PARTS);
                } else {
                    assertThat(found).as("seed %d, parts of %d", seed, i).isIn(0, KilledActivity.PARTS);
                }
            }
        }
    }

    /** Acknowledged checkpoints are whole, and others are none. */
    private void requireCheckpoints(Path directory, List<String> lines) {
        Set<Integer> acknowledged = numbers(lines, "");
        for (int i : withNext(acknowledged)) {
            Path checkpoint = directory.resolveSibling("checkpoint" + i);
            if (acknowledged.contains(i)) {
                assertThat(checkpoint).as("seed %d", seed).isDirectory();
            }
            // Unfinished files have another name.
            if (Files.exists(checkpoint)) {
                assertHolds(checkpoint, i);
            }
        }
    }

    /** That a copy which was made in a step has all of the entries up to then, and no other. */
    private void assertHolds(Path copy, int last) {
        try (RocksDB db = RocksDB.open(copy)) {
            int[] count = {0};
            db.scan((key, value) -> {
                int i = Integer.parseInt(new String(ReadForm.bytes(key), StandardCharsets.UTF_8).substring(3));
                assertThat(i).as("seed %d", seed).isLessThanOrEqualTo(last);
                assertThat(ReadForm.bytes(value)).isEqualTo(KilledActivity.value(i));
                count[0] += i >= last / STRIDE * STRIDE ? 1 : 0;
                return true;
            });
            assertThat(count[0]).as("seed %d, entries of the round in %s", seed, copy).isEqualTo(last % STRIDE + 1);
        }
    }

    /** Acknowledged backups are whole, and others are none. */
    private void requireBackups(Path directory, List<String> lines) {
        Path restored = directory.resolveSibling("restored");
        try (BackupEngine backups = BackupEngine.open(new BackupEngineOptions(directory.resolveSibling("backups")))) {
            List<BackupInfo> infos = backups.infos();
            for (String line : lines) {
                int id = Integer.parseInt(line.split(" ", -1)[1]);
                assertThat(infos).as("seed %d, %s", seed, line).anyMatch(info -> info.id() == id
                        && info.metadata().equals("step " + line.split(" ", -1)[0]));
            }
            for (BackupInfo info : infos) {
                backups.verifyChecksums(info.id());
                backups.restore(info.id(), restored, new RestoreOptions());
                assertHolds(restored, Integer.parseInt(info.metadata().substring("step ".length())));
            }
            // A new one can be made beside what is half-made.
            try (RocksDB db = RocksDB.open(directory)) {
                backups.verifyChecksums(backups.create(db, new CreateBackupOptions(), "step " + lastStep(db)));
            }
        }
    }

    private static int lastStep(RocksDB db) {
        try (KeyValueIterator entries = db.iterator()) {
            assertThat(entries.seekToLast()).isTrue();
            return Integer.parseInt(new String(ReadForm.bytes(entries.key()), StandardCharsets.UTF_8).substring(3));
        }
    }
}
