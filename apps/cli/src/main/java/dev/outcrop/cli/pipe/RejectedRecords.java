package dev.outcrop.cli.pipe;

import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The dead letter queue for records that become no entries. Each record is there once. After a kill or a failed batch, it may have records
 * of chunks that the database does not have. When these chunks come again, their records are skipped. For one thread.
 */
final class RejectedRecords implements AutoCloseable {
    private static final long SEGMENT = 32 << 20;
    private final Path directory;
    private final Queue chunks;
    private final Queue queue;
    private final String group;
    /** How many records of a chunk are in this queue, for chunks that may come again. */
    private final NavigableMap<Long, Integer> existing = new TreeMap<>();
    private boolean isRead;
    private long chunk;
    /** How many records of the chunk must be skipped. */
    private int skips;

    /** Opens the dead letter queue for the chunks of a queue. */
    RejectedRecords(Path directory, Queue chunks) {
        this.directory = directory;
        this.chunks = chunks;
        this.group = DatabaseSink.GROUP + "-" + Long.toHexString(chunks.id());
        this.queue = Queue.open(directory, new QueueOptions().segmentSize(SEGMENT));
    }

    /** Begins a chunk, perhaps for the second time. Chunks come in order. All chunks before the stored offset are in the database. */
    void begin(long chunk, long stored) {
        if (!isRead) {
            read(stored);
            isRead = true;
        }
        existing.headMap(stored, false).clear();
        this.chunk = chunk;
        skips = existing.getOrDefault(chunk, 0);
        // If a rejected record survived a power cut but its chunk did not, the record would seem to belong to the next chunk with the same
        // offset.
        chunks.sync();
    }

    private void read(long stored) {
        try (Tailer tailer = Tailer.open(directory)) {
            for (long at = queue.nextOffset() - 1; at >= queue.firstOffset(); at--) {
                tailer.seek(at);
                if (!tailer.poll() || !DeadLetter.isDeadLetter(tailer.segment())) {
                    continue;
                }
                DeadLetter letter = DeadLetter.read(tailer.segment());
                if (!letter.group().equals(group)) {
                    continue;
                }
                if (letter.offset() < stored) {
                    return;
                }
                existing.merge(letter.offset(), 1, Integer::sum);
            }
        }
    }

    /** Adds a record of the chunk. */
    void put(String reason, MemorySegment record) {
        if (skips > 0) {
            skips--;
            return;
        }
        Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
        DeadLetter letter = new DeadLetter(group, chunk, 1, now, now, reason, record);
        long _ = queue.append(letter.size(), letter::writeTo);
        existing.merge(chunk, 1, Integer::sum);
    }

    /** Waits until the records are on the disk. */
    void sync() {
        queue.sync();
    }

    @Override
    public void close() {
        queue.close();
    }
}
