package dev.outcrop.queue;

import java.util.Objects;

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
