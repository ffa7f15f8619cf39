package dev.outcrop.jruby;

import java.io.IOException;
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

/** {@code Mmap::Queue}: objects in pages, without a bound other than that of the pages. Thread-safe. */
@JRubyClass(name = "Mmap::Queue")
public final class MmapQueue extends RubyObject {
    private static final long serialVersionUID = 1;

    private final transient Gate gate = new Gate();
    private final transient Condition notEmpty = gate.condition();
    private final transient Condition notFull = gate.condition();
    private transient @Nullable Pages pages;
    private transient @Nullable Serializer serializer;

    MmapQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * What initialize calls.
     *
     * @param context of the caller
     * @param handler a Mmap::PageCache or Mmap::SinglePage, which belongs to this queue from now on
     * @param object  answers serialize and deserialize; nil for strings as they are
     * @return this
     */
    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject open(ThreadContext context, IRubyObject handler, IRubyObject object) {
        serializer = new Serializer(object);
        Pages open = MmapPageHandler.pages(context, handler);
        open.whenClosed(this::wake);
        pages = open;
        return this;
    }

    /** Those who wait find that it is closed. */
    private void wake() {
        gate.lock();
        try {
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            gate.unlock();
        }
    }

    /**
     * Adds an object. Blocks while the pages are full, which only a SinglePage can be.
     *
     * @param context of the caller
     * @param object  what the serializer takes
     * @return this
     */
    @JRubyMethod(name = {"push", "<<", "enq"})
    public IRubyObject push(ThreadContext context, IRubyObject object) {
        Pages open = pages(context);
        ByteList bytes = serializer().serialize(context, object).getByteList();
        gate.lock();
        try {
            while (!push(open, bytes)) {
                gate.await(context, notFull);
            }
            notEmpty.signal();
        } catch (IOException e) {
            throw Failures.error(context, e);
        } catch (RuntimeException | InternalError e) {
            throw Failures.error(context, e);
        } finally {
            gate.unlock();
        }
        return this;
    }

    /** Whether there was room. */
    private static boolean push(Pages open, ByteList bytes) throws IOException {
        try {
            open.push(bytes.getUnsafeBytes(), bytes.getBegin(), bytes.getRealSize());
            return true;
        } catch (PagesFullException e) {
            return false;
        }
    }

    /**
     * Takes the next object. Blocks while there is none.
     *
     * @param context of the caller
     * @return the object
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
     * @return the object
     */
    @JRubyMethod(name = {"pop", "shift", "deq"})
    public IRubyObject pop(ThreadContext context, IRubyObject nonBlock) {
        return pop(context, !nonBlock.isTrue());
    }

    private IRubyObject pop(ThreadContext context, boolean blocks) {
        Pages open = pages(context);
        Serializer format = serializer();
        byte[] bytes;
        IRubyObject object = null;
        gate.lock();
        try {
            bytes = next(open, format);
            while (bytes == null) {
                if (!blocks) {
                    throw context.runtime.newThreadError("queue empty");
                }
                gate.await(context, notEmpty);
                bytes = next(open, format);
            }
            // With the lock, before the record is gone: if this raises, or the thread is killed in it, the record stays the next one.
            object = format.deserialize(context, bytes);
            if (!format.isPlain()) {
                open.skip();
            }
            // All of them: what was freed may be too little for one, and enough for another.
            notFull.signalAll();
        } catch (IOException e) {
            throw Failures.error(context, e);
        } catch (RuntimeException | InternalError e) {
            throw Failures.error(context, e);
        } finally {
            if (object == null) {
                // It may have been woken for a record that is still there, for somebody else.
                notEmpty.signal();
            }
            gate.unlock();
        }
        return object;
    }

    /** The next record, which goes at once only if nothing can fail any more. */
    private static byte @Nullable [] next(Pages open, Serializer format) throws IOException {
        return format.isPlain() ? open.pop() : open.peek();
    }

    /**
     * How many objects there are.
     *
     * @param context of the caller
     * @return objects
     */
    @JRubyMethod(name = {"size", "length"})
    public RubyInteger size(ThreadContext context) {
        Pages open = pages(context);
        return locked(context, () -> Convert.asFixnum(context, open.size()));
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
        return locked(context, () -> Convert.asBoolean(context, open.size() == 0));
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

    /** What may fail. */
    interface Step {
        void run() throws IOException;
    }

    private IRubyObject end(ThreadContext context, Step step) {
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
