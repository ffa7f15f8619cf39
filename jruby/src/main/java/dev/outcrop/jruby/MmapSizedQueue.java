package dev.outcrop.jruby;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;
import org.jspecify.annotations.Nullable;

/**
 * {@code Mmap::SizedQueue}: a bounded queue of objects in memory, and beside it their serialized form in pages, from which the objects are made
 * again when it is opened. Thread-safe.
 */
@JRubyClass(name = "Mmap::SizedQueue")
public final class MmapSizedQueue extends RubyObject {
    private static final long serialVersionUID = 1;

    private final transient Gate gate = new Gate();
    private final transient Condition notEmpty = gate.condition();
    private final transient Condition notFull = gate.condition();
    /** The objects, those that are in memory only as {@link Unsaved}. */
    private final transient ArrayDeque<Object> memory = new ArrayDeque<>();
    private transient @Nullable Pages pages;
    private transient @Nullable Serializer serializer;
    private int max;
    /** Whether the pages have ever been full, as only a SinglePage can be. */
    private boolean hasFullPages;

    private record Unsaved(IRubyObject object) {
    }

    MmapSizedQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * What initialize calls.
     *
     * @param context   of the caller
     * @param arguments the bound; the page handler, which belongs to this queue from now on; what answers serialize and deserialize, or nil
     * @return this
     */
    @JRubyMethod(required = 3, visibility = Visibility.PRIVATE)
    public IRubyObject open(ThreadContext context, IRubyObject[] arguments) {
        max = Convert.toInt(context, arguments[0]);
        Serializer opened = new Serializer(arguments[2]);
        Pages open = MmapPageHandler.pages(context, arguments[1]);
        Failures.translate(context, () -> {
            open.each(bytes -> memory.add(opened.deserialize(context, bytes)));
            return this;
        });
        serializer = opened;
        open.whenClosed(this::wake);
        pages = open;
        return this;
    }

    /** What is in memory goes, and those who wait find that it is closed. */
    private void wake() {
        gate.lock();
        try {
            memory.clear();
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            gate.unlock();
        }
    }

    /**
     * Adds an object. Blocks while the queue is full.
     *
     * @param context of the caller
     * @param object  what the serializer takes
     * @return this
     */
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject object) {
        return push(context, object, true);
    }

    /**
     * Adds an object. Blocks while the queue is full.
     *
     * @param context of the caller
     * @param object  what the serializer takes
     * @param persist if false, it is kept in memory only, and lost when the queue is closed
     * @return this
     */
    // All names of the other: JRuby takes those of whichever method reflection shows first.
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject object, IRubyObject persist) {
        return push(context, object, persist.isTrue());
    }

    private IRubyObject push(ThreadContext context, IRubyObject object, boolean persist) {
        Pages open = pages(context);
        ByteList bytes = persist ? serializer().serialize(context, object).getByteList() : null;
        boolean isPushed = false;
        gate.lock();
        try {
            while (!push(open, object, bytes)) {
                gate.await(context, notFull);
            }
            isPushed = true;
            notEmpty.signal();
        } catch (IOException e) {
            throw Failures.error(context, e);
        } catch (RuntimeException | InternalError e) {
            throw Failures.error(context, e);
        } finally {
            if (!isPushed) {
                // It may have been woken for room that somebody else can use now.
                notFull.signal();
            }
            gate.unlock();
        }
        return this;
    }

    /** Whether there was room. */
    private boolean push(Pages open, IRubyObject object, @Nullable ByteList bytes) throws IOException {
        open.requireOpen();
        if (memory.size() >= max) {
            return false;
        }
        if (bytes == null) {
            memory.add(new Unsaved(object));
            return true;
        }
        try {
            open.push(bytes.getUnsafeBytes(), bytes.getBegin(), bytes.getRealSize());
        } catch (PagesFullException e) {
            hasFullPages = true;
            return false;
        }
        memory.add(object);
        return true;
    }

    /**
     * Takes the next object. Blocks while there is none.
     *
     * @param context of the caller
     * @return the object that was pushed
     */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public IRubyObject pop(ThreadContext context) {
        return pop(context, true);
    }

    /**
     * Takes the next object.
     *
     * @param context  of the caller
     * @param nonBlock if true, raises ThreadError instead of blocking
     * @return the object that was pushed
     */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public IRubyObject pop(ThreadContext context, IRubyObject nonBlock) {
        return pop(context, !nonBlock.isTrue());
    }

    private IRubyObject pop(ThreadContext context, boolean blocks) {
        Pages open = pages(context);
        gate.lock();
        try {
            open.requireOpen();
            while (memory.isEmpty()) {
                if (!blocks) {
                    throw context.runtime.newThreadError("queue empty");
                }
                gate.await(context, notEmpty);
                open.requireOpen();
            }
            IRubyObject object;
            if (memory.element() instanceof Unsaved unsaved) {
                object = unsaved.object;
            } else {
                // Before the object is given away: if this fails, it stays.
                open.skip();
                object = (IRubyObject) memory.element();
            }
            memory.remove();
            if (hasFullPages) {
                // What was freed may be too little for one, and enough for another.
                notFull.signalAll();
            } else {
                notFull.signal();
            }
            return object;
        } catch (IOException e) {
            throw Failures.error(context, e);
        } catch (RuntimeException | InternalError e) {
            throw Failures.error(context, e);
        } finally {
            gate.unlock();
        }
    }

    /**
     * How many objects may be in the queue before it blocks.
     *
     * @param context of the caller
     * @return objects
     */
    @JRubyMethod
    public RubyInteger max(ThreadContext context) {
        return Convert.asFixnum(context, max);
    }

    /**
     * How many objects there are: more than the bound, if more were found on opening.
     *
     * @param context of the caller
     * @return objects
     */
    @JRubyMethod(name = {"size", "length"})
    public RubyInteger size(ThreadContext context) {
        pages(context);
        return locked(context, () -> Convert.asFixnum(context, memory.size()));
    }

    /**
     * Whether there is no object.
     *
     * @param context of the caller
     * @return true or false
     */
    @JRubyMethod(name = "empty?")
    public IRubyObject isEmpty(ThreadContext context) {
        pages(context);
        return locked(context, () -> Convert.asBoolean(context, memory.isEmpty()));
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
        return locked(context, () -> {
            open.clear();
            memory.clear();
            notFull.signalAll();
            return this;
        });
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
        return locked(context, () -> {
            open.force();
            return this;
        });
    }

    /**
     * Closes the files. Threads that are blocked raise IOError. Closing again is harmless.
     *
     * @param context of the caller
     * @return nil
     */
    @JRubyMethod
    public IRubyObject close(ThreadContext context) {
        Pages open = pages(context);
        return end(context, open::close);
    }

    /**
     * Closes and deletes the files, also when they were closed before.
     *
     * @param context of the caller
     * @return nil
     */
    @JRubyMethod
    public IRubyObject purge(ThreadContext context) {
        Pages open = pages(context);
        return end(context, open::purge);
    }

    private IRubyObject end(ThreadContext context, MmapQueue.Step step) {
        return locked(context, () -> {
            step.run();
            return context.nil;
        });
    }

    private <T> T locked(ThreadContext context, Failures.Body<T> body) {
        gate.lock();
        try {
            return Failures.translate(context, body);
        } finally {
            gate.unlock();
        }
    }

    private Pages pages(ThreadContext context) {
        Pages open = pages;
        if (open == null) {
            throw context.runtime.newIOError("the queue was not opened");
        }
        return open;
    }

    private Serializer serializer() {
        return java.util.Objects.requireNonNull(serializer, "opened before");
    }
}
