package dev.outcrop.jruby.mmap;

import java.util.function.ToLongFunction;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.RubyObject;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Convert;
import org.jruby.runtime.ThreadContext;
import org.jspecify.annotations.Nullable;

/** {@code Mmap::PageMetadata}: the result of {@code meta} of a page handler. */
@JRubyClass(name = "Mmap::PageMetadata")
public final class MmapPageMetadata extends RubyObject {
    private static final long serialVersionUID = 1;

    private transient @Nullable Pages pages;

    MmapPageMetadata(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    void show(Pages shown) {
        pages = shown;
    }

    /** Returns the number of the page that the next record is written to, unless the page is full. */
    @JRubyMethod(name = "head_page_index")
    public RubyInteger headPageIndex(ThreadContext context) {
        return read(context, PageMetadata::headPage);
    }

    /** Returns the offset in that page. */
    @JRubyMethod(name = "head_page_offset")
    public RubyInteger headPageOffset(ThreadContext context) {
        return read(context, PageMetadata::headOffset);
    }

    /** Returns the number of the page that the next record is read from, unless the page was read to its end. */
    @JRubyMethod(name = "tail_page_index")
    public RubyInteger tailPageIndex(ThreadContext context) {
        return read(context, PageMetadata::tailPage);
    }

    /** Returns the offset in that page. */
    @JRubyMethod(name = "tail_page_offset")
    public RubyInteger tailPageOffset(ThreadContext context) {
        return read(context, PageMetadata::tailOffset);
    }

    /** Returns how many records there are. */
    @JRubyMethod
    public RubyInteger size(ThreadContext context) {
        return read(context, PageMetadata::size);
    }

    private RubyInteger read(ThreadContext context, ToLongFunction<PageMetadata> field) {
        Pages open = pages;
        if (open == null) {
            throw context.runtime.newIOError("this metadata belongs to no pages");
        }
        return MmapErrors.translate(context, () -> {
            open.requireOpen();
            return Convert.asFixnum(context, field.applyAsLong(open.metadata));
        });
    }
}
