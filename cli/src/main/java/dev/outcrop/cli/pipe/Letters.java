package dev.outcrop.cli.pipe;

import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import dev.outcrop.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Instant;

/**
 * The queue that records are put away in that become no entries, each once: those of the last chunk that it has letters of may be there when the
 * database has not got that chunk, and are left out when it comes again. For one thread.
 */
final class Letters implements AutoCloseable {
    private static final long SEGMENT = 32 << 20;
    private final Queue queue;
    private final String group;
    /** The last chunk with letters. */
    private long last = -1;
    /** How many of them are to be left out. */
    private int there;

    /** Of the chunks of a queue. */
    Letters(Path directory, Queue chunks) {
        this.group = Outlet.GROUP + "-" + Long.toHexString(chunks.id());
        this.queue = Queue.open(directory, new QueueOptions().segmentSize(SEGMENT));
        try (Tailer tailer = Tailer.open(directory)) {
            for (long at = queue.nextOffset() - 1; at >= queue.firstOffset() && isOfLast(tailer, at); at--) {
                there++;
            }
        } catch (Throwable e) {
            queue.close();
            throw e;
        }
    }

    private boolean isOfLast(Tailer tailer, long at) {
        tailer.seek(at);
        if (!tailer.poll() || !DeadLetter.isDeadLetter(tailer.segment())) {
            return false;
        }
        DeadLetter letter = DeadLetter.read(tailer.segment());
        if (last < 0) {
            last = letter.offset();
        }
        return letter.group().equals(group) && letter.offset() == last;
    }

    /** Puts a record away, of a chunk that is the last one or a new one. */
    void put(long chunk, String reason, MemorySegment record) {
        if (chunk == last && there > 0) {
            there--;
            return;
        }
        Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
        DeadLetter letter = new DeadLetter(group, chunk, 1, now, now, reason, record);
        long _ = queue.append(letter.size(), letter::writeTo);
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
