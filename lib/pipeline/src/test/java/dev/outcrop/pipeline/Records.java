package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Records, and a mapper whose effects tell whether each was there exactly once: it puts the payload under the offset, and adds one to a
 * counter, which a record that is mapped twice would do twice.
 */
final class Records {
    static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LITTLE_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final byte[] COUNTER = "counter".getBytes(StandardCharsets.UTF_8);

    private Records() {
    }

    /** A database that can count. */
    static RocksDB database(Path path) {
        return RocksDB.open(path, new Options().createIfMissing(true).mergeOperator(MergeOperator.UINT64_ADD));
    }

    /** Of a record, whatever it is. */
    static byte[] payload(Random random) {
        byte[] payload = new byte[random.nextInt(20) == 0 ? random.nextInt(5000) : random.nextInt(200)];
        random.nextBytes(payload);
        return payload;
    }

    /** Appends a record whose writer fails. */
    static void appendWithdrawn(Queue queue) {
        IllegalStateException failure = new IllegalStateException("changed my mind");
        assertThatThrownBy(() -> queue.append(10, _ -> {
            throw failure;
        })).isSameAs(failure);
    }

    /** Puts the payload under the offset, and counts it. */
    static RecordMapper mapper() {
        MemorySegment key = Arena.ofAuto().allocate(Long.BYTES);
        MemorySegment counter = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, COUNTER);
        MemorySegment one = Arena.ofAuto().allocate(Long.BYTES);
        one.set(LITTLE_ENDIAN, 0, 1);
        return (offset, payload, writes) -> {
            key.set(BIG_ENDIAN, 0, offset);
            writes.put(key, payload);
            writes.merge(counter, one);
        };
    }

    static byte[] key(long offset) {
        byte[] key = new byte[Long.BYTES];
        MemorySegment.ofArray(key).set(BIG_ENDIAN, 0, offset);
        return key;
    }

    /** How many effects there are. */
    static long count(RocksDB db) {
        byte @Nullable [] count = db.get(COUNTER);
        return count == null ? 0 : MemorySegment.ofArray(count).get(LITTLE_ENDIAN, 0);
    }

    /** How far a pipeline is, as the database knows; 0 if it knows nothing. */
    static long position(RocksDB db, Queue queue, String group) {
        Position stored = new PositionStore(db, queue, group).load();
        return stored == null ? 0 : stored.next();
    }

    /**
     * Compares the effects from an offset on with the records of a queue.
     *
     * @return up to where they are there
     */
    static long requireExact(RocksDB db, Queue queue, String group, long from) {
        long end = position(db, queue, group);
        long effects = count(db);
        if (effects != end) {
            throw new AssertionError(
                    "There are " + effects + " effects of the " + end + " records before the position");
        }
        try (Tailer tailer = Tailer.open(queue.directory())) {
            tailer.seek(from);
            for (long offset = from; offset < end; offset++) {
                if (!tailer.poll() || tailer.offset() != offset) {
                    throw new AssertionError("The queue has no record " + offset + ", but the position is " + end);
                }
                byte @Nullable [] value = db.get(key(offset));
                if (value == null || MemorySegment.ofArray(value).mismatch(tailer.segment()) != -1) {
                    throw new AssertionError("The effect of record " + offset + " is not what it should be");
                }
            }
        }
        if (db.get(key(end)) != null) {
            throw new AssertionError("There is an effect of record " + end + ", which is the position");
        }
        return end;
    }

    /** A mapper that accepts any record. */
    static void ignore(long offset, MemorySegment payload, RecordWrites writes) {
        if (offset < 0 || payload.byteSize() < 0 || !writes.toString().equals("default")) {
            throw new AssertionError("record " + offset);
        }
    }
}
