package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

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
            return queue.append(MemorySegment.ofArray(arrays.encode(value)), durability);
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
