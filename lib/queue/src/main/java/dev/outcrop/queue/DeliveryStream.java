package dev.outcrop.queue;

import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The source of a stream of deliveries. At most one delivery is open at a time. For one thread. */
final class DeliveryStream extends Spliterators.AbstractSpliterator<Delivery> {
    private final Supplier<@Nullable Delivery> source;
    private long left;
    private @Nullable Delivery open;
    private boolean isClosed;

    private DeliveryStream(Supplier<@Nullable Delivery> source, long most) {
        super(Long.MAX_VALUE, ORDERED | NONNULL);
        this.source = source;
        this.left = most;
    }

    /** Streams the deliveries of a source until it has none, up to a number. */
    static Stream<Delivery> of(Supplier<@Nullable Delivery> source, long most) {
        DeliveryStream stream = new DeliveryStream(source, most);
        return StreamSupport.stream(stream, false).onClose(stream::close);
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
}
