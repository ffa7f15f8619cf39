package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The database's disk is full in the middle of a batch: the pipeline stops, and when there is room again, each effect is there once. */
@EnabledOnOs(OS.LINUX)
class DiskFullTest {
    private static final int ROUNDS = 10;

    @TempDir
    private Path directory;

    @Test
    void eachEffectIsThereOnceWhenThereIsRoomAgain() throws Exception {
        assumeTrue(ChildJvm.canHaveDisk(), "mounting is for root");
        Path disk = Files.createDirectory(directory.resolve("disk"));
        long seed = System.nanoTime();
        ChildJvm.Result result = ChildJvm.withNativeAccess().withDisk(disk, "size=24m").run(Program.class, directory,
                seed);
        assertThat(result.exitCode()).as("seed " + seed + ": " + result.output()).isZero();
        assertThat(result.output()).contains("exact after " + ROUNDS + " full disks");
    }

    /** The queue is on another disk. In every second round a pipeline is started before the database is opened again. */
    static final class Program {
        private static final String FILLER = "filler";
        private static final Duration LONG = Duration.ofMinutes(5);

        private Program() {
        }

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            Path disk = directory.resolve("disk");
            Random random = new Random(Long.parseLong(arguments[1]));
            int full = 0;
            try (Queue queue = Queue.open(directory.resolve("queue"),
                    new QueueOptions().segmentSize(1 << 20).keepBytes(1L << 40))) {
                for (int round = 0; round < ROUNDS; round++) {
                    try (RocksDB db = Records.database(disk.resolve("db"))) {
                        full += ingest(queue, db, random, disk) ? 1 : 0;
                        Files.delete(disk.resolve(FILLER));
                        if (round % 2 == 0) {
                            // RocksDB may write again by itself, or not before it is opened again.
                            boolean _ = ingest(queue, db, random, null);
                        }
                    }
                    try (RocksDB db = Records.database(disk.resolve("db"));
                            Pipeline pipeline = Pipeline.from(queue, "orders").map(Records.mapper()).into(db)) {
                        if (!pipeline.drain(LONG)
                                || Records.requireExact(db, queue, "orders", 0) != queue.nextOffset()) {
                            throw new AssertionError("not all of " + queue.nextOffset() + " records");
                        }
                    }
                }
            }
            System.out.println("exact after " + full + " full disks");
        }

        /** Appends more than there is room for when the disk is filled. Returns whether the pipeline has stopped because of that. */
        private static boolean ingest(Queue queue, RocksDB db, Random random, @Nullable Path disk)
                throws InterruptedException, IOException {
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map(Records.mapper())
                    .batchBytes(1 + random.nextInt(20_000)).into(db)) {
                if (disk != null) {
                    fill(disk, 1L << (12 + random.nextInt(8)));
                }
                for (int i = 0; i < 10_000 && pipeline.state() == PipelineState.RUNNING; i++) {
                    long _ = queue.append(Records.payload(random));
                }
                boolean _ = pipeline.drain(LONG);
                return false;
            } catch (PipelineException | RocksDBException e) {
                if (disk != null && !String.valueOf(e.getMessage()).contains("No space left")) {
                    throw e;
                }
                return true;
            }
        }

        private static void fill(Path disk, long except) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(disk.resolve(FILLER).toFile(), "rw")) {
                file.write(new byte[(int) Math.max(0, Files.getFileStore(disk).getUsableSpace() - except)]);
            }
        }
    }
}
