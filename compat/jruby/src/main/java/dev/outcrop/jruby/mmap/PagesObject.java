package dev.outcrop.jruby.mmap;

import dev.outcrop.jruby.common.RubyStrings;
import java.io.IOException;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyObject;
import org.jruby.RubyString;
import org.jruby.anno.JRubyMethod;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** A Ruby object of module {@code Mmap} with the pages of a queue. */
public abstract class PagesObject extends RubyObject {
    private static final long serialVersionUID = 1;

    private transient @Nullable Pages pages;

    PagesObject(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Starts to use open pages. */
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

    /** Removes the next record; null if there is none. */
    static @Nullable RubyString popString(ThreadContext context, Pages open) throws IOException {
        int length = open.nextLength();
        if (length == 0) {
            return null;
        }
        // Make the string before the record is removed: if memory runs out, the record stays.
        RubyString string = RubyStrings.binary(context, open.read(length));
        open.advance(length);
        return string;
    }

    /** Runs the body of a method that changes open pages, and raises Ruby's errors. */
    <T> T run(ThreadContext context, Pages open, MmapErrors.Body<T> body) {
        try {
            return body.run();
        } catch (IOException | RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        } catch (Error e) {
            open.brokenBy = e;
            throw e;
        }
    }

    /** Closes the files. Threads that are blocked in a queue raise IOError. Closing again is harmless. */
    @JRubyMethod
    public final IRubyObject close(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> {
            open.close();
            return context.nil;
        });
    }

    /** Closes and deletes the files, even if they were closed before. */
    @JRubyMethod
    public final IRubyObject purge(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> {
            open.purge();
            return context.nil;
        });
    }
}
