package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Groups and power cuts: no record is lost to them, and durable acknowledgements stay. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class GroupPowerCutTest extends EveryPowerCut {
    /** Makes some groups, and deletes one. */
    static final class GroupsProgram {
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

    /** Its file is whole or not there, and no unfinished one stays. */
    @Test
    void aGroupIsMadeAndDeletedAllAtOnce() throws Exception {
        DiskTrace trace = trace(0, GroupsProgram.class);
        int cuts = cut(trace, 0, PowerCuts::isChange, CHOICES, (image, event) -> {
            List<String> marks = PowerCuts.marks(trace, event);
            Path directory = image.resolve("queue");
            try (Queue queue = Queue.open(directory, PowerCuts.options(false))) {
                for (String name : List.of("one", "two")) {
                    // There may be a segment without its header.
                    assertThat(directory.resolve("quarantine").resolve(name + ".group-0.bytes")).doesNotExist();
                }
                assertThat(Sample.files(directory.resolve("groups"), "")).hasSameSizeAs(queue.groups());
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

        static void main(String[] arguments) throws IOException {
            Path marks = Path.of(arguments[1]);
            Random random = new Random(Long.parseLong(arguments[2]));
            try (Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false))) {
                // Without it, records that the other one has acknowledged would not be kept.
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

    /** Once the call has returned it is at its new place; before that, at either. */
    @Test
    void aGroupThatWasMovedStaysThere() throws Exception {
        DiskTrace trace = trace(0, SeekProgram.class, seed);
        int cuts = cut(trace, 0, _ -> true, CHOICES, (image, event) -> {
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

    /** Acknowledges some records, durably, and moves the group behind them. */
    static final class SeekForwardProgram {
        private static final int FROM = 5;
        private static final int TO = 40;

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            Path marks = Path.of(arguments[1]);
            try (Queue queue = Queue.open(path, PowerCuts.options(false))) {
                queue.group("keeper");
                ConsumerGroup reader = queue.group(READER);
                fill(queue);
                try (Consumer consumer = reader.consumer()) {
                    consumer.poll(RECORDS, (offset, _, _) -> {
                        if (offset >= FROM && offset < TO) {
                            consumer.acknowledge(offset);
                        }
                    });
                }
            }
            PowerCuts.mark(marks, "closed");
            try (Queue queue = Queue.open(path, PowerCuts.options(false))) {
                queue.group(READER).seek(RECORDS - 1);
            }
        }
    }

    /** Acknowledged records are so before, afterwards, and in between. */
    @Test
    void aMoveForwardBringsNothingBack() throws Exception {
        DiskTrace trace = trace(0, SeekForwardProgram.class);
        int closed = 0;
        while (!trace.events().get(closed).text().equals("closed")) {
            closed++;
        }
        int cuts = cut(trace, closed, _ -> true, MANY, (image, _) -> {
            try (Queue queue = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                assertThat(PowerCuts.read(queue, READER).keySet()).contains(RECORDS - 1L)
                        .noneMatch(offset -> offset >= SeekForwardProgram.FROM && offset < SeekForwardProgram.TO);
            }
        });
        assertThat(cuts).isGreaterThan(5);
    }

    /** Returns none before all records are there. */
    private static List<Position> positions(List<String> marks) {
        List<Position> possible = new ArrayList<>();
        for (String mark : marks) {
            String[] words = mark.split(" ", -1);
            switch (words[0]) {
                case "seek" -> {
                    if (possible.isEmpty()) {
                        possible.add(new Position(0));
                    }
                    Position next = new Position(Long.parseLong(words[1]));
                    // Records may still be acknowledged until it is there.
                    next.acknowledged.addAll(possible.getFirst().acknowledged);
                    possible.add(next);
                }
                case "sought" -> {
                    possible.removeFirst();
                    possible.getFirst().acknowledged.clear();
                }
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

    @Test
    void noRecordIsLostOnItsWayToTheDeadLetters() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, RejectProgram.class,
                disk.root.resolve("queue"), disk.root.resolve("letters"), disk.marks(), seed);
        boolean[] isAnyDead = new boolean[1];
        int cuts = cut(trace, 0, _ -> true, CHOICES, (image, event) -> {
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
            Polls.all(consumer, 100, (_, record, _) -> {
                DeadLetter letter = DeadLetter.read(record);
                assertThat(Payloads.intact(letter.payload()).number()).isEqualTo(letter.offset());
                found.add(letter.offset());
            });
        }
        return found;
    }

    // --- Opening after a kill ---

    /** Acknowledges some records of many, and is killed later when it has acknowledged all. */
    static final class AcknowledgeProgram {
        private static final BitSet EARLY = BitSet.valueOf(new long[]{0x0000_0100_0000_03E0L});

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

    /** Opening clears words that the floor stands for and that a killed process has left in memory. */
    @Test
    void openingForgetsNothingThatWasAcknowledgedBeforeTheQueueWasClosed() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        Path queue = disk.root.resolve("queue");
        int before = PowerCuts.of(disk, ChildJvm.shortLived(), 137, AcknowledgeProgram.class, queue, disk.failing(),
                disk.marks()).events().size();
        Files.delete(disk.failing());
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived().environment("OUTCROP_DISK_GOES_ON", 1), 0,
                OpenProgram.class, queue);
        int cuts = cut(trace, before, event -> event.text().endsWith(READER + ".group"), MANY, (image, _) -> {
            try (Queue left = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                assertThat(PowerCuts.read(left, READER).keySet())
                        .noneMatch(offset -> AcknowledgeProgram.EARLY.get(offset.intValue()));
            }
        });
        // The file as it is, and what opening takes away.
        assertThat(cuts).isGreaterThan(1);
    }
}
