package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Power cuts at thousands of moments: a child JVM uses a queue while {@code disk.c} writes down what it does to its files; for each cut, a
 * directory is made of what had been synced by then and a random choice of the rest, and opened. Whatever was promised must be there;
 * whatever is there must be what was appended. Then another child goes on with what one of the cuts has left.
 *
 * <p>{@code -Doutcrop.powercut.cuts=N} tries N cuts, {@code -Doutcrop.powercut.seed=N} makes the same choices (threads differ, though),
 * {@code -Doutcrop.powercut.trace=N} tries N cuts of each run of the program, so that few are many programs.
 */
@EnabledOnOs(OS.LINUX)
class PowerCutTest {
    private static final int CUTS = Integer.getInteger("outcrop.powercut.cuts", 1000);
    private static final int CUTS_OF_A_TRACE = Integer.getInteger("outcrop.powercut.trace", 500);
    private static final int RECORDS = 60;
    private static final long NUMBERS_OF_A_TRACE = 1_000_000;
    private static final int NEW_PRODUCER = 9;
    /** Of what a cut leaves, where few events matter. */
    private static final int CHOICES = 50;
    private static final String FRESH = "fresh";
    /** Where what has failed is kept. */
    private static final Path KEPT = Path.of("target", "power-cut");

    private Path temporary = Path.of("");
    private long seed;

    @BeforeEach
    void makeDirectory() throws IOException {
        // In memory, if possible: no power is cut there.
        Path memory = Path.of("/dev/shm");
        temporary = Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "outcrop-power-cut")
                : Files.createTempDirectory("outcrop-power-cut");
        seed = Long.getLong("outcrop.powercut.seed", System.nanoTime());
        System.out.println("PowerCutTest: seed " + seed);
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        delete(temporary);
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void whatWasPromisedSurvives() throws Exception {
        Random random = new Random(seed);
        PowerCutPromises promises = new PowerCutPromises();
        WatchedDisk disk = new WatchedDisk(Files.createDirectory(temporary.resolve("0")));
        int done = 0;
        for (int round = 0; done < CUTS; round++) {
            DiskTrace trace = record(disk, random, round);
            promises.read(trace);
            Map<Integer, Integer> syncs = trace.syncs();
            List<Integer> changes = changes(trace);
            for (int i = 0; i < CUTS_OF_A_TRACE && done < CUTS; i++, done++) {
                PowerCut cut = randomCut(trace, syncs, changes, random, false);
                check(trace, cut, promises);
            }
            PowerCut last = randomCut(trace, syncs, changes, random, false);
            delete(disk.root);
            disk = new WatchedDisk(Files.createDirectory(temporary.resolve(String.valueOf(round + 1))));
            last.writeTo(disk.root);
            promises = after(last, promises);
            delete(temporary.resolve(String.valueOf(round)));
        }
        assertThat(done).isEqualTo(CUTS);
    }

    /** Makes some groups. */
    static final class GroupsProgram {
        private GroupsProgram() {
        }

        static void main(String[] arguments) {
            try (Queue queue = Queue.open(Path.of(arguments[0]), options(false))) {
                queue.group("one");
                queue.append(Payloads.of(2, 0, 100));
                queue.group("two");
            }
        }
    }

    /** Its file is there whole, or not at all; and what was to become one is not there for long. */
    @Test
    void aGroupIsMadeAllAtOnce() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        ChildJvm.Result result = disk.usedBy(ChildJvm.shortLived()).run(GroupsProgram.class,
                disk.root.resolve("queue"));
        assertThat(result.exitCode()).as(result.output()).isZero();
        DiskTrace trace = DiskTrace.read(disk);
        Map<Integer, Integer> syncs = trace.syncs();
        for (int at : changes(trace)) {
            for (PowerCut.Contents contents : PowerCut.Contents.values()) {
                PowerCut cut = new PowerCut(trace, syncs, at, contents, PowerCut.Names.ALL, false, seed);
                Path image = Files.createDirectory(temporary.resolve("image"));
                cut.writeTo(image);
                Path directory = image.resolve("queue");
                try (Queue queue = Queue.open(directory, options(false))) {
                    for (String name : List.of("one", "two")) {
                        // A segment whose header was not on the disk may be there.
                        assertThat(directory.resolve("quarantine").resolve(name + ".group-0.bytes"))
                                .as("seed %d, %s", seed, cut).doesNotExist();
                    }
                    try (Stream<Path> files = Files.list(directory.resolve("groups"))) {
                        assertThat(files).as("seed %d, %s", seed, cut).hasSameSizeAs(queue.groups());
                    }
                }
                delete(image);
            }
        }
    }

    /** Acknowledges some records of many, and is killed later when it has acknowledged all. */
    static final class AcknowledgeProgram {
        private static final int RECORDS = 100;
        private static final BitSet EARLY = BitSet.valueOf(new long[]{0x0000_0100_0000_03E0L});

        private AcknowledgeProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            try (Queue queue = Queue.open(path, options(false))) {
                queue.group("reader");
                for (int i = 0; i < RECORDS; i++) {
                    queue.append(Payloads.of(0, i, 30));
                }
                acknowledge(queue, EARLY);
            }
            Queue queue = Queue.open(path, options(false));
            WatchedDisk.fail(Path.of(arguments[1]), "msync", ".group", "always");
            // Into the second file, so that the first one is to be given back.
            queue.append(Payloads.of(1, 0, 4000));
            BitSet all = new BitSet();
            all.set(0, RECORDS);
            acknowledge(queue, all);
            try {
                queue.append(new byte[1]);
            } catch (QueuePoisonedException e) {
                // The floor is in the group's file, and not on the disk.
                Files.writeString(Path.of(arguments[2]), "halt", StandardOpenOption.APPEND);
            }
        }

        private static void acknowledge(Queue queue, BitSet these) {
            try (Consumer consumer = queue.group("reader").consumer()) {
                consumer.poll(RECORDS, (offset, _, _) -> {
                    if (these.get((int) offset)) {
                        consumer.acknowledge(offset);
                    }
                });
            }
        }
    }

    /** Opening takes words away that the floor stands for, which a killed process has left in memory. */
    @Test
    void openingForgetsNothingThatWasAcknowledgedBeforeTheQueueWasClosed() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        Path queue = disk.root.resolve("queue");
        ChildJvm.Result killed = disk.usedBy(ChildJvm.shortLived()).run(AcknowledgeProgram.class, queue,
                disk.failing(), disk.marks());
        assertThat(killed.exitCode()).as(killed.output()).isEqualTo(137);
        Files.delete(disk.failing());
        int before = DiskTrace.read(disk).events().size();
        ChildJvm.Result opened = disk.usedBy(ChildJvm.shortLived()).environment("OUTCROP_DISK_GOES_ON", 1)
                .run(GroupsProgram.class, queue);
        assertThat(opened.exitCode()).as(opened.output()).isZero();
        DiskTrace trace = DiskTrace.read(disk);
        Map<Integer, Integer> syncs = trace.syncs();
        int cuts = 0;
        for (int at = before; at < trace.events().size(); at++) {
            if (!trace.events().get(at).text().endsWith("reader.group")) {
                continue;
            }
            cuts++;
            for (int i = 0; i < CHOICES; i++) {
                PowerCut cut = new PowerCut(trace, syncs, at, PowerCut.Contents.SECTORS, PowerCut.Names.ALL, false,
                        seed + i);
                Path image = Files.createDirectory(temporary.resolve("image"));
                cut.writeTo(image);
                try (Queue left = Queue.open(image.resolve("queue"), options(false))) {
                    requireNone(read(left, "reader"), AcknowledgeProgram.EARLY, "seed " + seed + ", " + cut);
                }
                delete(image);
            }
        }
        // The file as it is, and what opening takes away.
        assertThat(cuts).isGreaterThan(1);
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
        for (int i = 0; i < 50; i++) {
            PowerCut cut = randomCut(trace, syncs, changes(trace), random, true);
            try {
                checkImage(cut, promises);
            } catch (AssertionError | RuntimeException e) {
                found++;
            }
        }
        assertThat(found).as("seed %d", seed).isGreaterThan(10);
    }

    private DiskTrace record(WatchedDisk disk, Random random, int round) throws Exception {
        long number = round * NUMBERS_OF_A_TRACE;
        ChildJvm jvm = disk.usedBy(ChildJvm.shortLived());
        if (random.nextBoolean()) {
            // Killed, so that what it had not synced is there for the next one, and yet not on the disk.
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
                random.nextLong(),
                RECORDS, number, killedAfter);
        assertThat(result.exitCode()).as("seed %d: %s", seed, result.output()).isEqualTo(exitCode);
    }

    /** Events beside marks. */
    private static List<Integer> changes(DiskTrace trace) {
        List<Integer> changes = new ArrayList<>();
        for (int i = trace.initial(); i < trace.events().size(); i++) {
            if (trace.events().get(i).kind() != 'M') {
                changes.add(i);
            }
        }
        return changes;
    }

    private static PowerCut randomCut(DiskTrace trace, Map<Integer, Integer> syncs, List<Integer> changes,
            Random random,
            boolean lies) {
        int last = trace.events().size() - 1;
        int at = trace.initial() + random.nextInt(last + 1 - trace.initial());
        if (random.nextBoolean()) {
            at = Math.min(last, changes.get(random.nextInt(changes.size())) + random.nextInt(3));
        }
        return new PowerCut(trace, syncs, at, any(PowerCut.Contents.values(), random),
                any(PowerCut.Names.values(), random),
                lies, random.nextLong());
    }

    private static <T> T any(T[] values, Random random) {
        return values[random.nextInt(values.length)];
    }

    // --- Checking ---

    private void check(DiskTrace trace, PowerCut cut, PowerCutPromises promises) throws IOException {
        try {
            checkImage(cut, promises);
        } catch (AssertionError | RuntimeException e) {
            delete(KEPT);
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
            try (Queue queue = Queue.open(directory, options(inBackground))) {
                assertThat(queue.groups()).as("groups").containsAll(promised.acknowledged().keySet());
                all = read(queue, FRESH);
                long first = queue.group(FRESH).position();
                requireAppended(all, promises);
                requirePromised(all, promised, first);
                for (Map.Entry<String, BitSet> group : promised.acknowledged().entrySet()) {
                    Map<Long, Payloads.Id> delivered = read(queue, group.getKey());
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
            try (Queue queue = Queue.open(directory, options(!inBackground))) {
                assertThat(read(queue, FRESH)).as("after opening again").isEqualTo(all);
                for (String group : promised.acknowledged().keySet()) {
                    assertThat(read(queue, group).keySet()).as("new records, for group %s", group).containsAll(added);
                }
            }
        } finally {
            delete(image);
        }
    }

    private static QueueOptions options(boolean inBackground) {
        return new QueueOptions().segmentSize(8192).backgroundThread(inBackground);
    }

    /** All that a group is given, which is checked to be intact and in order. Acknowledges nothing. */
    private static Map<Long, Payloads.Id> read(Queue queue, String group) {
        Map<Long, Payloads.Id> found = new TreeMap<>();
        long[] last = {-1};
        try (Consumer consumer = queue.group(group).consumer()) {
            int count;
            do {
                count = consumer.poll(100, (offset, payload, _) -> {
                    assertThat(offset).as("order").isGreaterThan(last[0]);
                    last[0] = offset;
                    found.put(offset, Payloads.intact(payload));
                });
            } while (count > 0);
        }
        return found;
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

    /** What is so after a cut, and was not promised before. */
    private PowerCutPromises after(PowerCut cut, PowerCutPromises promises) throws IOException {
        Path image = Files.createDirectory(temporary.resolve("image"));
        try {
            cut.writeTo(image);
            try (Queue queue = Queue.open(image.resolve("queue"), options(false))) {
                Map<Long, Payloads.Id> found = read(queue, FRESH);
                return new PowerCutPromises(promises, promises.at(cut.event()), queue.group(FRESH).position(), found,
                        queue.nextOffset());
            }
        } finally {
            delete(image);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
