package dev.outcrop.jruby.mmap;

import java.io.IOException;
import java.util.Objects;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/** {@code Mmap::Queue}: objects in pages, bounded only by the pages. Thread-safe. */
@JRubyClass(name = "Mmap::Queue")
public final class MmapQueue extends MmapBlockingQueue {
    private static final long serialVersionUID = 1;

    MmapQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * Takes over the pages of a handler, for initialize. The serializer answers serialize and deserialize; with nil, the items are plain
     * strings.
     */
    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject open(ThreadContext context, IRubyObject handler, IRubyObject object) {
        start(MmapPageHandler.pages(context, handler), new Serializer(object));
        return this;
    }

    /** Adds an object. Blocks while the pages are full, which only a SinglePage can be. */
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject object) {
        return push(context, object, true);
    }

    /**
     * Removes the next object without deserializing it, for example if the serializer cannot read it. Does not block. Returns the number of
     * bytes of the serialized object; 0 if there is none.
     */
    @JRubyMethod
    public RubyInteger skip(ThreadContext context) {
        return Convert.asFixnum(context, skipNext(context));
    }

    @Override
    boolean offer(Pages open, IRubyObject object, @Nullable ByteList bytes) throws IOException {
        try {
            ByteList there = Objects.requireNonNull(bytes);
            open.push(there.getUnsafeBytes(), there.getBegin(), there.getRealSize());
            return true;
        } catch (PageException.Full e) {
            return false;
        }
    }

    @Override
    @Nullable
    Object poll(ThreadContext context, Pages open, Serializer format) throws IOException {
        if (format.isPlain()) {
            return popString(context, open);
        }
        int length = open.nextLength();
        return length == 0 ? null : open.read(length);
    }

    @Override
    int count(Pages open) {
        return open.size();
    }

    @Override
    void forget() {
        // Nothing is in memory.
    }

    @Override
    boolean isMuchRoom() {
        return true;
    }

    @Override
    boolean isRoomOfAnySize() {
        return true;
    }
}
