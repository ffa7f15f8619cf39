package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repairing a queue takes no record away that a tailer could read before, whatever has happened to the files, and leaves a queue in which
 * all that read it find the same. Each queue and its damage follow from a seed; {@link #main} tries as many as one likes.
 */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RandomDamageTest {
    /**
     * The seeds of queues with past failures of repair: lost records, wrong counts, endless reading, or a queue that could not be opened.
     */
    private static final List<Long> KNOWN = List.of(238L, 471L, 856L, 891L, 5001126L, 5001889L, 48196810606731L);
    private static final int FRESH = TestSize.choose("outcrop.damaged.queues", 3, 1000);
    /** Behind so many offsets that lead nowhere, a reader goes to the next file. */
    private static final int PATIENCE = 40;
    /** Logs the damage that is found. */
    private static final Logger LOGGER = Logger.getLogger("dev.outcrop.queue");

    @TempDir
    private Path temporary = Path.of("");

    @BeforeEach
    void beSilent() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterEach
    void speak() {
        LOGGER.setLevel(null);
    }

    @Test
    @Tag("verify")
    void knownSeeds() throws IOException {
        List<Long> seeds = new ArrayList<>(KNOWN);
        Collections.shuffle(seeds, new Random(TestSize.seed(getClass())));
        for (long seed : seeds.subList(0, TestSize.choose("outcrop.damaged.known", 2, KNOWN.size()))) {
            run(temporary, seed);
        }
    }

    @Test
    void freshSeeds() throws IOException {
        long first = TestSize.seed(getClass());
        for (long seed = first; seed < first + FRESH; seed++) {
            run(temporary, seed);
        }
    }

    /**
     * Tries many.
     *
     * @param arguments the first seed, how many, and a directory to do it in
     */
    static void main(String[] arguments) throws IOException {
        LOGGER.setLevel(Level.OFF);
        long first = Long.parseLong(arguments[0]);
        long count = Long.parseLong(arguments[1]);
        int failed = 0;
        for (long seed = first; seed < first + count; seed++) {
            try {
                run(Path.of(arguments[2]), seed);
            } catch (AssertionError | RuntimeException e) {
                failed++;
                // Not all the offsets.
                System.out.println(e.toString().lines().limit(2).toList() + " " + e.getCause());
            }
        }
        System.out.println(count + " queues, of which " + failed + " failed");
    }

    private static void run(Path directory, long seed) throws IOException {
        Path path = Files.createTempDirectory(directory, "seed" + seed + "-");
        SplittableRandom random = new SplittableRandom(seed);
        RandomQueue source = new RandomQueue(path.resolve("source"), random);
        Path damaged = path.resolve("damaged");
        source.make(damaged);
        String what = "seed " + seed + ": " + new RandomDamage(damaged, random).run();
        try {
            check(source, damaged, what);
        } catch (UncheckedIOException | QueueException e) {
            throw new AssertionError(what, e);
        }
        Sample.delete(path);
    }

    private static void check(RandomQueue source, Path damaged, String what) throws IOException {
        SortedSet<Long> before = new TreeSet<>();
        try (Tailer tailer = Tailer.open(damaged)) {
            readAll(tailer, damaged, source, before);
        } catch (QueueException | UncheckedIOException e) {
            // The records that it has read count.
            assertThat(before).as(what).isNotNull();
        }
        QueueCheck found;
        try {
            found = QueueFiles.repair(damaged);
        } catch (QueueException e) {
            // Refused, because it would have to guess.
            found = null;
        }
        SortedSet<Long> after = new TreeSet<>();
        try (Tailer tailer = Tailer.open(damaged)) {
            readAll(tailer, damaged, source, after);
        } catch (QueueException | UncheckedIOException e) {
            // Opening handles the rest of a power cut.
            assertThat(found == null || found.isSound()).as(what + " " + e).isTrue();
        }
        assertThat(after).as(what + ": read before the repair and not after it").containsAll(before);
        if (found != null) {
            checkOpened(source, damaged, after, what);
        }
    }

    /** Opens a queue that is whole, and reads it with a consumer, and then with a tailer that has nothing to go around. */
    private static void checkOpened(RandomQueue source, Path repaired, SortedSet<Long> tailed, String what)
            throws IOException {
        QueueCheck check = QueueFiles.verify(repaired);
        assertThat(check.damages()).as(what).isEmpty();
        long retired = check.slots().getFirst().retired();
        long records = check.segments().stream().filter(segment -> segment.endOffset() > retired)
                .mapToLong(QueueCheck.Segment::records).sum();
        // Opening gives back what all groups have acknowledged.
        long kept = Math.max(retired, check.groups().stream().mapToLong(QueueCheck.Group::floor).min().orElse(retired));
        SortedSet<Long> consumed = new TreeSet<>();
        long first;
        try (Queue queue = RandomQueue.open(repaired)) {
            first = queue.firstOffset();
            assertThat(first).as(what).isLessThanOrEqualTo(kept);
            try (Consumer consumer = queue.group("fresh").consumer()) {
                Polls.all(consumer, 1000, (offset, payload, _) -> {
                    requireIntact(source, offset, payload.toArray(ValueLayout.JAVA_BYTE));
                    consumed.add(offset);
                });
            }
            assertThat(tailed.isEmpty() || queue.nextOffset() > tailed.last()).as(what + ": given out again").isTrue();
        }
        assertThat(consumed).as(what + ": opened").containsAll(tailed.tailSet(first));
        if (first == retired) {
            assertThat(consumed).as(what + ": as many as were verified").hasSize((int) records);
        }
        SortedSet<Long> again = new TreeSet<>();
        try (Tailer tailer = Tailer.open(repaired)) {
            while (tailer.poll()) {
                requireIntact(source, tailer.offset(), tailer.segment().toArray(ValueLayout.JAVA_BYTE));
                again.add(tailer.offset());
            }
        }
        assertThat(again).as(what + ": tailed again").isEqualTo(consumed);
    }

    /** Reads all that there is, also behind damage: one offset after another is tried there, and then the next file. */
    private static void readAll(Tailer tailer, Path directory, RandomQueue source, SortedSet<Long> into)
            throws IOException {
        int vain = 0;
        long at = 0;
        while (true) {
            try {
                while (tailer.poll()) {
                    requireIntact(source, tailer.offset(), tailer.segment().toArray(ValueLayout.JAVA_BYTE));
                    vain = into.add(tailer.offset()) ? 0 : vain;
                    at = Math.max(at, tailer.offset());
                }
            } catch (QueueCorruptException e) {
                // There may be more behind it.
                vain++;
            }
            at++;
            if (++vain > PATIENCE) {
                long next = basesBehind(directory, at).min().orElse(-1);
                if (next < 0) {
                    return;
                }
                at = next;
                vain = 0;
            }
            at = seek(tailer, at);
        }
    }

    /** Goes to an offset, or to one behind it if there is no going there. */
    private static long seek(Tailer tailer, long from) {
        for (long at = from;; at++) {
            try {
                tailer.seek(at);
                return at;
            } catch (QueueCorruptException e) {
                if (at - from > 4096) {
                    throw e;
                }
            }
        }
    }

    private static LongStream basesBehind(Path directory, long offset) throws IOException {
        return QueueDirectory.segments(directory).stream().mapToLong(QueueDirectory::offset)
                .filter(base -> base > offset);
    }

    private static void requireIntact(RandomQueue source, long offset, byte[] payload) {
        assertThat(source.isIntact(offset, payload)).as("record " + offset + " of " + payload.length + " bytes")
                .isTrue();
    }
}
