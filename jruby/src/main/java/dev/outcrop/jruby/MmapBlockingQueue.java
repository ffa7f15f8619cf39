package dev.outcrop.jruby;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/** What {@code Mmap::Queue} and {@code Mmap::SizedQueue} have in common: one lock, and threads that wait for each other. Thread-safe. */
public abstract class MmapBlockingQueue extends PagesObject {
    private static final long serialVersionUID = 1;

    private final transient Gate gate = new Gate();
    private final transient WaitingRoom items = new WaitingRoom(() -> true);
    private final transient WaitingRoom room = new WaitingRoom(this::isMuchRoom);
    private transient @Nullable Serializer serializer;
    /** How often something was added, and taken; also by closing, so that those who wait look again. */
    private final transient AtomicInteger added = new AtomicInteger();
    private final transient AtomicInteger taken = new AtomicInteger();

    MmapBlockingQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Begins to use what was opened. */
    final void start(Pages opened, Serializer format) {
        serializer = format;
        opened.whenClosed(this::end);
        use(opened);
    }

    // --- What the queues differ in, with the lock held ---

    /**
     * Adds an object, if there is room.
     *
     * @param bytes what it is serialized to; null if it need not survive
     * @return whether there was room
     */
    abstract boolean offer(Pages open, IRubyObject object, @Nullable ByteList bytes) throws IOException;

    /** Takes the next object; null if there is none. What fails leaves it where it is. */
    abstract @Nullable IRubyObject poll(ThreadContext context, Pages open, Serializer format) throws IOException;

    /** How many objects there are. */
    abstract int count(Pages open);

    /** What is in memory goes, because the pages were cleared or closed. */
    abstract void forget();

    /** Whether there is so much room that somebody is to be woken for it; without the lock. */
    abstract boolean isMuchRoom();

    /** Whether what was freed may be too little for one who waits, and enough for another; without the lock. */
    abstract boolean isRoomOfAnySize();

    // --- Pushing and popping ---

    final IRubyObject push(ThreadContext context, IRubyObject object, boolean persists) {
        Pages open = pages(context);
        ByteList bytes = persists ? serializer().serialize(context, object).getByteList() : null;
        while (true) {
            int before;
            boolean isPushed = false;
            gate.lock();
            try {
                before = taken.get();
                isPushed = offer(open, object, bytes);
                if (isPushed) {
                    added.incrementAndGet();
                }
            } catch (IOException e) {
                throw failed(context, e, room);
            } catch (RuntimeException | InternalError e) {
                throw failed(context, e, room);
            } finally {
                gate.unlock();
            }
            if (isPushed) {
                items.open();
                return this;
            }
            boolean _ = room.await(context, () -> taken.get() != before ? 0 : WaitingRoom.FOREVER, WaitingRoom.FOREVER);
        }
    }

    final IRubyObject pop(ThreadContext context, boolean blocks) {
        Pages open = pages(context);
        while (true) {
            int before;
            IRubyObject object;
            gate.lock();
            try {
                open.requireOpen();
                before = added.get();
                object = poll(context, open, serializer());
                if (object != null) {
                    taken.incrementAndGet();
                }
            } catch (IOException e) {
                throw failed(context, e, items);
            } catch (RuntimeException | InternalError e) {
                throw failed(context, e, items);
            } finally {
                gate.unlock();
            }
            if (object != null) {
                makeRoom();
                return object;
            }
            if (!blocks) {
                throw context.runtime.newThreadError("queue empty");
            }
            boolean _ = items.await(context, () -> added.get() != before ? 0 : WaitingRoom.FOREVER,
                    WaitingRoom.FOREVER);
        }
    }

    private static RuntimeException failed(ThreadContext context, IOException e, WaitingRoom others) {
        others.open();
        return Failures.error(context, e);
    }

    /** Who fails may have been woken for what somebody else can use now. */
    private static RuntimeException failed(ThreadContext context, Throwable e, WaitingRoom others) {
        others.open();
        return Failures.error(context, e);
    }

    private void makeRoom() {
        if (isRoomOfAnySize()) {
            room.openAll();
        } else {
            room.open();
        }
    }

    // --- What there is ---

    /**
     * How many objects there are.
     *
     * @param context of the caller
     * @return objects
     */
    @JRubyMethod(name = {"size", "length"})
    public RubyInteger size(ThreadContext context) {
        Pages open = pages(context);
        return run(context, () -> Convert.asFixnum(context, count(open)));
    }

    /**
     * Whether there is no object.
     *
     * @param context of the caller
     * @return true or false
     */
    @JRubyMethod(name = "empty?")
    public IRubyObject isEmpty(ThreadContext context) {
        Pages open = pages(context);
        return run(context, () -> Convert.asBoolean(context, count(open) == 0));
    }

    /**
     * Forgets all objects.
     *
     * @param context of the caller
     * @return this
     */
    @JRubyMethod
    public IRubyObject clear(ThreadContext context) {
        Pages open = pages(context);
        run(context, () -> {
            open.clear();
            forget();
            taken.incrementAndGet();
            return this;
        });
        room.openAll();
        return this;
    }

    /**
     * Waits until everything that was pushed is on the device.
     *
     * @param context of the caller
     * @return this
     */
    @JRubyMethod
    public IRubyObject force(ThreadContext context) {
        Pages open = pages(context);
        return run(context, () -> {
            open.force();
            return this;
        });
    }

    // --- Ending ---

    /** The pages were closed, by whomever: those who wait look again, and find that. */
    private void end() {
        gate.lock();
        try {
            forget();
            added.incrementAndGet();
            taken.incrementAndGet();
        } finally {
            gate.unlock();
        }
        items.openAll();
        room.openAll();
    }

    @Override
    final <T> T run(ThreadContext context, Failures.Body<T> body) {
        gate.lock();
        try {
            return super.run(context, body);
        } finally {
            gate.unlock();
        }
    }

    private Serializer serializer() {
        return Objects.requireNonNull(serializer, "opened before");
    }
}
