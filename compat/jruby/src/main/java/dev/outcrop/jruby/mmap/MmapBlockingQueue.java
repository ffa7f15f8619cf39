package dev.outcrop.jruby.mmap;

import dev.outcrop.jruby.common.WaitQueue;
import java.io.IOException;
import java.util.Objects;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.RubyThread;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/**
 * The base of {@code Mmap::Queue} and {@code Mmap::SizedQueue}: waiting threads, and one lock, which is the monitor of the pages.
 * Thread-safe.
 */
public abstract class MmapBlockingQueue extends PagesObject {
    private static final long serialVersionUID = 1;

    private final transient WaitQueue items = new WaitQueue(() -> true);
    private final transient WaitQueue room = new WaitQueue(this::isMuchRoom);
    private transient @Nullable Serializer serializer;
    /** The thread that is deserializing the next record now, without the lock. Other threads wait for it, because it may fail. */
    private transient @Nullable RubyThread deserializing;
    /**
     * How many objects were added, and how many were removed. Closing counts too, so that waiting threads look again. Written with the lock
     * held.
     */
    private transient volatile int added;
    private transient volatile int removed;

    MmapBlockingQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Starts to use open pages. */
    final void start(Pages opened, Serializer format) {
        serializer = format;
        opened.whenClosed(() -> end(opened));
        use(opened);
    }

    // --- The differences between the queues; called with the lock held ---

    /**
     * Adds an object if there is room, and returns whether there was room. The bytes are its serialized form; null if the object need not
     * survive.
     */
    abstract boolean offer(Pages open, IRubyObject object, @Nullable ByteList bytes) throws IOException;

    /**
     * Removes the next object and returns it; null if there is none. If this fails, the object stays. If the result is a record, as byte[],
     * the record is not removed yet: the caller must deserialize it and then remove it.
     */
    abstract @Nullable Object poll(ThreadContext context, Pages open, Serializer format) throws IOException;

    /** Returns how many objects there are. */
    abstract int count(Pages open);

    /** Removes the objects in memory, because the pages were cleared or closed. */
    abstract void forget();

    /** Tells whether there is enough room to wake a waiting thread. Called without the lock. */
    abstract boolean isMuchRoom();

    /** Tells whether the room that was freed may be too little for one waiting thread but enough for another. Called without the lock. */
    abstract boolean isRoomOfAnySize();

    // --- Pushing and popping ---

    final IRubyObject push(ThreadContext context, IRubyObject object, boolean persists) {
        Pages open = pages(context);
        ByteList bytes = persists ? serializer().serialize(context, object).getByteList() : null;
        while (true) {
            int before;
            boolean isPushed;
            synchronized (open) {
                try {
                    before = removed;
                    isPushed = offer(open, object, bytes);
                    added += isPushed ? 1 : 0;
                } catch (IOException | RuntimeException | InternalError e) {
                    // This thread may have been woken for room that another thread can use.
                    room.signal();
                    throw MmapErrors.ruby(context, e);
                } catch (Error e) {
                    open.brokenBy = e;
                    throw e;
                }
            }
            if (isPushed) {
                items.signal();
                return this;
            }
            boolean _ = room.await(context, () -> removed != before || open.brokenBy != null ? 0 : WaitQueue.NEVER,
                    WaitQueue.NEVER);
        }
    }

    /** Takes the next object. Blocks while there is none. */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public final IRubyObject pop(ThreadContext context) {
        return pop(context, true);
    }

    /** Takes the next object. With true, raises ThreadError instead of blocking. */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public final IRubyObject pop(ThreadContext context, IRubyObject nonBlock) {
        return pop(context, !nonBlock.isTrue());
    }

    private IRubyObject pop(ThreadContext context, boolean blocks) {
        Pages open = pages(context);
        Serializer format = serializer();
        while (true) {
            int before;
            int beforeForgets;
            boolean isBusy;
            Object next = null;
            synchronized (open) {
                try {
                    open.requireOpen();
                    before = added;
                    beforeForgets = open.forgets();
                    isBusy = isDeserializing(context);
                    next = isBusy ? null : poll(context, open, format);
                    if (next instanceof byte[]) {
                        deserializing = context.getThread();
                    } else if (next != null) {
                        removed++;
                    }
                } catch (IOException | RuntimeException | InternalError e) {
                    // This thread may have been woken for an item that another thread can take.
                    items.signal();
                    throw MmapErrors.ruby(context, e);
                } catch (Error e) {
                    open.brokenBy = e;
                    throw e;
                }
            }
            if (next instanceof byte[] record) {
                return deserialize(context, open, format, record, beforeForgets);
            }
            if (next != null) {
                signalRoom();
                return (IRubyObject) next;
            }
            if (!blocks && !isBusy) {
                throw context.runtime.newThreadError("queue empty");
            }
            awaitMore(context, open, before);
        }
    }

    private void awaitMore(ThreadContext context, Pages open, int before) {
        boolean _ = items.await(context, () -> added != before || open.brokenBy != null ? 0 : WaitQueue.NEVER,
                WaitQueue.NEVER);
    }

    /** Tells whether another thread is deserializing the next record. Called with the lock held. */
    private boolean isDeserializing(ThreadContext context) {
        if (context.getThread().equals(deserializing)) {
            throw context.runtime
                    .newThreadError("deadlock: deserialize takes from the queue that waits for its result");
        }
        return deserializing != null;
    }

    /**
     * Deserializes a record without the lock, because the user's code may take long, be interrupted, or fail. If it does not succeed, the
     * record stays the next one.
     */
    private IRubyObject deserialize(ThreadContext context, Pages open, Serializer format, byte[] record,
            int beforeForgets) {
        IRubyObject object = null;
        try {
            object = format.deserialize(context, record);
        } finally {
            synchronized (open) {
                deserializing = null;
                added++;
                // If it changed, the record is gone: the queue was cleared, or the record was overwritten.
                if (object != null && beforeForgets == open.forgets()) {
                    int _ = super.run(context, open, open::skip);
                    removed++;
                }
            }
            items.signal();
        }
        signalRoom();
        return object;
    }

    /** Removes the next record without reading it. Returns the length of the record in bytes; 0 if there is none. */
    final int skipNext(ThreadContext context) {
        Pages open = pages(context);
        while (true) {
            int before = added;
            int skipped = run(context, open, () -> {
                open.requireOpen();
                if (isDeserializing(context)) {
                    return -1;
                }
                int bytes = open.skip();
                countRemoved(open);
                return bytes;
            });
            if (skipped >= 0) {
                signalRoom();
                return skipped;
            }
            awaitMore(context, open, before);
        }
    }

    private void countRemoved(Pages open) {
        synchronized (open) {
            removed++;
        }
    }

    private void signalRoom() {
        if (isRoomOfAnySize()) {
            room.signalAll();
        } else {
            room.signal();
        }
    }

    // --- Size ---

    /** Returns how many objects there are. */
    @JRubyMethod(name = {"size", "length"})
    public RubyInteger size(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> Convert.asFixnum(context, count(open)));
    }

    /** Tells whether there is no object. */
    @JRubyMethod(name = "empty?")
    public IRubyObject isEmpty(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> Convert.asBoolean(context, count(open) == 0));
    }

    /** Removes all objects. */
    @JRubyMethod
    public IRubyObject clear(ThreadContext context) {
        Pages open = pages(context);
        run(context, open, () -> {
            open.clear();
            forget();
            countRemoved(open);
            return this;
        });
        room.signalAll();
        return this;
    }

    /** Waits until all pushed objects are on the device. */
    @JRubyMethod
    public IRubyObject force(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> {
            open.force();
            return this;
        });
    }

    // --- Ending ---

    /** Wakes the waiting threads after any thread has closed the pages. They look again and raise. */
    private void end(Pages closed) {
        synchronized (closed) {
            forget();
            added++;
            removed++;
        }
        items.signalAll();
        room.signalAll();
    }

    @Override
    final <T> T run(ThreadContext context, Pages open, MmapErrors.Body<T> body) {
        synchronized (open) {
            return super.run(context, open, body);
        }
    }

    private Serializer serializer() {
        return Objects.requireNonNull(serializer, "opened before");
    }
}
