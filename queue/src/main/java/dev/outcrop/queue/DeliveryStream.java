package dev.outcrop.queue;

import java.time.Duration;
import java.util.Spliterator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What a stream of deliveries is made of: at most one of them is open at any time. For one thread. */
final class DeliveryStream implements Spliterator<Delivery> {
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

    private final dev.outcrop.queue.Consumer consumer;
    private final BooleanSupplier isMore;
    private final boolean isFollowing;
    private long left;
    private @Nullable Delivery open;
    private boolean isClosed;

    /** Those that are there, so many at most, as long as there are more. */
    private DeliveryStream(dev.outcrop.queue.Consumer consumer, long most, BooleanSupplier isMore,
            boolean isFollowing) {
        this.consumer = consumer;
        this.left = most;
        this.isMore = isMore;
        this.isFollowing = isFollowing;
    }

    static Stream<Delivery> ofThoseThere(dev.outcrop.queue.Consumer consumer, long most, BooleanSupplier isMore) {
        return new DeliveryStream(consumer, most, isMore, false).stream();
    }

    static Stream<Delivery> following(dev.outcrop.queue.Consumer consumer, BooleanSupplier isMore) {
        return new DeliveryStream(consumer, Long.MAX_VALUE, isMore, true).stream();
    }

    private Stream<Delivery> stream() {
        return StreamSupport.stream(this, false).onClose(this::close);
    }

    private void close() {
        isClosed = true;
        closeLast();
    }

    private void closeLast() {
        Delivery last = open;
        if (last != null) {
            last.close();
            open = null;
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super Delivery> action) {
        closeLast();
        if (isClosed || left == 0 || !isMore.getAsBoolean()) {
            return false;
        }
        Delivery next = isFollowing ? await() : consumer.poll();
        if (next == null) {
            return false;
        }
        left--;
        open = next;
        action.accept(next);
        return true;
    }

    private @Nullable Delivery await() {
        try {
            return consumer.poll(FOR_EVER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (IllegalStateException e) {
            if (isMore.getAsBoolean()) {
                throw e;
            }
            // It was closed meanwhile.
            return null;
        }
    }

    @Override
    public @Nullable Spliterator<Delivery> trySplit() {
        return null;
    }

    @Override
    public long estimateSize() {
        return Long.MAX_VALUE;
    }

    @Override
    public int characteristics() {
        return ORDERED | NONNULL;
    }
}
