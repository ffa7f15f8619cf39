package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Directories;
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
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The same job with Chronicle Queue and rocksdbjni: records are arrays, and a batch has a hundred records and the index of the last record.
 */
final class PeerIngest implements Ingest {
    private static final int BATCH = 100;
    private static final long BLOCK = 1L << 30;
    private static final byte[] POSITION = "position".getBytes(StandardCharsets.UTF_8);

    private final Path path;
    private final ChronicleQueue queue;
    private final Options options = new Options().setCreateIfMissing(true);
    private final WriteOptions writing = new WriteOptions();
    private @Nullable RocksDB db;

    PeerIngest(Path directory, int records, int payloadBytes) {
        this.path = directory.resolve("db");
        this.queue = SingleChronicleQueueBuilder.single(directory.resolve("queue").toFile()).blockSize(BLOCK)
                .rollCycle(LargeRollCycles.HUGE_DAILY).build();
        try (ExcerptAppender appender = queue.createAppender()) {
            Ingest.appendAll(records, payloadBytes, payload -> appender.writeBytes(Bytes.wrapForRead(payload)));
        }
    }

    @Override
    public void open() throws Exception {
        Files.createDirectories(path);
        db = RocksDB.open(options, path.toString());
    }

    @Override
    public long run() throws Exception {
        RocksDB to = Objects.requireNonNull(db);
        long records = 0;
        try (WriteBatch batch = new WriteBatch(); ExcerptTailer tailer = queue.createTailer()) {
            boolean isMore = true;
            while (isMore) {
                int taken = 0;
                long last = 0;
                while (taken < BATCH && isMore) {
                    try (DocumentContext document = tailer.readingDocument()) {
                        isMore = document.isPresent();
                        if (isMore) {
                            byte[] value = Objects.requireNonNull(document.wire()).bytes().toByteArray();
                            batch.put(Arrays.copyOf(value, KEY), value);
                            last = document.index();
                            taken++;
                        }
                    }
                }
                if (taken > 0) {
                    byte[] position = new byte[Long.BYTES];
                    MemorySegment.ofArray(position).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, last);
                    batch.put(POSITION, position);
                    to.write(writing, batch);
                    batch.clear();
                    records += taken;
                }
            }
            // A pipeline does this too before drain() returns.
            to.flushWal(true);
        }
        return records;
    }

    @Override
    public void close() {
        Objects.requireNonNull(db).close();
        Directories.delete(path);
    }
}
