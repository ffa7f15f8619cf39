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
 * A process that changes a database and has a replica made of it is killed at random moments, again and again: once feed and pipeline have
 * gone on, the two are equal, entry by entry, with counters that a change which comes twice would spoil. {@code -Doutcrop.crash.rounds=}
 * kills as often as that, {@code -Doutcrop.seed=} repeats the moments, as far as that can be.
 */
@Tag("verify")
class ReplicaKillTest {
    private static final int ROUNDS = TestSize.choose("outcrop.crash.rounds", 5, 500);
    private static final int STOPS = 4;
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private Path temporary;

    /** As the last check has seen. */
    private long changes;

    @Test
    void theReplicaIsEqual() throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("files"));
        KilledProgram program = new KilledProgram(ReplicaProgram.class, directory,
                new Random(TestSize.seed(getClass())));
        // On a busy machine, many kills come before there is any change.
        while (program.kills() < ROUNDS || changes <= ROUNDS) {
            program.run(STOPS, files -> check(files, !files.equals(directory)));
        }
        check(directory, true);
        System.out.println("ReplicaKillTest: " + program.kills() + " kills, " + changes + " changes");
    }

    /** Leaves the original as it was, for the next process to go on with. */
    private void check(Path files, boolean isCopy) throws Exception {
        if (!isCopy) {
            return;
        }
        try (RocksDB db = Replicas.database(files.resolve("db"));
                Queue queue = Queue.open(files.resolve("queue"), ReplicaProgram.options());
                RocksDB replica = Replicas.database(files.resolve("replica"));
                ChangeFeed feed = ChangeFeed.from(db).into(queue);
                Pipeline pipeline = Pipeline.from(queue, ReplicaProgram.GROUP).map(ChangeFeed.mapper(replica))
                        .into(replica)) {
            assertThat(feed.drain(LONG)).isTrue();
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(Replicas.content(replica)).isEqualTo(Replicas.content(db));
            changes = db.latestSequenceNumber();
        }
    }
}
