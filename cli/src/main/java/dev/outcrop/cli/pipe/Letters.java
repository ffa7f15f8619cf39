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
 * The queue that records are put away in that become no entries, each once: letters of chunks that the database has not got may be there,
 * from before a kill or from a batch that failed, and are left out when these chunks come again. For one thread.
 */
final class Letters implements AutoCloseable {
    private static final long SEGMENT = 32 << 20;
    private final Path directory;
    private final Queue chunks;
    private final Queue queue;
    private final String group;
    /** How many letters of each chunk are there, of chunks that may come again. */
    private final NavigableMap<Long, Integer> there = new TreeMap<>();
    private boolean isRead;
    private long chunk;
    /** How many letters of the chunk are to be left out. */
    private int left;

    /** Of the chunks of a queue. */
    Letters(Path directory, Queue chunks) {
        this.directory = directory;
        this.chunks = chunks;
        this.group = Outlet.GROUP + "-" + Long.toHexString(chunks.id());
        this.queue = Queue.open(directory, new QueueOptions().segmentSize(SEGMENT));
    }

    /**
     * A chunk comes, perhaps again; chunks come in their order.
     *
     * @param stored all chunks before this one are in the database
     */
    void begin(long chunk, long stored) {
        if (!isRead) {
            read(stored);
            isRead = true;
        }
        there.headMap(stored, false).clear();
        this.chunk = chunk;
        left = there.getOrDefault(chunk, 0);
        // A letter that outlives its chunk in a power cut would be taken for one of the chunk that is appended in its place.
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
                there.merge(letter.offset(), 1, Integer::sum);
            }
        }
    }

    /** Puts a record of the chunk away. */
    void put(String reason, MemorySegment record) {
        if (left > 0) {
            left--;
            return;
        }
        Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
        DeadLetter letter = new DeadLetter(group, chunk, 1, now, now, reason, record);
        long _ = queue.append(letter.size(), letter::writeTo);
        there.merge(chunk, 1, Integer::sum);
    }

    /** Those that were put away are on the disk. */
    void sync() {
        queue.sync();
    }

    @Override
    public void close() {
        queue.close();
    }
}
