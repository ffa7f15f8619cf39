package dev.outcrop.jruby.queue;

import java.time.Duration;
import org.jruby.RubyHash;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Access;
import org.jruby.api.Convert;
import org.jruby.api.Error;
import org.jruby.ast.util.ArgsUtil;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/** {@code Outcrop::Delivery}: an item that was polled. The program must acknowledge it or give it back, once. */
@JRubyClass(name = "Outcrop::Delivery")
public final class RubyDelivery extends RubyObject {
    private static final long serialVersionUID = 1L;

    private final transient ItemSource source;
    private final transient Item item;
    private final transient IRubyObject object;
    private final int deliveries;
    private boolean isSettled;

    RubyDelivery(ThreadContext context, ItemSource source, Item item, IRubyObject object) {
        super(context.runtime, Access.getClass(context, "Outcrop", "Delivery"));
        this.source = source;
        this.item = item;
        this.object = object;
        this.deliveries = item.deliveries;
    }

    /** Returns the object that was pushed. */
    @JRubyMethod(name = {"item", "payload"})
    public IRubyObject item() {
        return object;
    }

    /** Returns the number of the item's record in the queue. */
    @JRubyMethod
    public IRubyObject offset(ThreadContext context) {
        return Convert.asFixnum(context, item.offset);
    }

    /** Returns how often the item was delivered since the queue was opened or the group was last moved, including this time. */
    @JRubyMethod(name = {"deliveries", "delivery_count"})
    public IRubyObject deliveries(ThreadContext context) {
        return Convert.asFixnum(context, deliveries);
    }

    /** Acknowledges the item, so that it is not delivered again. Returns false if it was removed meanwhile. */
    @JRubyMethod(name = {"ack", "acknowledge"})
    public synchronized IRubyObject ack(ThreadContext context) {
        settle(context);
        return Convert.asBoolean(context, source.acknowledge(context, item));
    }

    /** {@code nack}: gives the item back. It is delivered again at once, before all others. Returns false if it was removed meanwhile. */
    @JRubyMethod(name = {"nack", "give_back"})
    public synchronized IRubyObject nack(ThreadContext context) {
        settle(context);
        return Convert.asBoolean(context, source.giveBack(context, item, Duration.ZERO));
    }

    /**
     * {@code nack(delay: seconds)}: gives the item back. It is delivered again after the delay. Returns false if it was removed meanwhile.
     */
    @JRubyMethod(name = {"nack", "give_back"})
    public synchronized IRubyObject nack(ThreadContext context, IRubyObject options) {
        if (!(options instanceof RubyHash hash)) {
            throw Error.argumentError(context, "The only option of nack is delay:, in seconds");
        }
        IRubyObject delay = ArgsUtil.extractKeywordArgs(context, hash, "delay")[0];
        long nanos = delay == null || delay.isNil() ? 0 : ItemSource.nanos(context, delay);
        settle(context);
        return Convert.asBoolean(context, source.giveBack(context, item, Duration.ofNanos(nanos)));
    }

    private void settle(ThreadContext context) {
        if (isSettled) {
            throw QueueErrors.error(context, "Error",
                    "This delivery of item " + item.offset + " was acknowledged or given back before");
        }
        isSettled = true;
    }
}
