package dev.outcrop.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A view of a queue whose records are values of one type. It owns nothing: the code that has opened the queue closes it. Thread-safe.
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
    private final TypedAppender<T> synced;
    private final TypedAsyncAppender<T> asynchronous;

    /**
     * A view of a queue.
     *
     * @param queue with records of that type
     * @param codec between values and records
     */
    public TypedQueue(Queue queue, Codec<T> codec) {
        this.queue = Objects.requireNonNull(queue, "queue");
        this.codec = Objects.requireNonNull(codec, "codec");
        this.synced = new TypedAppender<>(this, queue.with(Durability.SYNCED));
        this.asynchronous = new TypedAsyncAppender<>(this, queue.async());
    }

    /**
     * Appends a value; throws what {@link Queue#append(long, RecordWriter)} and the codec throw.
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
     * Returns a view that appends values with its own durability; see {@link Queue#with}.
     *
     * @param durability of the records that are appended with the view, and so of all records before them
     * @return a view of this queue; a new object for each call, except for {@link Durability#SYNCED}, so keep it where each object counts
     */
    public TypedAppender<T> with(Durability durability) {
        return Objects.requireNonNull(durability, "durability").isSynced()
                ? synced
                : new TypedAppender<>(this, queue.with(durability));
    }

    /**
     * Returns a view that appends values without waiting for the disk, and completes a future when a value is on the disk; see
     * {@link Queue#async}.
     *
     * @return a view of this queue, always the same
     */
    public TypedAsyncAppender<T> async() {
        return asynchronous;
    }

    /**
     * Appends several values at once, with offsets that follow each other; see {@link Queue#append(List)}. If the codec throws, no value is
     * appended. Not named "append", because a value may itself be a list.
     *
     * @param values at least one; together they must fit into one of the queue's files, and into its maximum number of records
     * @return the offset of the first one
     */
    public long appendAll(List<? extends T> values) {
        return encoded(values, queue::append);
    }

    Codec<T> codec() {
        return codec;
    }

    /** Encodes values and appends them. The bytes live as long as that takes. */
    <R> R encoded(List<? extends T> values, Function<List<MemorySegment>, R> append) {
        Objects.requireNonNull(values, "values");
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
        // Aligned as a record's payload is, and zeroed.
        MemorySegment payload = arena.allocate(size, Long.BYTES);
        codec.write(value, payload);
        return payload;
    }

    /**
     * Makes a consumer.
     *
     * @param group the name of its group, which is created if there is none
     * @return the consumer, which the caller must close
     */
    public TypedConsumer<T> consumer(String group) {
        return new TypedConsumer<>(queue.group(Objects.requireNonNull(group, "group")).consumer(), codec);
    }

    /**
     * Returns the queue behind this view.
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
