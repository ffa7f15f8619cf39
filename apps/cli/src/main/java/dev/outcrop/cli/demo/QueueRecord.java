package dev.outcrop.cli.demo;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A class file as a record of the queue.
 *
 * <pre>
 * | key length (int) | key bytes | value bytes |
 * </pre>
 */
final class QueueRecord {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private QueueRecord() {
    }

    /** Opens the queue. It keeps all records, so that the proof finds them. */
    static Queue open(Path directory) {
        return Queue.open(directory, new QueueOptions().keepBytes(Long.MAX_VALUE));
    }

    static void append(Queue queue, MemorySegment key, MemorySegment value) {
        MemorySegment head = MemorySegment.ofArray(new byte[Math.toIntExact(INT.byteSize() + key.byteSize())]);
        head.set(INT, 0, Math.toIntExact(key.byteSize()));
        head.asSlice(INT.byteSize()).copyFrom(key);
        long _ = queue.append(head, value);
    }

    static MemorySegment key(MemorySegment payload) {
        return payload.asSlice(INT.byteSize(), payload.get(INT, 0));
    }

    static MemorySegment value(MemorySegment payload) {
        return payload.asSlice(INT.byteSize() + payload.get(INT, 0));
    }
}
