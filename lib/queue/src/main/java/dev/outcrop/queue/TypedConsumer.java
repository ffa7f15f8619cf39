package dev.outcrop.queue;

import dev.outcrop.queue.internal.FailureText;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Consumer} that gets values, not bytes. {@link Consumer} describes threads, order, giving back and closing.
 *
 * @param <T> of the values
 */
public final class TypedConsumer<T> implements AutoCloseable {
    private final Consumer consumer;
    private final Codec<T> codec;
    /** The adapter of the last handler: most programs have one handler, and need no other object for each poll. */
    private @Nullable Decoding<T> decoding;

    TypedConsumer(Consumer consumer, Codec<T> codec) {
        this.consumer = consumer;
        this.codec = codec;
    }

    /**
     * Returns the consumer group.
     *
     * @return the group
     */
    public ConsumerGroup group() {
        return consumer.group();
    }

    /**
     * Takes the next value, if there is one; see {@link Consumer#poll()}.
     *
     * @return the value; null if there is none
     * @throws QueueException if the codec cannot read it: the message names the record, which was given back
     */
    public @Nullable Received<T> poll() {
        return received(consumer.poll());
    }

    /**
     * Takes the next value, and waits until there is one; see {@link Consumer#poll(Duration)}.
     *
     * @param timeout how long to wait; not at all if it is negative
     * @return the value; null if there was none in time
     * @throws InterruptedException if the thread is interrupted
     * @throws QueueException       if the codec cannot read it: the message names the record, which was given back
     */
    public @Nullable Received<T> poll(Duration timeout) throws InterruptedException {
        return received(consumer.poll(timeout));
    }

    private @Nullable Received<T> received(@Nullable Delivery delivery) {
        if (delivery == null) {
            return null;
        }
        try (delivery) {
            try {
                return new Received<>(delivery.offset(), value(delivery.offset(), delivery.segment()), delivery.time(),
                        delivery.deliveries());
            } catch (Throwable e) {
                delivery.giveBack();
                throw e;
            }
        }
    }

    private T value(long offset, MemorySegment payload) {
        return value(codec, offset, payload);
    }

    private static <T> T value(Codec<T> codec, long offset, MemorySegment payload) {
        try {
            return codec.read(payload);
        } catch (RuntimeException e) {
            throw new QueueException(
                    "Record " + offset + " of " + payload.byteSize() + " bytes cannot be read with " + codec + ": "
                            + FailureText.of(e)
                            + ". TypedConsumer.consumer() gives the bytes",
                    e);
        }
    }

    /**
     * Takes the next values and gives them to a handler, one after the other; see {@link Consumer#poll(int, RecordHandler)}.
     *
     * @param max     how many at most; more than 0
     * @param handler what to do with them
     * @return how many there were
     * @throws QueueException if the codec cannot read one: the message names the record, which was given back
     */
    public int poll(int max, ValueHandler<? super T> handler) {
        return consumer.poll(max, adapted(handler));
    }

    /**
     * Takes the next values and gives them to a handler, and waits until there is one; see
     * {@link Consumer#poll(int, Duration, RecordHandler)}.
     *
     * @param max     how many at most; more than 0
     * @param timeout how long to wait; not at all if it is negative
     * @param handler what to do with them
     * @return how many there were; 0 if there were none in time
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws QueueException       if the codec cannot read one: the message names the record, which was given back
     */
    public int poll(int max, Duration timeout, ValueHandler<? super T> handler) throws InterruptedException {
        return consumer.poll(max, timeout, adapted(handler));
    }

    @SuppressWarnings("ReferenceEquality") // two handlers that are equal may still do it for different programs
    private RecordHandler adapted(ValueHandler<? super T> handler) {
        Objects.requireNonNull(handler, "handler");
        // A race is harmless: all its fields are final.
        Decoding<T> last = decoding;
        if (last == null || last.handler != handler) {
            last = new Decoding<>(codec, handler);
            decoding = last;
        }
        return last;
    }

    /** Decodes records for a handler of values. */
    private record Decoding<T>(Codec<T> codec, ValueHandler<? super T> handler) implements RecordHandler {
        @Override
        public void handle(long offset, MemorySegment payload, int deliveries) {
            handler.handle(offset, value(codec, offset, payload), deliveries);
        }
    }

    /**
     * Acknowledges a record; see {@link Consumer#acknowledge(long)}.
     *
     * @param offset of a record that this consumer holds
     * @return false if it is acknowledged already, or the group was moved since it was delivered
     */
    public boolean acknowledge(long offset) {
        return consumer.acknowledge(offset);
    }

    /**
     * Acknowledges several records; see {@link Consumer#acknowledge(long[])}.
     *
     * @param offsets of records that this consumer holds, in any order
     * @return how many were not acknowledged before
     */
    public int acknowledge(long[] offsets) {
        return consumer.acknowledge(offsets);
    }

    /**
     * Acknowledges all records that this consumer holds, up to an offset; see {@link Consumer#acknowledgeUpTo(long)}.
     *
     * @param offset of the last record; {@link Long#MAX_VALUE} acknowledges all
     * @return how many there were
     */
    public int acknowledgeUpTo(long offset) {
        return consumer.acknowledgeUpTo(offset);
    }

    /**
     * Gives a record back, so that it is delivered again at once; see {@link Consumer#giveBack(long)}.
     *
     * @param offset of a record that this consumer holds
     * @return false if it is acknowledged already, or the group was moved since it was delivered
     */
    public boolean giveBack(long offset) {
        return consumer.giveBack(offset);
    }

    /**
     * Gives a record back, so that it is delivered again later; see {@link Consumer#giveBack(long, Duration)}.
     *
     * @param offset of a record that this consumer holds
     * @param delay  how long the record is held back; not at all if it is negative
     * @return false if it is acknowledged already, or the group was moved since it was delivered
     */
    public boolean giveBack(long offset, Duration delay) {
        return consumer.giveBack(offset, delay);
    }

    /**
     * Extends the time for a record; see {@link Consumer#extend}.
     *
     * @param offset of a record that this consumer holds
     * @param time   from now on; more than 0
     * @return false if it is acknowledged already, its time has passed, or the group was moved since it was delivered
     */
    public boolean extend(long offset, Duration time) {
        return consumer.extend(offset, time);
    }

    /**
     * Rejects a record that no consumer can handle; see {@link Consumer#reject}.
     *
     * @param offset of a record that this consumer holds
     * @param reason for people
     * @return false if it is acknowledged already, its time has passed, or the group was moved since it was delivered
     */
    public boolean reject(long offset, String reason) {
        return consumer.reject(offset, reason);
    }

    /**
     * Returns the consumer of bytes behind this one.
     *
     * @return the consumer, which can be used beside this one, for example for a record that the codec cannot read
     */
    public Consumer consumer() {
        return consumer;
    }

    /** Gives back all records that this consumer holds; see {@link Consumer#close()}. */
    @Override
    public void close() {
        consumer.close();
    }

    @Override
    public String toString() {
        return consumer.toString();
    }
}
