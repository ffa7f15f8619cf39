package dev.outcrop.jruby.queue;

import dev.outcrop.jruby.common.WaitQueue;
import java.time.Duration;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyEnumerator;
import org.jruby.RubyHash;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.api.Error;
import org.jruby.ast.util.ArgsUtil;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** The methods that {@code Outcrop::Queue} and {@code Outcrop::Consumer} share. */
public abstract class ItemSource extends RubyObject {
    private static final long serialVersionUID = 1L;
    private static final double NANOS = 1e9;

    ItemSource(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Waits for the next item; null if there was none in time, or the queue is closed and empty. */
    abstract @Nullable Item take(ThreadContext context, long deadline);

    /** Returns the object that was pushed. Gives the item back if the object cannot be deserialized. */
    abstract IRubyObject object(ThreadContext context, Item item);

    /** Acknowledges an item. Returns false if it was removed meanwhile. */
    abstract boolean acknowledge(ThreadContext context, Item item);

    /** Gives an item back. Returns false if it was removed meanwhile. */
    abstract boolean giveBack(ThreadContext context, Item item, Duration delay);

    /**
     * {@code poll(timeout: nil)}: takes the next item as an Outcrop::Delivery, which the program must acknowledge; nil if there was none in
     * time, or the queue is closed and empty.
     */
    @JRubyMethod(optional = 1)
    public IRubyObject poll(ThreadContext context, IRubyObject[] args) {
        Item item = take(context, deadline(context, args));
        if (item == null) {
            return context.nil;
        }
        return new RubyDelivery(context, this, item, object(context, item));
    }

    /** {@code each(timeout: nil) { |item| … }}: pops items until the queue is closed and empty. Without a block, returns an enumerator. */
    @JRubyMethod(optional = 1)
    public IRubyObject each(ThreadContext context, IRubyObject[] args, Block block) {
        if (!block.isGiven()) {
            return RubyEnumerator.enumeratorize(context.runtime, this, "each", args);
        }
        while (true) {
            Item item = take(context, deadline(context, args));
            if (item == null) {
                return this;
            }
            IRubyObject object = object(context, item);
            boolean _ = acknowledge(context, item);
            block.yield(context, object);
        }
    }

    /**
     * {@code process(timeout: nil) { |item| … }}: like each, but acknowledges an item when the block has returned. If the block ends in any
     * other way, gives the item back.
     */
    @JRubyMethod(optional = 1)
    public IRubyObject process(ThreadContext context, IRubyObject[] args, Block block) {
        if (!block.isGiven()) {
            throw Error.argumentError(context, "process needs a block");
        }
        while (true) {
            Item item = take(context, deadline(context, args));
            if (item == null) {
                return this;
            }
            IRubyObject object = object(context, item);
            boolean isDone = false;
            try {
                block.yield(context, object);
                isDone = true;
            } finally {
                if (!isDone) {
                    boolean _ = giveBack(context, item, Duration.ZERO);
                }
            }
            boolean _ = acknowledge(context, item);
        }
    }

    /** Returns the deadline in the options of a call. The options are the last argument. */
    static long deadline(ThreadContext context, IRubyObject... args) {
        return args.length == 0 ? WaitQueue.NEVER : deadline(context, args[args.length - 1]);
    }

    static long deadline(ThreadContext context, IRubyObject options) {
        if (!(options instanceof RubyHash hash)) {
            throw Error.argumentError(context, "The only option is timeout:, in seconds");
        }
        IRubyObject timeout = ArgsUtil.extractKeywordArgs(context, hash, "timeout")[0];
        return timeout == null || timeout.isNil() ? WaitQueue.NEVER : System.nanoTime() + nanos(context, timeout);
    }

    /**
     * Converts seconds to nanoseconds that can be added to a time. A negative number counts as 0, as in Ruby's own queues: a deadline that
     * has passed has just run out.
     */
    static long nanos(ThreadContext context, IRubyObject seconds) {
        double value = Convert.toDouble(context, seconds);
        if (Double.isNaN(value)) {
            throw Error.argumentError(context, "time interval must be a number of seconds, not NaN");
        }
        return (long) Math.clamp(value * NANOS, 0, Long.MAX_VALUE / 2.0);
    }
}
