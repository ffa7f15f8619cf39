package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that appends to a queue and has it written to a database is killed at random moments, again and again: each time, the database
 * has the effects of the queue's first records, each once, and nothing else; and a pipeline that goes on from there writes the others, each
 * once. {@code -Doutcrop.crash.rounds=} says how many kills, {@code -Doutcrop.seed=} repeats the moments, as far as that can be.
 */
@Tag("verify")
class KillTest {
    private static final int ROUNDS = TestSize.choose("outcrop.crash.rounds", 20, 500);
    private static final int STOPS = 9;

    @TempDir
    private Path temporary;

    /** All before this was compared after a kill. */
    private long checked;
    private int advanced;

    @Test
    void theEffectOfEachRecordIsThereOnce() throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("files"));
        KilledProgram program = new KilledProgram(IngestProgram.class, directory,
                new Random(TestSize.seed(getClass())));
        // On a busy machine, many kills come before there is anything new to look at.
        while (program.kills() < ROUNDS || advanced <= ROUNDS / 3) {
            program.run(STOPS, files -> check(files, !files.equals(directory)));
        }
        checked = 0;
        long records = check(directory, true);
        System.out.println("KillTest: " + program.kills() + " kills, after " + advanced
                + " of which the pipeline had got on; " + records + " records");
    }

    private long check(Path files, boolean isGoingOn) throws Exception {
        try (Queue queue = Queue.open(files.resolve("queue"), IngestProgram.options());
                RocksDB db = Records.database(files.resolve("db"))) {
            long reached = Records.requireExact(db, queue, IngestProgram.GROUP, checked);
            advanced += reached > checked ? 1 : 0;
            if (isGoingOn) {
                try (Pipeline pipeline = Pipeline.from(queue, IngestProgram.GROUP).map(Records.mapper()).into(db)) {
                    assertThat(pipeline.drain(Duration.ofMinutes(5))).isTrue();
                }
                assertThat(Records.requireExact(db, queue, IngestProgram.GROUP, checked)).isEqualTo(queue.nextOffset());
            } else {
                checked = reached;
            }
            return queue.nextOffset();
        }
    }
}
