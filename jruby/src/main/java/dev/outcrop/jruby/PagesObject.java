package dev.outcrop.jruby;

import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** A Ruby object with the pages of a queue: what all classes of {@code Mmap} have in common that have some. */
public abstract class PagesObject extends RubyObject {
    private static final long serialVersionUID = 1;

    private transient @Nullable Pages pages;

    PagesObject(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Begins to use what was opened. */
    final void use(Pages opened) {
        pages = opened;
    }

    final Pages pages(ThreadContext context) {
        Pages open = pages;
        if (open == null) {
            throw context.runtime.newIOError(getMetaClass().getRealClass().getName(context)
                    + " was not opened: a subclass's initialize must call super");
        }
        return open;
    }

    /** Runs the body of a method; Ruby sees what it throws as its own errors. */
    <T> T run(ThreadContext context, Failures.Body<T> body) {
        StackRoom.require();
        return Failures.translate(context, body);
    }

    /**
     * Closes the files. Threads that are blocked in a queue raise IOError. Closing again is harmless.
     *
     * @param context of the caller
     * @return nil
     */
    @JRubyMethod
    public final IRubyObject close(ThreadContext context) {
        Pages open = pages(context);
        return run(context, () -> {
            open.close();
            return context.nil;
        });
    }

    /**
     * Closes and deletes the files, also when they were closed before.
     *
     * @param context of the caller
     * @return nil
     */
    @JRubyMethod
    public final IRubyObject purge(ThreadContext context) {
        Pages open = pages(context);
        return run(context, () -> {
            open.purge();
            return context.nil;
        });
    }
}
