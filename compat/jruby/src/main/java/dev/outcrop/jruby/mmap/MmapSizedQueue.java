package dev.outcrop.jruby.mmap;

import java.io.IOException;
import java.util.ArrayDeque;
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

/**
 * {@code Mmap::SizedQueue}: a bounded queue of objects in memory, with their serialized form in pages. Opening it deserializes the pages.
 * Thread-safe.
 */
@JRubyClass(name = "Mmap::SizedQueue")
public final class MmapSizedQueue extends MmapBlockingQueue {
    private static final long serialVersionUID = 1;

    /** The objects. Objects that are not in the pages are wrapped in {@link Unsaved}. */
    private final transient ArrayDeque<Object> memory = new ArrayDeque<>();
    /** The size of {@link #memory}, for readers without the lock. */
    private volatile int count;
    /** How many objects in memory were put into the pages. If a ring was overwritten, the records of the oldest objects may be gone. */
    private int savedCount;
    private int max;
    /** Whether the pages were full at least once. Only the page of a SinglePage can be full. */
    private volatile boolean hasFullPages;

    private record Unsaved(IRubyObject object) {
    }

    MmapSizedQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Takes the bound, the page handler, and the serializer or nil; for initialize. The page handler then belongs to this queue. */
    @JRubyMethod(required = 3, visibility = Visibility.PRIVATE)
    public IRubyObject open(ThreadContext context, IRubyObject[] arguments) {
        max = Convert.toInt(context, arguments[0]);
        Serializer opened = new Serializer(arguments[2]);
        Pages open = MmapPageHandler.pages(context, arguments[1]);
        MmapErrors.translate(context, () -> {
            open.each(bytes -> memory.add(UserCode.run(() -> opened.deserialize(context, bytes))));
            return this;
        });
        count = memory.size();
        savedCount = count;
        start(open, opened);
        return this;
    }

    /** Adds an object. Blocks while the queue is full. */
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject object) {
        return push(context, object, true);
    }

    /** Adds an object. If persist is false, the object is in memory only, and is lost when the queue is closed. */
    // Has all names of the other method, because JRuby takes the names of the method that reflection shows first.
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject object, IRubyObject persist) {
        return push(context, object, persist.isTrue());
    }

    /** Returns how many objects may be in the queue before it blocks. */
    @JRubyMethod
    public RubyInteger max(ThreadContext context) {
        return Convert.asFixnum(context, max);
    }

    @Override
    boolean offer(Pages open, IRubyObject object, @Nullable ByteList bytes) throws IOException {
        open.requireOpen();
        if (memory.size() >= max) {
            return false;
        }
        if (bytes == null) {
            memory.add(new Unsaved(object));
        } else {
            try {
                open.push(bytes.getUnsafeBytes(), bytes.getBegin(), bytes.getRealSize());
            } catch (PageException.Full e) {
                hasFullPages = true;
                return false;
            }
            memory.add(object);
            savedCount++;
        }
        count = memory.size();
        return true;
    }

    @Override
    @Nullable
    Object poll(ThreadContext context, Pages open, Serializer format) throws IOException {
        Object next = memory.peek();
        if (next == null) {
            return null;
        }
        IRubyObject object;
        if (next instanceof Unsaved unsaved) {
            object = unsaved.object;
        } else {
            if (savedCount <= open.size()) {
                // Skip the record before the object is returned: if skipping fails, the object stays.
                open.skip();
            }
            savedCount--;
            object = (IRubyObject) next;
        }
        memory.remove();
        count = memory.size();
        return object;
    }

    @Override
    int count(Pages open) {
        open.requireOpen();
        return memory.size();
    }

    @Override
    void forget() {
        memory.clear();
        count = 0;
        savedCount = 0;
    }

    @Override
    boolean isMuchRoom() {
        return count <= max / 2;
    }

    @Override
    boolean isRoomOfAnySize() {
        return hasFullPages;
    }
}
