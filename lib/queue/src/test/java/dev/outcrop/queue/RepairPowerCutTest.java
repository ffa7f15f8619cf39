package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repair that a power cut, or a kill, interrupts. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class RepairPowerCutTest extends EveryPowerCut {
    static final class RepairProgram {
        static void main(String[] arguments) throws IOException {
            QueueCheck found = QueueFiles.repair(Path.of(arguments[0]));
            assertThat(found.isSound()).isFalse();
            PowerCuts.mark(Path.of(arguments[1]), "repaired");
        }
    }

    enum Harm {
        /** Three records are damaged, two of them neighbours. */
        RECORDS {
            @Override
            void harm(Path queue) throws IOException {
                for (long offset : new long[]{7, 8, 50}) {
                    flip(queue, Payloads.of(0, offset, length(offset)));
                }
            }
        },
        HEADER {
            @Override
            void harm(Path queue) throws IOException {
                Sample.zero(segment(queue, 1), 0, 64);
            }
        },
        /** A segment between others is missing. */
        MISSING {
            @Override
            void harm(Path queue) throws IOException {
                Files.delete(segment(queue, 1));
            }
        },
        /** The first segment is missing. */
        FIRST_MISSING {
            @Override
            void harm(Path queue) throws IOException {
                Files.delete(segment(queue, 0));
            }
        },
        LAST_MISSING {
            @Override
            void harm(Path queue) throws IOException {
                Files.delete(segment(queue, 2));
            }
        },
        CUT {
            @Override
            void harm(Path queue) throws IOException {
                Sample.truncate(segment(queue, 1), 3000);
            }
        },
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
        /** The file "queue" is zero. */
        QUEUE {
            @Override
            void harm(Path queue) throws IOException {
                Sample.zero(queue.resolve("queue"), 0, 4096);
            }
        },
        /** The file of a group is zero. */
        GROUP {
            @Override
            void harm(Path queue) throws IOException {
                Sample.zero(queue.resolve("groups").resolve(READER + ".group"), 0, 4096);
            }
        };

        abstract void harm(Path queue) throws IOException;

        /** Whether payloads are lost, and not only put aside. */
        boolean isLoss() {
            return this == MISSING || this == FIRST_MISSING || this == LAST_MISSING || this == CUT;
        }

        private static Path segment(Path queue, int index) throws IOException {
            return Sample.files(queue, ".segment").get(index);
        }
    }

    /** The one that takes all of the names that a repair gives. */
    @Test
    void aRepairOfExchangedFilesThatIsInterruptedCanBeDoneAgain() throws Exception {
        aRepairThatIsInterruptedCanBeDoneAgain(Harm.EXCHANGED);
    }

    /** After it, or after another one if the power was cut before, all is there that a repair without a power cut leaves. */
    @ParameterizedTest
    @OneOf(8)
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EXCHANGED")
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
        DiskTrace trace = trace(0, RepairProgram.class);
        int cuts = cut(trace, 0, _ -> true, MANY, (image, event) -> {
            Path left = image.resolve("queue");
            bytes.add(contents(left));
            if (!PowerCuts.marks(trace, event).contains("repaired")) {
                QueueFiles.repair(left);
            }
            assertThat(QueueFiles.verify(left).isSound()).isTrue();
            assertThat(payloads(left)).as("of the payloads that there were, in the queue or in quarantine")
                    .containsAll(harm.isLoss() ? wanted.keySet() : offsets(0, RECORDS));
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

    /** Finds the records with payloads in some file, as they were or with the last byte changed. */
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
        for (Path file : Sample.files(directory, ".segment")) {
            int at = latin1(Files.readAllBytes(file)).indexOf(latin1(payload));
            if (at >= 0) {
                Sample.flip(file, at + payload.length - 1L, 0);
                return;
            }
        }
        throw new AssertionError("no file has the record");
    }
}
