package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Power cuts at every moment of small programs that do what {@link PowerCutTest} does not: move groups, delete them, put records with the
 * dead letters, go on after a kill, repair, tail.
 *
 * <p>{@code -Doutcrop.powercut.choices=N} looks at N disks for each moment.
 */
@EnabledOnOs(OS.LINUX)
class EveryPowerCutTest {
    private static final int CHOICES = Integer.getInteger("outcrop.powercut.choices", 6);
    /** Where only a few moments matter. */
    private static final int MANY = 50;
    private static final int RECORDS = 60;
    private static final String READER = "reader";

    private Path temporary = Path.of("");
    private long seed;

    @BeforeEach
    void makeDirectory() throws IOException {
        temporary = PowerCuts.directory();
        seed = Long.getLong("outcrop.powercut.seed", System.nanoTime());
        System.out.println("EveryPowerCutTest: seed " + seed);
    }

    @AfterEach
    void deleteDirectory() throws IOException {
        PowerCuts.delete(temporary);
    }

    /** Records 0 to {@link #RECORDS}, on the disk, in several files. */
    private static void fill(Queue queue) {
        for (int i = 0; i < RECORDS; i++) {
            queue.append(Payloads.of(0, i, length(i)));
        }
        queue.sync();
    }

    /** Of a payload. */
    private static int length(long offset) {
        return Payloads.SHORTEST + 10 * (int) offset;
    }

    private static List<Long> offsets(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }

    // --- Groups ---

    /** Makes some groups, and deletes one. */
    static final class GroupsProgram {
        private GroupsProgram() {
        }

        static void main(String[] arguments) throws IOException {
            try (Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false))) {
                queue.group("one");
                queue.append(Payloads.of(2, 0, 100));
                queue.group("two");
                PowerCuts.mark(Path.of(arguments[1]), "made");
                queue.deleteGroup("one");
                PowerCuts.mark(Path.of(arguments[1]), "deleted");
            }
        }
    }

    /** Its file is there whole, or not at all; and what was to become one is not there for long. */
    @Test
    void aGroupIsMadeAndDeletedAllAtOnce() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, GroupsProgram.class,
                disk.root.resolve("queue"), disk.marks());
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, PowerCuts::isChange, CHOICES, (image, event) -> {
            List<String> marks = PowerCuts.marks(trace, event);
            Path directory = image.resolve("queue");
            try (Queue queue = Queue.open(directory, PowerCuts.options(false))) {
                for (String name : List.of("one", "two")) {
                    // A segment whose header was not on the disk may be there.
                    assertThat(directory.resolve("quarantine").resolve(name + ".group-0.bytes")).doesNotExist();
                }
                try (Stream<Path> files = Files.list(directory.resolve("groups"))) {
                    assertThat(files).hasSameSizeAs(queue.groups());
                }
                if (marks.contains("deleted")) {
                    assertThat(queue.groups()).containsExactly("two");
                } else if (marks.contains("made")) {
                    assertThat(queue.groups()).contains("two");
                }
            }
        });
        assertThat(cuts).isGreaterThan(10);
    }

    /** Moves a group here and there, and acknowledges some records each time. */
    static final class SeekProgram {
        private static final int MOVES = 6;

        private SeekProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Path marks = Path.of(arguments[1]);
            Random random = new Random(Long.parseLong(arguments[2]));
            try (Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false))) {
                // Without it, what the other one has acknowledged would not be kept.
                queue.group("keeper");
                ConsumerGroup reader = queue.group(READER);
                fill(queue);
                for (int i = 0; i < MOVES; i++) {
                    int offset = random.nextInt(RECORDS + 1);
                    PowerCuts.mark(marks, "seek " + offset);
                    reader.seek(offset);
                    PowerCuts.mark(marks, "sought " + offset);
                    acknowledgeSome(reader, marks, random);
                }
            }
            PowerCuts.mark(marks, "closed");
        }

        private static void acknowledgeSome(ConsumerGroup reader, Path marks, Random random) throws IOException {
            List<Long> held = new ArrayList<>();
            try (Consumer consumer = reader.consumer()) {
                consumer.poll(1 + random.nextInt(RECORDS), (offset, _, _) -> held.add(offset));
                for (long offset : held) {
                    if (random.nextInt(3) > 0) {
                        PowerCuts.mark(marks, "one " + offset);
                        consumer.acknowledge(offset);
                    }
                }
            }
        }
    }

    /** Where a group is. */
    private static final class Position {
        private final long floor;
        private final Set<Long> acknowledged = new HashSet<>();
        private boolean isOnDisk;

        private Position(long floor) {
            this.floor = floor;
        }

        private boolean fits(Set<Long> delivered) {
            Set<Long> wanted = new HashSet<>(offsets(floor, RECORDS));
            boolean isNoneTooMany = wanted.containsAll(delivered);
            wanted.removeAll(acknowledged);
            return isNoneTooMany && delivered.containsAll(wanted)
                    && !(isOnDisk && acknowledged.stream().anyMatch(delivered::contains));
        }

        @Override
        public String toString() {
            return "from " + floor + " on, acknowledged " + acknowledged;
        }
    }

    /** It is where it was moved to when that is said, and before, there or where it was. */
    @Test
    void aGroupThatWasMovedStaysThere() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, SeekProgram.class,
                disk.root.resolve("queue"), disk.marks(), seed);
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, _ -> true, CHOICES, (image, event) -> {
            List<Position> possible = positions(PowerCuts.marks(trace, event));
            try (Queue queue = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                Set<Long> delivered = PowerCuts.read(queue, READER).keySet();
                if (!possible.isEmpty()) {
                    assertThat(possible).as("where the group may be that was given %s", delivered)
                            .anyMatch(position -> position.fits(delivered));
                }
            }
        });
        assertThat(cuts).isGreaterThan(SeekProgram.MOVES);
    }

    /** None as long as not all records are there. */
    private static List<Position> positions(List<String> marks) {
        List<Position> possible = new ArrayList<>();
        for (String mark : marks) {
            String[] words = mark.split(" ", -1);
            switch (words[0]) {
                case "seek" -> {
                    if (possible.isEmpty()) {
                        possible.add(new Position(0));
                    }
                    possible.add(new Position(Long.parseLong(words[1])));
                }
                case "sought" -> possible.removeFirst();
                case "one" -> possible.getFirst().acknowledged.add(Long.valueOf(words[1]));
                case "closed" -> possible.getFirst().isOnDisk = true;
                default -> throw new AssertionError(mark);
            }
        }
        return possible;
    }

    /** Acknowledges, rejects and gives back. */
    static final class RejectProgram {
        private static final int POLLS = 40;

        private RejectProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Path marks = Path.of(arguments[2]);
            Random random = new Random(Long.parseLong(arguments[3]));
            try (Queue letters = Queue.open(Path.of(arguments[1]), PowerCuts.options(false));
                    Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false))) {
                queue.group("keeper");
                ConsumerGroup reader = queue.group(READER, new GroupOptions().deadLetters(2, letters));
                fill(queue);
                PowerCuts.mark(marks, "filled");
                try (Consumer consumer = reader.consumer()) {
                    for (int i = 0; i < POLLS; i++) {
                        Set<Long> held = new TreeSet<>();
                        consumer.poll(1 + random.nextInt(10), (offset, _, _) -> held.add(offset));
                        for (long offset : held) {
                            finish(consumer, offset, marks, random);
                        }
                    }
                }
            }
        }

        private static void finish(Consumer consumer, long offset, Path marks, Random random) throws IOException {
            switch (random.nextInt(4)) {
                case 0 -> {
                    PowerCuts.mark(marks, "one " + offset);
                    consumer.acknowledge(offset);
                }
                case 1 -> {
                    consumer.reject(offset, "on purpose");
                    PowerCuts.mark(marks, "rejected " + offset);
                }
                // After the second time it is a dead letter, too.
                default -> consumer.giveBack(offset);
            }
        }
    }

    /** Each record is in the queue or with the dead letters, or was acknowledged. */
    @Test
    void noRecordIsLostOnItsWayToTheDeadLetters() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, RejectProgram.class,
                disk.root.resolve("queue"), disk.root.resolve("letters"), disk.marks(), seed);
        boolean[] isAnyDead = new boolean[1];
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, _ -> true, CHOICES, (image, event) -> {
            List<String> marks = PowerCuts.marks(trace, event);
            Set<Long> there = new HashSet<>(deadLetters(image.resolve("letters")));
            assertThat(there).containsAll(numbers(marks, "rejected "));
            isAnyDead[0] |= !there.isEmpty();
            try (Queue queue = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                there.addAll(PowerCuts.read(queue, READER).keySet());
            }
            there.addAll(numbers(marks, "one "));
            if (marks.contains("filled")) {
                assertThat(there).containsAll(offsets(0, RECORDS));
            }
        });
        assertThat(cuts).isGreaterThan(RECORDS);
        assertThat(isAnyDead[0]).isTrue();
    }

    private static Set<Long> numbers(List<String> marks, String prefix) {
        Set<Long> found = new TreeSet<>();
        marks.stream().filter(mark -> mark.startsWith(prefix))
                .forEach(mark -> found.add(Long.valueOf(mark.substring(prefix.length()))));
        return found;
    }

    /** The offsets that their records had; each is whole. */
    private static Set<Long> deadLetters(Path directory) {
        Set<Long> found = new TreeSet<>();
        try (Queue queue = Queue.open(directory, PowerCuts.options(false));
                Consumer consumer = queue.group("look").consumer()) {
            int count;
            do {
                count = consumer.poll(100, (_, record, _) -> {
                    DeadLetter letter = DeadLetter.read(record);
                    assertThat(Payloads.intact(letter.payload()).number()).isEqualTo(letter.offset());
                    found.add(letter.offset());
                });
            } while (count > 0);
        }
        return found;
    }

    // --- Tailers with names ---

    /** Makes tailers, goes on with them, and forgets one. */
    static final class TailerProgram {
        private TailerProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            Path marks = Path.of(arguments[1]);
            try (Queue queue = Queue.open(path, PowerCuts.options(false))) {
                fill(queue);
                for (String name : List.of("one", "two")) {
                    try (Tailer tailer = Tailer.open(path, name)) {
                        PowerCuts.mark(marks, "made " + name);
                        for (int i = 0; i < RECORDS / 2; i++) {
                            assertThat(tailer.poll()).isTrue();
                        }
                        tailer.commit();
                    }
                }
                assertThat(QueueFiles.deleteTailer(path, "one")).isTrue();
                PowerCuts.mark(marks, "deleted one");
            }
        }
    }

    /** What comes next is kept for each that was made, until it is forgotten. */
    @Test
    void aTailerThatWasMadeOrDeletedStaysSo() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, TailerProgram.class,
                disk.root.resolve("queue"), disk.marks());
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, _ -> true, CHOICES, (image, event) -> {
            List<String> marks = PowerCuts.marks(trace, event);
            Path directory = image.resolve("queue");
            Queue.open(directory, PowerCuts.options(false)).close();
            for (String name : List.of("one", "two")) {
                boolean isThere = QueueFiles.tailers(directory).contains(name);
                if (marks.contains("made " + name)) {
                    assertThat(isThere || name.equals("one")).isTrue();
                }
                if (marks.contains("deleted " + name)) {
                    assertThat(isThere).isFalse();
                }
                if (isThere) {
                    try (Tailer tailer = Tailer.open(directory, name)) {
                        // Where it was committed, or an earlier position.
                        assertThat(tailer.poll()).isTrue();
                        assertThat(tailer.offset()).isLessThanOrEqualTo(RECORDS / 2);
                        assertThat(Payloads.intact(tailer.segment()).number()).isEqualTo(tailer.offset());
                    }
                }
            }
        });
        assertThat(cuts).isGreaterThan(10);
    }

    // --- Nothing is called durable ---

    /** Appends, and acknowledges sometimes, so that files are given back; and never waits for the disk. */
    static final class PageCacheProgram {
        private static final int RECORDS_OF_A_ROUND = 40;
        private static final int ROUNDS = 8;

        private PageCacheProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false));
            try (Consumer consumer = queue.group(READER).consumer()) {
                for (int i = 0; i < RECORDS_OF_A_ROUND * ROUNDS; i++) {
                    queue.append(Payloads.of(0, i, 300));
                    if (i % RECORDS_OF_A_ROUND == RECORDS_OF_A_ROUND - 1 && i > 2 * RECORDS_OF_A_ROUND) {
                        consumer.poll(Integer.MAX_VALUE, (_, _, _) -> {
                            // All are acknowledged at once.
                        });
                        consumer.acknowledgeUpTo(i);
                    }
                }
            }
            PowerCuts.mark(Path.of(arguments[1]), "halt");
        }
    }

    /** No power cut leaves a queue that has to be repaired, also where the names of files come to the disk in any order. */
    @Test
    void aQueueThatWasNeverOnTheDiskCanBeOpened() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 137, PageCacheProgram.class,
                disk.root.resolve("queue"), disk.marks());
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, _ -> true, MANY, (image, _) -> {
            try (Queue queue = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                Map<Long, Payloads.Id> left = PowerCuts.read(queue, READER);
                left.forEach((offset, id) -> assertThat(id.number()).isEqualTo(offset));
                long next = queue.append(Payloads.of(0, queue.nextOffset(), 100));
                assertThat(PowerCuts.read(queue, READER).keySet()).hasSize(left.size() + 1).contains(next);
            }
        });
        assertThat(cuts).isGreaterThan(PageCacheProgram.ROUNDS);
    }

    // --- Opening after a kill ---

    /** Acknowledges some records of many, and is killed later when it has acknowledged all. */
    static final class AcknowledgeProgram {
        private static final BitSet EARLY = BitSet.valueOf(new long[]{0x0000_0100_0000_03E0L});

        private AcknowledgeProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            QueueOptions options = PowerCuts.options(false).segmentSize(32 << 10);
            try (Queue queue = Queue.open(path, options)) {
                queue.group(READER);
                fill(queue);
                acknowledge(queue, EARLY);
            }
            BitSet all = new BitSet();
            all.set(0, RECORDS);
            Queue queue = Queue.open(path, options);
            WatchedDisk.fail(Path.of(arguments[1]), "msync", ".group", "always");
            // Into the second file, so that the first one is to be given back.
            queue.append(Payloads.of(1, 0, 20_000));
            acknowledge(queue, all);
            try {
                queue.append(new byte[1]);
            } catch (QueuePoisonedException e) {
                // The floor is in the group's file, and not on the disk.
                PowerCuts.mark(Path.of(arguments[2]), "halt");
            }
        }

        private static void acknowledge(Queue queue, BitSet these) {
            try (Consumer consumer = queue.group(READER).consumer()) {
                consumer.poll(RECORDS, (offset, _, _) -> {
                    if (these.get((int) offset)) {
                        consumer.acknowledge(offset);
                    }
                });
            }
        }
    }

    /** Opens a queue. */
    static final class OpenProgram {
        private OpenProgram() {
        }

        static void main(String[] arguments) {
            Queue.open(Path.of(arguments[0]), PowerCuts.options(false)).close();
        }
    }

    /** Opening takes words away that the floor stands for, which a killed process has left in memory. */
    @Test
    void openingForgetsNothingThatWasAcknowledgedBeforeTheQueueWasClosed() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        Path queue = disk.root.resolve("queue");
        int before = PowerCuts.of(disk, ChildJvm.shortLived(), 137, AcknowledgeProgram.class, queue, disk.failing(),
                disk.marks()).events().size();
        Files.delete(disk.failing());
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived().environment("OUTCROP_DISK_GOES_ON", 1), 0,
                OpenProgram.class, queue);
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(before,
                event -> event.text().endsWith(READER + ".group"), MANY, (image, _) -> {
                    try (Queue left = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                        assertThat(PowerCuts.read(left, READER).keySet())
                                .noneMatch(offset -> AcknowledgeProgram.EARLY.get(offset.intValue()));
                    }
                });
        // The file as it is, and what opening takes away.
        assertThat(cuts).isGreaterThan(1);
    }

    // --- Repair ---

    /** Repairs a queue. */
    static final class RepairProgram {
        private RepairProgram() {
        }

        static void main(String[] arguments) throws IOException {
            QueueCheck found = QueueFiles.repair(Path.of(arguments[0]));
            assertThat(found.isSound()).isFalse();
            PowerCuts.mark(Path.of(arguments[1]), "repaired");
        }
    }

    /** What has happened to a queue. */
    enum Harm {
        /** Records, of which one comes after the other, are not as they were. */
        RECORDS {
            @Override
            void harm(Path queue) throws IOException {
                for (long offset : new long[]{7, 8, 50}) {
                    flip(queue, Payloads.of(0, offset, length(offset)));
                }
            }
        },
        /** A segment has no header. */
        HEADER {
            @Override
            void harm(Path queue) throws IOException {
                overwrite(segment(queue, 1), 64);
            }
        },
        /** There is no segment where one should be. */
        MISSING {
            @Override
            void harm(Path queue) throws IOException {
                Files.delete(segment(queue, 1));
            }
        },
        /** Two segments have each other's name. */
        EXCHANGED {
            @Override
            void harm(Path queue) throws IOException {
                Path first = segment(queue, 0);
                Path second = segment(queue, 1);
                Path aside = Files.move(first, queue.resolve("aside"));
                Files.move(second, first);
                Files.move(aside, second);
            }
        },
        /** The file "queue" says nothing. */
        QUEUE {
            @Override
            void harm(Path queue) throws IOException {
                overwrite(queue.resolve("queue"), 4096);
            }
        },
        /** The file of a group says nothing. */
        GROUP {
            @Override
            void harm(Path queue) throws IOException {
                overwrite(queue.resolve("groups").resolve(READER + ".group"), 4096);
            }
        };

        abstract void harm(Path queue) throws IOException;

        private static Path segment(Path queue, int index) throws IOException {
            return segments(queue).get(index);
        }

        private static void overwrite(Path file, int bytes) throws IOException {
            try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
                changed.write(new byte[bytes]);
            }
        }
    }

    private static List<Path> segments(Path queue) throws IOException {
        try (Stream<Path> files = Files.list(queue)) {
            return files.filter(path -> path.toString().endsWith(".segment")).sorted().toList();
        }
    }

    /** After it, or after another one if the power was cut before, all is there that a repair without a power cut leaves. */
    @ParameterizedTest
    @EnumSource
    void aRepairThatIsInterruptedCanBeDoneAgain(Harm harm) throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        Path directory = disk.root.resolve("queue");
        Path copy = temporary.resolve("copy");
        for (Path queue : List.of(directory, copy)) {
            try (Queue filled = Queue.open(queue, PowerCuts.options(false))) {
                filled.group(READER);
                fill(filled);
            }
            harm.harm(queue);
        }
        QueueFiles.repair(copy);
        Map<Long, Payloads.Id> wanted;
        try (Queue queue = Queue.open(copy, PowerCuts.options(false))) {
            wanted = PowerCuts.read(queue, READER);
        }
        assertThat(wanted).hasSizeGreaterThan(RECORDS / 3);
        Set<String> bytes = new HashSet<>();
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, RepairProgram.class, directory, disk.marks());
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, _ -> true, MANY, (image, event) -> {
            Path left = image.resolve("queue");
            bytes.add(contents(left));
            if (!PowerCuts.marks(trace, event).contains("repaired")) {
                QueueFiles.repair(left);
            }
            assertThat(QueueFiles.verify(left).isSound()).isTrue();
            assertThat(payloads(left)).as("of the payloads that there were, in the queue or in quarantine")
                    .containsAll(harm == Harm.MISSING ? wanted.keySet() : offsets(0, RECORDS));
            try (Queue queue = Queue.open(left, PowerCuts.options(false))) {
                assertThat(PowerCuts.read(queue, READER)).isEqualTo(wanted);
            }
        });
        assertThat(cuts).isGreaterThan(1);
        assertThat(bytes).as("disks that differ").hasSizeGreaterThan(1);
    }

    private static String contents(Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                text.append(directory.relativize(file)).append(' ').append(Arrays.hashCode(Files.readAllBytes(file)))
                        .append(' ');
            }
        }
        return text.toString();
    }

    /** The records whose payloads are in some file, as they were or with the last byte changed. */
    private static Set<Long> payloads(Path directory) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(latin1(Files.readAllBytes(file)));
            }
        }
        Set<Long> found = new HashSet<>();
        for (long offset : offsets(0, RECORDS)) {
            byte[] payload = Payloads.of(0, offset, length(offset));
            if (all.indexOf(latin1(Arrays.copyOf(payload, payload.length - 1))) >= 0) {
                found.add(offset);
            }
        }
        return found;
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Changes the last byte of a record's payload. */
    private static void flip(Path directory, byte[] payload) throws IOException {
        for (Path file : segments(directory)) {
            int at = latin1(Files.readAllBytes(file)).indexOf(latin1(payload));
            if (at >= 0) {
                try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
                    changed.seek(at + payload.length - 1L);
                    changed.write(payload[payload.length - 1] ^ 1);
                }
                return;
            }
        }
        throw new AssertionError("no file has the record");
    }
}
