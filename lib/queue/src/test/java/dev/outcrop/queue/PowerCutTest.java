package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Power cuts at thousands of moments: a child JVM uses a queue while {@code disk.c} writes down what it does to its files; for each cut, a
 * directory is made of what had been synced by then and a random choice of the rest, and opened. Whatever was promised must be there;
 * whatever is there must be what was appended. Then another child goes on with what one of the cuts has left.
 *
 * <p>{@code -Doutcrop.powercut.cuts=N} tries N cuts, {@code -Doutcrop.seed=N} makes the same choices (threads differ, though),
 * {@code -Doutcrop.powercut.trace=N} tries N cuts of each run of the program, so that few are many programs.
 */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class PowerCutTest {
    private static final int CUTS = TestSize.choose("outcrop.powercut.cuts", 40, 20_000);
    private static final int CUTS_OF_A_TRACE = TestSize.choose("outcrop.powercut.trace", 20, 500);
    private static final int RECORDS = 60;
    private static final long NUMBERS_OF_A_TRACE = 1_000_000;
    private static final int NEW_PRODUCER = 9;
    private static final int ENOUGH_LIES = 10;
    private static final int MOST_LIES = 2000;
    private static final String FRESH = "fresh";
    /** The directory for failed cases. */
    private static final Path KEPT = Path.of("target", "power-cut");

    private Path temporary = Path.of("");
    private long seed;

    @BeforeEach
    void makeDirectory() throws IOException {
        temporary = PowerCuts.directory();
        seed = TestSize.seed(getClass());
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        Sample.delete(temporary);
    }

    @Test
    void whatWasPromisedSurvives() throws Exception {
        Random random = new Random(seed);
        PowerCutPromises promises = new PowerCutPromises();
        WatchedDisk disk = new WatchedDisk(Files.createDirectory(temporary.resolve("0")));
        int done = 0;
        for (int round = 0; done < CUTS; round++) {
            DiskTrace trace = record(disk, random, round);
            promises.read(trace);
            Map<Integer, Integer> syncs = trace.syncs();
            List<Integer> changes = PowerCuts.changes(trace);
            for (int i = 0; i < CUTS_OF_A_TRACE && done < CUTS; i++, done++) {
                PowerCut cut = randomCut(trace, syncs, changes, random, false);
                check(trace, cut, promises);
            }
            PowerCut last = randomCut(trace, syncs, changes, random, false);
            Sample.delete(disk.root);
            disk = new WatchedDisk(Files.createDirectory(temporary.resolve(String.valueOf(round + 1))));
            last.writeTo(disk.root);
            promises = after(last, promises);
            Sample.delete(temporary.resolve(String.valueOf(round)));
        }
        assertThat(done).isEqualTo(CUTS);
    }

    /** The test is able to fail. */
    @Test
    void aDiskThatLiesAboutMsyncIsFoundOut() throws Exception {
        Random random = new Random(seed);
        DiskTrace trace = record(new WatchedDisk(temporary), random, 0);
        PowerCutPromises promises = new PowerCutPromises();
        promises.read(trace);
        Map<Integer, Integer> syncs = trace.syncs();
        int found = 0;
        for (int i = 0; i < MOST_LIES && found <= ENOUGH_LIES; i++) {
            PowerCut cut = randomCut(trace, syncs, PowerCuts.changes(trace), random, true);
            try {
                checkImage(cut, promises);
            } catch (AssertionError | RuntimeException e) {
                found++;
            }
        }
        assertThat(found).as("seed %d", seed).isGreaterThan(ENOUGH_LIES);
    }

    private DiskTrace record(WatchedDisk disk, Random random, int round) throws Exception {
        long number = round * NUMBERS_OF_A_TRACE;
        ChildJvm jvm = disk.usedBy(ChildJvm.shortLived());
        if (random.nextBoolean()) {
            // Killed, so that the next one finds the unsynced data, which is not on the disk.
            run(jvm, disk, random, number, 1 + random.nextInt(5 * RECORDS), 137);
            jvm = disk.usedBy(ChildJvm.shortLived()).environment("OUTCROP_DISK_GOES_ON", 1);
        }
        run(jvm, disk, random, number + NUMBERS_OF_A_TRACE / 2, 0, 0);
        DiskTrace trace = DiskTrace.read(disk);
        // It sees Outcrop's own calls, and those of the JDK.
        assertThat(trace.events()).anyMatch(event -> event.kind() == 'B' && event.file() != null)
                .anyMatch(event -> event.kind() == 'B' && event.file() == null)
                .anyMatch(event -> event.kind() == 'R').anyMatch(event -> event.kind() == 'M')
                .noneMatch(event -> event.kind() == 'F');
        return trace;
    }

    private void run(ChildJvm jvm, WatchedDisk disk, Random random, long number, int killedAfter, int exitCode)
            throws Exception {
        ChildJvm.Result result = jvm.run(PowerCutWorkload.class, disk.root.resolve("queue"), disk.marks(),
                random.nextLong(), RECORDS, number, killedAfter);
        assertThat(result.exitCode()).as("seed %d: %s", seed, result.output()).isEqualTo(exitCode);
    }

    private static PowerCut randomCut(DiskTrace trace, Map<Integer, Integer> syncs, List<Integer> changes,
            Random random, boolean lies) {
        int last = trace.events().size() - 1;
        int at = trace.initial() + random.nextInt(last + 1 - trace.initial());
        if (random.nextBoolean()) {
            at = Math.min(last, changes.get(random.nextInt(changes.size())) + random.nextInt(3));
        }
        return new PowerCut(trace, syncs, at, PowerCuts.any(PowerCut.Contents.values(), random),
                PowerCuts.any(PowerCut.Names.values(), random), lies, random.nextLong());
    }

    // --- Checking ---

    private void check(DiskTrace trace, PowerCut cut, PowerCutPromises promises) throws IOException {
        try {
            checkImage(cut, promises);
        } catch (AssertionError | RuntimeException e) {
            Sample.delete(KEPT);
            Files.createDirectories(KEPT);
            cut.writeTo(KEPT);
            throw new AssertionError(
                    "seed " + seed + ", " + cut + ": " + e + "\nThe disk is kept in " + KEPT.toAbsolutePath()
                            + "\nThe last events were\n" + trace.tail(cut.event(), 60),
                    e);
        }
    }

    private void checkImage(PowerCut cut, PowerCutPromises promises) throws IOException {
        Path image = Files.createDirectory(temporary.resolve("image"));
        try {
            cut.writeTo(image);
            PowerCutPromises.Promised promised = promises.at(cut.event());
            Path directory = image.resolve("queue");
            boolean inBackground = (cut.event() & 1) == 0;
            Map<Long, Payloads.Id> all;
            List<Long> added = new ArrayList<>();
            try (Queue queue = Queue.open(directory, PowerCuts.options(inBackground))) {
                assertThat(queue.groups()).as("groups").containsAll(promised.acknowledged().keySet());
                all = PowerCuts.read(queue, FRESH);
                long first = queue.group(FRESH).position();
                requireAppended(all, promises);
                requirePromised(all, promised, first);
                for (Map.Entry<String, BitSet> group : promised.acknowledged().entrySet()) {
                    Map<Long, Payloads.Id> delivered = PowerCuts.read(queue, group.getKey());
                    requireAppended(delivered, promises);
                    BitSet wanted = (BitSet) promised.durable().clone();
                    wanted.andNot(group.getValue());
                    requireAll(delivered, wanted, "group " + group.getKey());
                    requireNone(delivered, promised.lasting().get(group.getKey()), "group " + group.getKey());
                }
                long next = queue.nextOffset();
                for (int i = 0; i < 3; i++) {
                    byte[] payload = Payloads.of(NEW_PRODUCER, i, 100 + 1000 * i);
                    added.add(i == 1 ? queue.append(payload) : queue.with(Durability.SYNCED).append(payload));
                    all.put(next + i, new Payloads.Id(NEW_PRODUCER, i));
                }
                assertThat(added).containsExactly(next, next + 1, next + 2);
            }
            try (Queue queue = Queue.open(directory, PowerCuts.options(!inBackground))) {
                assertThat(PowerCuts.read(queue, FRESH)).as("after opening again").isEqualTo(all);
                for (String group : promised.acknowledged().keySet()) {
                    assertThat(PowerCuts.read(queue, group).keySet()).as("new records, for group %s", group)
                            .containsAll(added);
                }
            }
        } finally {
            Sample.delete(image);
        }
    }

    private static void requireAppended(Map<Long, Payloads.Id> found, PowerCutPromises promises) {
        Map<Integer, Long> last = new TreeMap<>();
        found.forEach((offset, id) -> {
            if (!promises.isPossible(offset, id)) {
                throw new AssertionError("offset " + offset + " is " + id + ", which was not appended there");
            }
            Long before = last.put(id.producer(), id.number());
            if (before != null && before >= id.number()) {
                throw new AssertionError("offset " + offset + " is " + id + ", behind number " + before);
            }
        });
    }

    private static void requirePromised(Map<Long, Payloads.Id> found, PowerCutPromises.Promised promised, long first) {
        BitSet wanted = (BitSet) promised.durable().clone();
        BitSet needless = promised.needless();
        // Only what all groups had acknowledged may have been given up.
        needless.clear((int) first, Math.max(needless.length(), (int) first));
        wanted.andNot(needless);
        requireAll(found, wanted, "the queue from record " + first + " on");
    }

    private static void requireAll(Map<Long, Payloads.Id> found, BitSet wanted, String where) {
        BitSet missing = (BitSet) wanted.clone();
        found.keySet().forEach(offset -> missing.clear(offset.intValue()));
        if (!missing.isEmpty()) {
            throw new AssertionError("durable records " + missing + " are missing in " + where + ", which has "
                    + found.keySet());
        }
    }

    private static void requireNone(Map<Long, Payloads.Id> found, @Nullable BitSet unwanted, String where) {
        if (unwanted != null) {
            assertThat(found.keySet())
                    .as("delivered again to %s, which had acknowledged it before the queue was closed", where)
                    .noneMatch(offset -> unwanted.get(offset.intValue()));
        }
    }

    /** Facts after a cut that were not promised before. */
    private PowerCutPromises after(PowerCut cut, PowerCutPromises promises) throws IOException {
        Path image = Files.createDirectory(temporary.resolve("image"));
        try {
            cut.writeTo(image);
            try (Queue queue = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                Map<Long, Payloads.Id> found = PowerCuts.read(queue, FRESH);
                return new PowerCutPromises(promises, promises.at(cut.event()), queue.group(FRESH).position(), found,
                        queue.nextOffset());
            }
        } finally {
            Sample.delete(image);
        }
    }
}
