package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.repair.GapFiller;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes behind the end of a queue that was closed in order: the next opening does not look for records there. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class OrderlyEndTest extends EveryPowerCut {
    private static final int KEPT = 10;
    private static final int ALL = 20;
    /** So that there is more behind the end than closing brings to the disk. */
    private static final int BYTES = 16 << 10;

    /** An event before the queue is closed. */
    enum Before {
        NOTHING,
        /** A process is killed that has cleared the words. */
        KILL,
        /** A process clears them, and the disk fails. */
        FAILURE
    }

    static final class Closer {
        static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            switch (Before.valueOf(arguments[1])) {
                case NOTHING -> {
                    // It is opened once only.
                }
                case KILL -> clearWords(directory);
                case FAILURE -> {
                    WatchedDisk.fail(Path.of(arguments[2]), "msync", ".segment", "once");
                    assertThatThrownBy(() -> Queue.open(directory)).isInstanceOf(UncheckedIOException.class);
                }
            }
            Queue.open(directory, PowerCuts.options(false)).close();
        }

        private static void clearWords(Path directory) throws IOException {
            SegmentFile segment = SegmentFile.existing(MappedFile.open(QueueDirectory.segment(directory, 0)), 0);
            try {
                segment.findUnreadable();
                GapFiller.forget(segment, position(segment, KEPT), KEPT);
            } finally {
                segment.close();
            }
        }
    }

    private static int position(SegmentFile segment, int records) {
        int at = QueueLayout.HEADER;
        for (int i = 0; i < records; i++) {
            at += (int) QueueLayout.recordBytes(QueueLayout.length(segment.commitWord(at)));
        }
        return at;
    }

    /** A power cut right after the close does not bring back the words that opening has cleared. */
    @ParameterizedTest
    @OneOf(3)
    @EnumSource
    void noWordOfALaterRecordIsLeft(Before before) throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        Path directory = disk.root.resolve("queue");
        leaveWords(directory);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, Closer.class, directory, before, disk.failing());
        int last = trace.events().size() - 1;
        int cuts = cut(trace, last, _ -> true, MANY, (image, _) -> {
            Path queue = image.resolve("queue");
            QueueFile.Slot slot = Objects.requireNonNull(QueueFile.read(queue.resolve("queue")));
            assertThat(slot.synced()).isEqualTo(KEPT);
            assertThat(slot.cleanPosition()).isPositive();
            SegmentFile segment = SegmentFile.existing(MappedFile.open(QueueDirectory.segment(queue, 0)), 0);
            try {
                for (int at = (int) slot.cleanPosition(); at <= segment.size - QueueLayout.PAYLOAD; at += 8) {
                    long word = segment.commitWord(at);
                    for (long offset = KEPT; offset < ALL; offset++) {
                        assertThat(segment.isCommitted(word, offset)).as("record %s at %s", offset, at).isFalse();
                    }
                }
            } finally {
                segment.close();
            }
        });
        assertThat(cuts).isOne();
    }

    /** Leaves records of which a power cut has taken all but the beginning. */
    private static void leaveWords(Path directory) throws IOException {
        try (Queue queue = Queue.open(directory, PowerCuts.options(false).segmentSize(ALL * 2 * BYTES))) {
            for (int i = 0; i < ALL; i++) {
                queue.append(Payloads.of(0, i, BYTES));
            }
        }
        MappedFile file = MappedFile.open(QueueDirectory.segment(directory, 0));
        SegmentFile segment = SegmentFile.existing(file, 0);
        try {
            for (int i = KEPT; i < ALL; i++) {
                file.memory().set(ValueLayout.JAVA_BYTE, position(segment, i) + QueueLayout.PAYLOAD, (byte) -1);
            }
        } finally {
            segment.close();
        }
        try (MappedFile queue = MappedFile.open(directory.resolve("queue"))) {
            QueueFile.Slot slot = Objects.requireNonNull(QueueFile.Slot.read(queue.memory())).withSynced(KEPT, 0);
            slot.write(queue.memory());
            slot.withSynced(KEPT, 0).write(queue.memory());
        }
    }

    /** Appends a record, and is killed before it has finished the one before. */
    static final class Killed {
        static void main(String[] arguments) {
            Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false));
            queue.append(10, _ -> {
                Uninterrupted.await(Thread.ofPlatform().start(() -> queue.append(new byte[10]))::join);
                Runtime.getRuntime().halt(0);
            });
        }
    }

    /** The file says that the queue was closed in order, and it was opened since. */
    @Test
    void aDamagedSlotDoesNotHideWhatCameLater() throws Exception {
        Path directory = temporary.resolve("queue");
        try (Queue queue = Queue.open(directory, PowerCuts.options(false))) {
            queue.append(new byte[10]);
        }
        List<String> _ = ChildJvm.shortLived().lines(Killed.class, directory);
        try (MappedFile file = MappedFile.open(directory.resolve("queue"))) {
            long newest = Objects.requireNonNull(QueueFile.Slot.read(file.memory())).sequence() & 1;
            file.memory().set(ValueLayout.JAVA_BYTE, newest * QueueLayout.SLOT, (byte) 0);
            assertThat(Objects.requireNonNull(QueueFile.Slot.read(file.memory())).cleanPosition()).isPositive();
        }
        try (Queue queue = Queue.open(directory, PowerCuts.options(false))) {
            assertThat(queue.nextOffset()).isEqualTo(3);
        }
    }
}
