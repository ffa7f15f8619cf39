package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerificationProgressTest {
    private static final int SEGMENT = 8192;

    @TempDir
    private Path directory;

    @Test
    void eachSegmentCounts() {
        try (Queue queue = Queue.open(directory, new QueueOptions().segmentSize(SEGMENT).keepBytes(Long.MAX_VALUE))) {
            for (int i = 0; i < 3; i++) {
                queue.append(new byte[5000]);
            }
        }
        List<Long> told = new ArrayList<>();
        QueueCheck check = QueueFiles.verify(directory, told::add);
        assertThat(told).containsExactly(0L, (long) SEGMENT, 2L * SEGMENT);
        assertThat(check).isEqualTo(QueueFiles.verify(directory));

        List<Long> toldByRepair = new ArrayList<>();
        assertThat(QueueFiles.repair(directory, toldByRepair::add)).isEqualTo(check);
        assertThat(toldByRepair).isEqualTo(told);
    }
}
