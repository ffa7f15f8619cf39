package dev.outcrop.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A view of a queue whose records are values of one type. It owns nothing: the queue is closed by whoever has opened it. Thread-safe.
 *
 * <pre>{@code
 * TypedQueue<String> lines = new TypedQueue<>(queue, Codec.utf8());
 * lines.append("first");
 * try (TypedConsumer<String> consumer = lines.consumer("printer")) {
 *     consumer.poll(100, (offset, line, deliveries) -> {
 *         System.out.println(line);
 *         consumer.acknowledge(offset);
 *     });
 * }
 * }</pre>
 *
 * @param <T> of the values
 */
public final class TypedQueue<T> {
    private final Queue queue;
    private final Codec<T> codec;

    /**
     * A view of a queue.
     *
     * @param queue with records of that type
     * @param codec between values and records
     */
    public TypedQueue(Queue queue, Codec<T> codec) {
        this.queue = Objects.requireNonNull(queue, "queue");
        this.codec = Objects.requireNonNull(codec, "codec");
    }

    /**
     * Appends a value; throws what {@link Queue#append(long, RecordWriter)} throws, and what the codec does.
     *
     * @param value to be appended
     * @return the record's offset
     */
    public long append(T value) {
        Objects.requireNonNull(value, "value");
        if (codec instanceof Codecs.OfArrays<T> arrays) {
            return queue.append(arrays.encode(value));
        }
        return queue.append(codec.size(value), to -> codec.write(value, to));
    }

    /**
     * Appends a value that goes to the disk when it is said here; see {@link Queue#append(long, RecordWriter, Durability)}.
     *
     * @param value      to be appended
     * @param durability of this record, and thereby of all before it
     * @return the record's offset
     */
    public long append(T value, Durability durability) {
        Objects.requireNonNull(value, "value");
        if (codec instanceof Codecs.OfArrays<T> arrays) {
            return queue.append(arrays.encode(value), durability);
        }
        return queue.append(codec.size(value), to -> codec.write(value, to), durability);
    }

    /**
     * Appends a value and waits until it is on the disk, with all before it; see {@link #append(Object)}.
     *
     * @param value to be appended
     * @return the record's offset
     */
    public long appendDurable(T value) {
        return append(value, Durability.everyAppend());
    }

    /**
     * Appends a value without waiting for the disk; see {@link Queue#appendAsync(long, RecordWriter)}.
     *
     * @param value to be appended
     * @return completed with the record's offset when it is on the disk
     */
    public CompletableFuture<Long> appendAsync(T value) {
        Objects.requireNonNull(value, "value");
        if (codec instanceof Codecs.OfArrays<T> arrays) {
            return queue.appendAsync(arrays.encode(value));
        }
        return queue.appendAsync(codec.size(value), to -> codec.write(value, to));
    }

    // --- Appending several at once; not named "append", because a value may itself be a list ---

    /**
     * Appends several values at once, with offsets that follow each other; see {@link Queue#append(List)}. If the codec throws, none is appended.
     *
     * @param values at least one, all of which fit into one of the queue's files, and into its bound of records
     * @return the offset of the first one
     */
    public long appendAll(List<? extends T> values) {
        return encoded(values, queue::append);
    }

    /**
     * Appends several values at once that go to the disk when it is said here; see {@link #appendAll(List)} and {@link Queue#append(List,
     * Durability)}.
     *
     * @param values     at least one
     * @param durability of these records, and thereby of all before them
     * @return the offset of the first one
     */
    public long appendAll(List<? extends T> values, Durability durability) {
        return encoded(values, payloads -> queue.append(payloads, durability));
    }

    /**
     * Appends several values at once and waits until they are on the disk, with all before them; see {@link #appendAll(List)}.
     *
     * @param values at least one
     * @return the offset of the first one
     */
    public long appendAllDurable(List<? extends T> values) {
        return appendAll(values, Durability.everyAppend());
    }

    /**
     * Appends several values at once without waiting for the disk; see {@link #appendAll(List)} and {@link Queue#appendAsync(List)}.
     *
     * @param values at least one
     * @return completed with the offset of the first one when all of them are on the disk
     */
    public CompletableFuture<Long> appendAllAsync(List<? extends T> values) {
        return encoded(values, queue::appendAsync);
    }

    private <R> R encoded(List<? extends T> values, Function<List<MemorySegment>, R> append) {
        try (Arena arena = Arena.ofConfined()) {
            List<MemorySegment> payloads = new ArrayList<>(values.size());
            for (T value : values) {
                payloads.add(encoded(Objects.requireNonNull(value, "value"), arena));
            }
            return append.apply(payloads);
        }
    }

    private MemorySegment encoded(T value, Arena arena) {
        if (codec instanceof Codecs.OfArrays<T> arrays) {
            return MemorySegment.ofArray(arrays.encode(value));
        }
        long size = codec.size(value);
        queue.requireFits(size);
        // Aligned as a record's payload is, and zeroed as that is not.
        MemorySegment payload = arena.allocate(size, Long.BYTES);
        codec.write(value, payload);
        return payload;
    }

    /**
     * Makes a consumer.
     *
     * @param group the name of its group, which is made if there is none
     * @return to be closed by the caller
     */
    public TypedConsumer<T> consumer(String group) {
        return new TypedConsumer<>(queue.group(group).consumer(), codec);
    }

    /**
     * What it is a view of.
     *
     * @return the queue
     */
    public Queue queue() {
        return queue;
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
