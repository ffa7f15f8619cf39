package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The database's disk is full: the pipeline stops with a message, the acknowledged effects are there, and with space again it goes on, each
 * effect once.
 */
@Tag("verify")
@EnabledOnOs(OS.LINUX)
class DiskFullTest {
    @TempDir
    private Path directory;

    @Test
    void nothingIsLostAndItGoesOnWhenThereIsRoom() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount file systems");
        Path disk = Files.createDirectory(directory.resolve("disk"));
        List<String> lines = ChildJvm.shortLived().withDisk(disk, "size=96m").lines(Program.class, directory);
        assertThat(lines.stream().filter(line -> line.startsWith("- "))).as("%s", lines).containsExactly(
                "- stopped: FAILED, IO_ERROR NO_SPACE", "- a part is there: true", "- once more: IO_ERROR",
                "- the part is there: true", "- then: drained true", "- all are there: true");
    }

    /** The queue is on another disk. It gives up acknowledged records, so a record that the database has lost is lost. */
    static final class Program {
        static final int RECORDS = 20_000;
        private static final int PAYLOAD = 1000;
        private static final int MEGABYTE = 1 << 20;
        private static final Duration LONG = Duration.ofMinutes(5);

        public static void main(String[] arguments) throws Exception {
            Path disk = Path.of(arguments[0]).resolve("disk");
            // There is no room for all records, even if RocksDB deletes its log as soon as they are in table files.
            Path filler = Files.write(disk.resolve("filler"), new byte[80 * MEGABYTE]);
            try (Queue queue = Queue.open(Path.of(arguments[0]).resolve("queue"),
                    new QueueOptions().segmentSize(MEGABYTE))) {
                // Otherwise it would keep nothing.
                ConsumerGroup _ = queue.group("orders");
                for (int i = 0; i < RECORDS; i++) {
                    queue.append(payload(i));
                }
                long part;
                try (RocksDB db = open(disk)) {
                    say("stopped", ingest(db, queue));
                    part = exact(db, queue);
                    say("a part is there", part > 0 && part < RECORDS);
                    // RocksDB says again that there is no room, or only that its background work has failed.
                    say("once more", ingest(db, queue).replaceFirst("FAILED, ", "").split(" ", 2)[0]);
                }
                Files.delete(filler);
                try (RocksDB db = open(disk)) {
                    // A part of a refused write may be in RocksDB's log.
                    say("the part is there", exact(db, queue) >= part);
                    say("then", ingest(db, queue));
                    say("all are there", exact(db, queue) == RECORDS);
                }
            }
        }

        private static void say(String what, Object how) {
            System.out.println("- " + what + ": " + how);
        }

        /** Enough memtables: a write that must wait for one to be flushed waits until there is room on the disk. */
        private static RocksDB open(Path disk) {
            return RocksDB.open(disk.resolve("db"), new Options().createIfMissing(true)
                    .mergeOperator(MergeOperator.UINT64_ADD).writeBufferSize(MEGABYTE).maxWriteBufferNumber(100));
        }

        private static byte[] payload(long offset) {
            byte[] payload = new byte[PAYLOAD];
            new Random(offset).nextBytes(payload);
            return payload;
        }

        /** Returns the result. */
        private static String ingest(RocksDB db, Queue queue) throws InterruptedException {
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map(Records.mapper()).batchBytes(20_000).into(db)) {
                try {
                    return "drained " + pipeline.drain(LONG);
                } catch (PipelineException e) {
                    return pipeline.state() + ", " + status(e);
                }
            } catch (RocksDBException e) {
                return status(e);
            }
        }

        private static String status(Throwable failure) {
            Throwable cause = failure;
            while (cause != null && !(cause instanceof RocksDBException)) {
                cause = cause.getCause();
            }
            return cause instanceof RocksDBException e
                    ? e.status().code() + " " + e.status().subCode()
                    : failure.toString();
        }

        /** How many records there are: each, up to the position, once. */
        private static long exact(RocksDB db, Queue queue) {
            long end = Records.position(db, queue, "orders");
            if (Records.count(db) != end || db.get(Records.key(end)) != null) {
                throw new AssertionError(Records.count(db) + " effects of " + end + " records");
            }
            for (long offset = 0; offset < end; offset++) {
                if (!Arrays.equals(db.get(Records.key(offset)), payload(offset))) {
                    throw new AssertionError("record " + offset + " of " + end + " has changed");
                }
            }
            return end;
        }
    }
}
