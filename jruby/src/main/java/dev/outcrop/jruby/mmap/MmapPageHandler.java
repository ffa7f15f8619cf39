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

/** {@code Mmap::PageCache} and {@code Mmap::SinglePage}: the files of a queue, to be given to one. Not thread-safe. */
@JRubyClass(name = {"Mmap::PageCache", "Mmap::SinglePage"})
public final class MmapPageHandler extends PagesObject {
    private static final long serialVersionUID = 1;

    private transient MmapErrors.@Nullable Body<Pages> opening;

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
        Path file = MmapErrors.path(context, path);
        int bytes = Convert.toInt(context, pageSize);
        int count = Convert.toInt(context, cacheSize);
        return open(context, () -> CachedPages.open(file, bytes, count, this::warn));
    }

    /**
     * Opens one page; what initialize of SinglePage calls.
     *
     * @param context   of the caller
     * @param path      of the metadata
     * @param pageSize  bytes
     * @param overwrite whether a push into a full page removes the oldest records
     * @return this
     */
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

    /**
     * The metadata.
     *
     * @param context of the caller
     * @return reads the file each time it is asked
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
        return run(context, open, () -> {
            open.force();
            return this;
        });
    }

    /** For one queue. The next one gets them opened again, as another page handler of the same path would, which closes the one before. */
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

    /** What a queue is made of, or an error when a Ruby program gave something else. */
    static Pages pages(ThreadContext context, IRubyObject handler) {
        if (handler instanceof MmapPageHandler found) {
            return found.give(context);
        }
        throw org.jruby.api.Error.typeError(context, "a page handler is a Mmap::PageCache or a Mmap::SinglePage, not "
                + handler.inspect(context).convertToString().asJavaString());
    }
}
