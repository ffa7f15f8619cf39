package dev.outcrop.jruby;

import java.nio.file.Path;
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

/** {@code Mmap::PageCache} and {@code Mmap::SinglePage}: the files of a queue, to be given to one. Not thread-safe. */
@JRubyClass(name = {"Mmap::PageCache", "Mmap::SinglePage"})
public final class MmapPageHandler extends PagesObject {
    private static final long serialVersionUID = 1;

    MmapPageHandler(Ruby runtime, RubyClass type) {
        super(runtime, type);
    }

    /**
     * Opens any number of pages; what initialize of PageCache calls.
     *
     * @param context   of the caller
     * @param path      of the metadata
     * @param pageSize  bytes
     * @param cacheSize how many pages stay mapped
     * @return this
     */
    @JRubyMethod(name = "open_cache", visibility = Visibility.PRIVATE)
    public IRubyObject openCache(ThreadContext context, IRubyObject path, IRubyObject pageSize, IRubyObject cacheSize) {
        Path file = Failures.path(context, path);
        int bytes = Convert.toInt(context, pageSize);
        int count = Convert.toInt(context, cacheSize);
        use(run(context, () -> CachedPages.open(file, bytes, count, message -> Warn.warn(context, message))));
        return this;
    }

    /**
     * Opens one page; what initialize of SinglePage calls.
     *
     * @param context  of the caller
     * @param path     of the metadata
     * @param pageSize bytes
     * @return this
     */
    @JRubyMethod(name = "open_ring", visibility = Visibility.PRIVATE)
    public IRubyObject openRing(ThreadContext context, IRubyObject path, IRubyObject pageSize) {
        Path file = Failures.path(context, path);
        int bytes = Convert.toInt(context, pageSize);
        use(run(context, () -> RingPages.open(file, bytes, message -> Warn.warn(context, message))));
        return this;
    }

    /**
     * The metadata.
     *
     * @param context of the caller
     * @return always what is true when it is asked
     */
    @JRubyMethod
    public IRubyObject meta(ThreadContext context) {
        MmapPageMetadata meta = new MmapPageMetadata(context.runtime, Access.getClass(context, "Mmap", "PageMetadata"));
        meta.show(pages(context));
        return meta;
    }

    /**
     * How large a page is.
     *
     * @param context of the caller
     * @return bytes of its file
     */
    @JRubyMethod(name = "page_size")
    public RubyInteger pageSize(ThreadContext context) {
        return Convert.asFixnum(context, pages(context).pageSize);
    }

    /**
     * How large a record may be.
     *
     * @param context of the caller
     * @return bytes of the largest
     */
    @JRubyMethod(name = "page_usable_size")
    public RubyInteger pageUsableSize(ThreadContext context) {
        return Convert.asFixnum(context, pages(context).usableSize());
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

    /** What a queue is made of, or an error when a Ruby program gave something else. */
    static Pages pages(ThreadContext context, IRubyObject handler) {
        if (handler instanceof MmapPageHandler found) {
            return found.pages(context);
        }
        throw org.jruby.api.Error.typeError(context, "a page handler is a Mmap::PageCache or a Mmap::SinglePage, not "
                + handler.inspect(context).convertToString().asJavaString());
    }
}
