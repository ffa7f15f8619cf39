package dev.outcrop.queue;

import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What a stream of deliveries is made of: at most one of them is open at any time. For one thread. */
final class DeliveryStream implements Spliterator<Delivery> {
    private final Supplier<@Nullable Delivery> source;
    private long left;
    private @Nullable Delivery open;
    private boolean isClosed;

    private DeliveryStream(Supplier<@Nullable Delivery> source, long most) {
        this.source = source;
        this.left = most;
    }

    /** Those that there are, so many at most. */
    static Stream<Delivery> ofThoseThere(Supplier<@Nullable Delivery> source, long most) {
        return new DeliveryStream(source, most).stream();
    }

    /** All that come. */
    static Stream<Delivery> following(Supplier<@Nullable Delivery> source) {
        return new DeliveryStream(source, Long.MAX_VALUE).stream();
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
        if (isClosed || left == 0) {
            return false;
        }
        Delivery next = source.get();
        if (next == null) {
            return false;
        }
        left--;
        open = next;
        action.accept(next);
        return true;
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
