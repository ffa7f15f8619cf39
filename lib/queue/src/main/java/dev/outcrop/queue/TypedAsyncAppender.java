package dev.outcrop.queue;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Appends values to a queue without waiting for the disk; see {@link TypedQueue#async}. It owns nothing, and ends with the queue.
 * Thread-safe.
 *
 * @param <T> of the values
 */
public final class TypedAsyncAppender<T> {
    private final TypedQueue<T> queue;
    private final AsyncAppender appender;

    TypedAsyncAppender(TypedQueue<T> queue, AsyncAppender appender) {
        this.queue = queue;
        this.appender = appender;
    }

    /**
     * Appends a value; see {@link TypedQueue#append} and {@link AsyncAppender}.
     *
     * @param value to be appended
     * @return completed with the record's offset when it is on the disk
     */
    public CompletableFuture<Long> append(T value) {
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
     * @return completed with the offset of the first one when all of them are on the disk
     */
    public CompletableFuture<Long> appendAll(List<? extends T> values) {
        return queue.encoded(values, appender::append);
    }

    @Override
    public String toString() {
        return queue + ", " + appender;
    }
}
