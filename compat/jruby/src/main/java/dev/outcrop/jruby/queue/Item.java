package dev.outcrop.jruby.queue;

import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** A delivered item, until it is acknowledged or given back. Only the thread that has taken it may use it. */
final class Item {
    final long offset;
    /** The record; null if the object itself is in memory. */
    final byte @Nullable [] record;
    /** How often it was delivered, including this time. */
    int deliveries;
    boolean isAcknowledged;
    /** The object, once it is known. */
    @Nullable
    IRubyObject object;

    Item(long offset, byte @Nullable [] record, int deliveries) {
        this.offset = offset;
        this.record = record;
        this.deliveries = deliveries;
    }
}
