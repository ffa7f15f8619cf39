package dev.outcrop.jruby.mmap;

import dev.outcrop.jruby.common.RubyStrings;
import java.io.IOException;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.RubyString;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.runtime.Block;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.ByteList;

/** {@code Mmap::PagedQueue}: strings in pages. Not thread-safe; never blocks. */
@JRubyClass(name = "Mmap::PagedQueue")
public final class MmapPagedQueue extends PagesObject {
    private static final long serialVersionUID = 1;

    MmapPagedQueue(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /** Takes over the pages of a Mmap::PageCache or Mmap::SinglePage, for initialize. */
    @JRubyMethod(visibility = Visibility.PRIVATE)
    public IRubyObject open(ThreadContext context, IRubyObject handler) {
        use(MmapPageHandler.pages(context, handler));
        return this;
    }

    /**
     * Adds a string of any encoding. The queue does not keep the encoding. Returns the number of bytes of the string; 0 if the argument is
     * empty or not a string, in which case nothing is written.
     */
    @JRubyMethod(name = {"push", "<<"})
    public RubyInteger push(ThreadContext context, IRubyObject string) {
        Pages open = pages(context);
        try {
            // Programs of 2015 rely on this: an item that the format cannot hold is no error, and the result shows it.
            if (!(string instanceof RubyString text) || text.isEmpty()) {
                open.requireOpen();
                return Convert.asFixnum(context, 0);
            }
            ByteList bytes = text.getByteList();
            int length = bytes.getRealSize();
            open.push(bytes.getUnsafeBytes(), bytes.getBegin(), length);
            return Convert.asFixnum(context, length);
        } catch (IOException | RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        } catch (Error e) {
            open.brokenBy = e;
            throw e;
        }
    }

    /** Takes the next string, with encoding BINARY; nil if there is none. */
    @JRubyMethod(name = {"pop", "shift"})
    public IRubyObject pop(ThreadContext context) {
        Pages open = pages(context);
        try {
            RubyString string = popString(context, open);
            return string == null ? context.nil : string;
        } catch (IOException | RuntimeException | InternalError e) {
            throw MmapErrors.ruby(context, e);
        } catch (Error e) {
            open.brokenBy = e;
            throw e;
        }
    }

    /** Removes the next string without reading it. Returns the number of bytes of the string; 0 if there is none. */
    @JRubyMethod
    public RubyInteger skip(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> Convert.asFixnum(context, open.skip()));
    }

    /**
     * Yields all strings without removing them, the next one first. Includes strings that the block pushes, but not strings that it pops.
     * Without a block, returns an enumerator.
     */
    @JRubyMethod
    public IRubyObject each(ThreadContext context, Block block) {
        if (!block.isGiven()) {
            return callMethod(context, "enum_for", context.runtime.newSymbol("each"));
        }
        Pages open = pages(context);
        return run(context, open, () -> {
            open.each(bytes -> {
                IRubyObject _ = UserCode.run(() -> block.yield(context, RubyStrings.binary(context, bytes)));
            });
            return this;
        });
    }

    /** Returns how many strings there are. */
    @JRubyMethod(name = {"size", "length"})
    public RubyInteger size(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> Convert.asFixnum(context, open.size()));
    }

    /** Tells whether there is no string. */
    @JRubyMethod(name = "empty?")
    public IRubyObject isEmpty(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> Convert.asBoolean(context, open.size() == 0));
    }

    /** Removes all strings. The pages stay as they are. */
    @JRubyMethod
    public IRubyObject clear(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> {
            open.clear();
            return this;
        });
    }
}
