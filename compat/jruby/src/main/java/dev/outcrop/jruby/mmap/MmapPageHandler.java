package dev.outcrop.jruby.mmap;

import java.nio.file.Path;
import java.util.Objects;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyInteger;
import org.jruby.anno.JRubyClass;
import org.jruby.anno.JRubyMethod;
import org.jruby.api.Access;
import org.jruby.api.Convert;
import org.jruby.api.Warn;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.Visibility;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/** {@code Mmap::PageCache} and {@code Mmap::SinglePage}: the files of a queue, which a program passes to a queue. Not thread-safe. */
@JRubyClass(name = {"Mmap::PageCache", "Mmap::SinglePage"})
public final class MmapPageHandler extends PagesObject {
    private static final long serialVersionUID = 1;

    private transient MmapErrors.@Nullable Body<Pages> opening;

    MmapPageHandler(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * Opens any number of pages, for initialize of PageCache. The arguments are the path of the metadata, the bytes of a page, and how many
     * pages stay mapped.
     */
    @JRubyMethod(name = "open_cache", visibility = Visibility.PRIVATE)
    public IRubyObject openCache(ThreadContext context, IRubyObject path, IRubyObject pageSize, IRubyObject cacheSize) {
        Path file = MmapErrors.path(context, path);
        int bytes = Convert.toInt(context, pageSize);
        int count = Convert.toInt(context, cacheSize);
        return open(context, () -> CachedPages.open(file, bytes, count, this::warn));
    }

    /** Opens one page, for initialize of SinglePage. With overwrite, a push into a full page removes the oldest records. */
    @JRubyMethod(name = "open_ring", visibility = Visibility.PRIVATE)
    public IRubyObject openRing(ThreadContext context, IRubyObject path, IRubyObject pageSize, IRubyObject overwrite) {
        Path file = MmapErrors.path(context, path);
        int bytes = Convert.toInt(context, pageSize);
        boolean isOverwritten = overwrite.isTrue();
        return open(context, () -> RingPages.open(file, bytes, isOverwritten, this::warn));
    }

    private IRubyObject open(ThreadContext context, MmapErrors.Body<Pages> body) {
        opening = body;
        use(MmapErrors.translate(context, body));
        return this;
    }

    private void warn(String message) {
        Warn.warn(getRuntime().getCurrentContext(), message);
    }

    /** Returns the metadata. Each of its methods reads the current values. */
    @JRubyMethod
    public IRubyObject meta(ThreadContext context) {
        MmapPageMetadata meta = new MmapPageMetadata(context.runtime, Access.getClass(context, "Mmap", "PageMetadata"));
        meta.show(pages(context));
        return meta;
    }

    /** Returns the bytes of a page's file. */
    @JRubyMethod(name = "page_size")
    public RubyInteger pageSize(ThreadContext context) {
        return Convert.asFixnum(context, pages(context).pageSize);
    }

    /** Returns the bytes of the largest record. */
    @JRubyMethod(name = "page_usable_size")
    public RubyInteger pageUsableSize(ThreadContext context) {
        return Convert.asFixnum(context, pages(context).usableSize());
    }

    /** Waits until everything that was pushed is on the device. */
    @JRubyMethod
    public IRubyObject force(ThreadContext context) {
        Pages open = pages(context);
        return run(context, open, () -> {
            open.force();
            return this;
        });
    }

    /** Gives the pages to a queue. For the next queue, opens them again, which closes the pages of the queue before. */
    private Pages give(ThreadContext context) {
        Pages there = pages(context);
        if (there.take() || there.isClosed()) {
            return there;
        }
        Pages again = MmapErrors.translate(context, Objects.requireNonNull(opening, "opened before"));
        boolean _ = again.take();
        use(again);
        return again;
    }

    /** Returns the pages for a queue; raises an error if a Ruby program gave something else. */
    static Pages pages(ThreadContext context, IRubyObject handler) {
        if (handler instanceof MmapPageHandler found) {
            return found.give(context);
        }
        throw org.jruby.api.Error.typeError(context, "a page handler is a Mmap::PageCache or a Mmap::SinglePage, not "
                + handler.inspect(context).convertToString().asJavaString());
    }
}
