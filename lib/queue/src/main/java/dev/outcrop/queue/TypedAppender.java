package dev.outcrop.queue;

import java.util.List;
import java.util.Objects;

/**
 * Appends values to a queue with its own durability; see {@link TypedQueue#with}. It owns nothing, and ends with the queue. Thread-safe.
 *
 * @param <T> of the values
 */
public final class TypedAppender<T> {
    private final TypedQueue<T> queue;
    private final Appender appender;

    TypedAppender(TypedQueue<T> queue, Appender appender) {
        this.queue = queue;
        this.appender = appender;
    }

    /**
     * Appends a value; see {@link TypedQueue#append} and {@link Appender}.
     *
     * @param value to be appended
     * @return the record's offset
     */
    public long append(T value) {
        Objects.requireNonNull(value, "value");
        Codec<T> codec = queue.codec();
        if (codec instanceof Codecs.OfArrays<T> arrays) {
            return appender.append(arrays.encode(value));
        }
        return appender.append(codec.size(value), to -> codec.write(value, to));
    }

    /**
     * Appends several values at once, with offsets that follow each other; see {@link TypedQueue#appendAll}.
     *
     * @param values at least one
     * @return the offset of the first one
     */
    public long appendAll(List<? extends T> values) {
        return queue.encoded(values, appender::append);
    }

    @Override
    public String toString() {
        return queue + ", " + appender;
    }
}
