package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.turns.Side;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.LargeRollCycles;
import net.openhft.chronicle.wire.DocumentContext;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** The same job as it is written with Chronicle Queue and rocksdbjni: records as arrays, a hundred in a batch, with the index of the last one. */
final class PeerIngest implements Side.Work {
    private static final int BATCH = 100;
    private static final long BLOCK = 1L << 30;
    private static final byte[] POSITION = "position".getBytes(StandardCharsets.UTF_8);

    private final Path directory;
    private final ChronicleQueue queue;

    PeerIngest(Path directory, int records, int payloadBytes) {
        this.directory = directory;
        RocksDB.loadLibrary();
        this.queue = SingleChronicleQueueBuilder.single(directory.resolve("queue").toFile()).blockSize(BLOCK)
                .rollCycle(LargeRollCycles.HUGE_DAILY).build();
        try (ExcerptAppender appender = queue.createAppender()) {
            Records.appendAll(records, payloadBytes, payload -> appender.writeBytes(Bytes.wrapForRead(payload)));
        }
    }

    @Override
    public long run(long seed) throws Exception {
        Path path = directory.resolve("db");
        Files.createDirectories(path);
        long records = 0;
        try (Options options = new Options().setCreateIfMissing(true);
                WriteOptions writing = new WriteOptions();
                RocksDB db = RocksDB.open(options, path.toString());
                WriteBatch batch = new WriteBatch();
                ExcerptTailer tailer = queue.createTailer()) {
            boolean isMore = true;
            while (isMore) {
                int taken = 0;
                long last = 0;
                while (taken < BATCH && isMore) {
                    try (DocumentContext document = tailer.readingDocument()) {
                        isMore = document.isPresent();
                        if (isMore) {
                            byte[] value = Objects.requireNonNull(document.wire()).bytes().toByteArray();
                            batch.put(Arrays.copyOf(value, Records.KEY), value);
                            last = document.index();
                            taken++;
                        }
                    }
                }
                if (taken > 0) {
                    byte[] position = new byte[Long.BYTES];
                    MemorySegment.ofArray(position).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, last);
                    batch.put(POSITION, position);
                    db.write(writing, batch);
                    batch.clear();
                    records += taken;
                }
            }
        }
        Directories.delete(path);
        return records;
    }
}
