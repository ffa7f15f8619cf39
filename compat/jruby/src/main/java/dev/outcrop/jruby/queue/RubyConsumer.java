package dev.outcrop.jruby.queue;

import dev.outcrop.jruby.common.WaitQueue;
import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Delivery;
import java.time.Duration;
import java.util.Objects;
import org.jruby.RubyClass;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Access;
import org.jruby.api.Convert;
import org.jruby.api.Create;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** {@code Outcrop::Consumer}: takes the items of its own group. */
@JRubyClass(name = "Outcrop::Consumer")
public final class RubyConsumer extends ItemSource {
    private static final long serialVersionUID = 1L;
    /** How often it checks whether the queue was closed for pushing. */
    private static final Duration MAX_WAIT = Duration.ofMillis(50);

    private final transient ItemQueue queue;
    private final transient Consumer consumer;
    private volatile boolean isClosed;

    RubyConsumer(ThreadContext context, ItemQueue queue, Consumer consumer) {
        super(context.runtime, type(context));
        this.queue = queue;
        this.consumer = consumer;
    }

    private static RubyClass type(ThreadContext context) {
        return Access.getClass(context, "Outcrop", "Consumer");
    }

    @Override
    @Nullable
    Item take(ThreadContext context, long deadline) {
        PollTask receipt = new PollTask(deadline);
        boolean isReceived = false;
        try {
            Item item = receive(context, receipt);
            isReceived = true;
            if (item == null && !isClosed) {
                queue.releaseAfterwards();
            }
            return item;
        } finally {
            Item lost = receipt.item;
            if (!isReceived && lost != null) {
                // Thread#kill or Thread#raise hit the thread when it had just got the item.
                boolean _ = giveBack(context, lost, Duration.ZERO);
            }
        }
    }

    private @Nullable Item receive(ThreadContext context, PollTask receipt) {
        while (true) {
            try {
                return context.getThread().executeTaskBlocking(context, consumer, receipt);
            } catch (InterruptedException e) {
                // JRuby raises the error that caused the interruption. If there is no error, the thread goes on waiting.
            } catch (IllegalStateException e) {
                if (isClosed || queue.isClosed()) {
                    return null;
                }
                throw QueueErrors.ruby(context, e);
            } catch (RuntimeException e) {
                throw QueueErrors.ruby(context, e);
            }
        }
    }

    private final class PollTask implements RubyThread.Task<Consumer, @Nullable Item> {
        private final long deadline;
        private @Nullable Item item;

        PollTask(long deadline) {
            this.deadline = deadline;
        }

        @Override
        public @Nullable Item run(ThreadContext context, Consumer from) throws InterruptedException {
            while (true) {
                // Check isClosed before the poll: then the poll finds everything that was pushed before the queue was closed.
                boolean isLast = queue.isClosed();
                long left = isLast ? 0 : Math.max(0, WaitQueue.left(deadline));
                Duration timeout = Duration.ofNanos(Math.min(left, MAX_WAIT.toNanos()));
                // Poll one delivery: any number of threads may do so at once, but only one thread may poll a batch.
                Delivery delivery = from.poll(timeout);
                if (delivery != null) {
                    return read(from, delivery);
                }
                if (isLast || left <= MAX_WAIT.toNanos()) {
                    return null;
                }
            }
        }

        private Item read(Consumer from, Delivery delivery) {
            try (delivery) {
                Item received = new Item(delivery.offset(), StringRecord.read(delivery.segment()),
                        delivery.deliveries());
                item = received;
                return received;
            } catch (Throwable e) {
                boolean _ = from.giveBack(delivery.offset());
                throw e;
            }
        }

        @Override
        public void wakeup(RubyThread thread, Consumer from) {
            Thread waiting = thread.getNativeThread();
            if (waiting != null) {
                waiting.interrupt();
            }
        }
    }

    @Override
    IRubyObject object(ThreadContext context, Item item) {
        try {
            return queue.serializer().item(context, Objects.requireNonNull(item.record));
        } catch (Throwable e) {
            boolean _ = consumer.giveBack(item.offset);
            throw e;
        }
    }

    @Override
    boolean acknowledge(ThreadContext context, Item item) {
        try {
            boolean isDone = consumer.acknowledge(item.offset);
            queue.releaseAfterwards();
            return isDone;
        } catch (RuntimeException e) {
            throw QueueErrors.ruby(context, e);
        }
    }

    @Override
    boolean giveBack(ThreadContext context, Item item, Duration delay) {
        try {
            return consumer.giveBack(item.offset, delay);
        } catch (IllegalStateException _) {
            // The consumer is closed. Closing has given back everything.
            return false;
        } catch (RuntimeException e) {
            throw QueueErrors.ruby(context, e);
        }
    }

    /** Returns the name of the consumer group. */
    @JRubyMethod
    public IRubyObject group(ThreadContext context) {
        return Create.newString(context, consumer.group().name());
    }

    /** Returns how many items the group has not acknowledged. */
    @JRubyMethod
    public IRubyObject lag(ThreadContext context) {
        return QueueErrors.translate(context, () -> Convert.asFixnum(context, consumer.group().lag().records()));
    }

    /** Closes the consumer. Gives all items that it has not acknowledged back to the other consumers of the group. */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        isClosed = true;
        return QueueErrors.translate(context, () -> {
            consumer.close();
            queue.forget(consumer);
            return this;
        });
    }

    /** Tells whether it was closed. */
    @JRubyMethod(name = "closed?")
    public IRubyObject isClosed(ThreadContext context) {
        return Convert.asBoolean(context, isClosed);
    }
}
