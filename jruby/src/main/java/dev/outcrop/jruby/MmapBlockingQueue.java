package dev.outcrop.jruby;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
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

/** What {@code Mmap::Queue} and {@code Mmap::SizedQueue} have in common: one lock, and threads that wait for each other. Thread-safe. */
public abstract class MmapBlockingQueue extends PagesObject {
    private static final long serialVersionUID = 1;

    private final transient Gate gate = new Gate();
    private final transient WaitingRoom items = new WaitingRoom(() -> true);
    private final transient WaitingRoom room = new WaitingRoom(this::isMuchRoom);
    private transient @Nullable Serializer serializer;
    /** The thread that makes an object of the next record at this moment, without the lock. Others wait for it, because it may fail. */
    private transient @Nullable RubyThread maker;
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
        opened.guard(gate);
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

    /**
     * Takes the next object; null if there is none. What fails leaves it where it is.
     *
     * @return the object itself, or the bytes of its record; unless those are the object, they stay where they are until it is made
     */
    abstract @Nullable Object poll(Pages open, Serializer format) throws IOException;

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
        StackRoom.require();
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
        Serializer format = serializer();
        StackRoom.require();
        while (true) {
            int before;
            int beforeForgets;
            boolean isMaking;
            Object next = null;
            gate.lock();
            try {
                open.requireOpen();
                before = added.get();
                beforeForgets = open.forgets();
                isMaking = isMaking(context);
                next = isMaking ? null : poll(open, format);
                if (next instanceof byte[] && !format.isPlain()) {
                    maker = context.getThread();
                } else if (next != null) {
                    taken.incrementAndGet();
                }
            } catch (IOException e) {
                throw failed(context, e, items);
            } catch (RuntimeException | InternalError e) {
                throw failed(context, e, items);
            } finally {
                gate.unlock();
            }
            if (next instanceof byte[] record && !format.isPlain()) {
                return make(context, open, format, record, beforeForgets);
            }
            if (next != null) {
                makeRoom();
                return next instanceof byte[] plain ? Strings.binary(context, plain) : (IRubyObject) next;
            }
            if (!blocks && !isMaking) {
                throw context.runtime.newThreadError("queue empty");
            }
            awaitMore(context, before);
        }
    }

    private void awaitMore(ThreadContext context, int before) {
        boolean _ = items.await(context, () -> added.get() != before ? 0 : WaitingRoom.FOREVER, WaitingRoom.FOREVER);
    }

    /** Whether another thread makes an object of the next record; with the lock held. */
    private boolean isMaking(ThreadContext context) {
        if (context.getThread().equals(maker)) {
            throw context.runtime.newThreadError("deadlock: deserialize takes from the queue whose item it is to make");
        }
        return maker != null;
    }

    /** Without the lock: the user's code may take its time, be interrupted, or fail, and then the record is still the next one. */
    private IRubyObject make(ThreadContext context, Pages open, Serializer format, byte[] record, int beforeForgets) {
        IRubyObject object = null;
        try {
            object = format.deserialize(context, record);
            return object;
        } finally {
            endMaking(context, open, object != null, beforeForgets);
        }
    }

    private void endMaking(ThreadContext context, Pages open, boolean isMade, int beforeForgets) {
        gate.lock();
        try {
            maker = null;
            added.incrementAndGet();
            // Otherwise the record is gone: the queue was cleared, or the record was written over.
            if (isMade && beforeForgets == open.forgets()) {
                open.skip();
                taken.incrementAndGet();
            }
        } catch (IOException e) {
            throw Failures.error(context, e);
        } catch (RuntimeException | InternalError e) {
            throw Failures.error(context, e);
        } finally {
            gate.unlock();
            items.open();
        }
        makeRoom();
    }

    /** Leaves the next record out; returns its bytes, 0 if there is none. */
    final int skipNext(ThreadContext context) {
        Pages open = pages(context);
        while (true) {
            int before = added.get();
            int skipped = run(context, () -> {
                open.requireOpen();
                if (isMaking(context)) {
                    return -1;
                }
                int bytes = open.skip();
                taken.addAndGet(bytes > 0 ? 1 : 0);
                return bytes;
            });
            if (skipped >= 0) {
                makeRoom();
                return skipped;
            }
            awaitMore(context, before);
        }
    }

    private static RuntimeException failed(ThreadContext context, IOException e, WaitingRoom others) {
        others.open();
        return Failures.error(context, e);
    }

    /** A thread that fails may have been woken for what somebody else can use now. */
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

    /** The pages were closed, by any thread: those who wait look again, and find that. */
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
        StackRoom.require();
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
