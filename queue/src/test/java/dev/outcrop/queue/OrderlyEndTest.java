package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What lies behind the end of a queue that was closed in order: the next opening does not look for records there. */
@EnabledOnOs(OS.LINUX)
class OrderlyEndTest extends EveryPowerCut {
    private static final int KEPT = 10;
    private static final int ALL = 20;
    /** So that there is more behind the end than closing brings to the disk. */
    private static final int BYTES = 16 << 10;

    /** Also a power cut right after the close does not bring back what opening has cleared. */
    @Test
    void noWordOfALaterRecordIsLeft() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        Path directory = disk.root.resolve("queue");
        leaveWords(directory);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, OpenProgram.class, directory);
        int last = trace.events().size() - 1;
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(last, _ -> true, MANY, (image, _) -> {
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

    /** As a power cut leaves records of which it has taken all but the beginning. */
    private static void leaveWords(Path directory) throws IOException {
        try (Queue queue = Queue.open(directory, PowerCuts.options(false).segmentSize(ALL * 2 * BYTES))) {
            for (int i = 0; i < ALL; i++) {
                queue.append(Payloads.of(0, i, BYTES));
            }
        }
        MappedFile file = MappedFile.open(QueueDirectory.segment(directory, 0));
        SegmentFile segment = SegmentFile.existing(file, 0);
        try {
            int at = QueueLayout.HEADER;
            for (int i = 0; i < ALL; i++) {
                if (i >= KEPT) {
                    file.memory().set(ValueLayout.JAVA_BYTE, at + QueueLayout.PAYLOAD, (byte) -1);
                }
                at += (int) QueueLayout.recordBytes(QueueLayout.length(segment.commitWord(at)));
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

}
