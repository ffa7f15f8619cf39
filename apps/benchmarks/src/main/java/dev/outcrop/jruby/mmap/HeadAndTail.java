package dev.outcrop.jruby.mmap;

import java.io.IOException;
import java.nio.file.Path;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * A different kind of PageCache: it keeps only two pages, the head and the tail, and no recently used pages. It is in this package because
 * only the eviction differs.
 */
public final class HeadAndTail {
    private HeadAndTail() {
    }

    /** Opens the pages of a {@code Mmap::PageCache} that was allocated but not initialized. {@code path} is the path of the metadata. */
    public static IRubyObject open(IRubyObject handler, String path, int pageSize) throws IOException {
        ((MmapPageHandler) handler).use(CachedPages.open(Path.of(path), pageSize, HeadAndTail::isSpare,
                System.err::println));
        return handler;
    }

    private static boolean isSpare(long page, long wanted, int mapped, PageMetadata metadata) {
        // The current head stops being the head as soon as a page behind it is wanted.
        boolean isHead = page == metadata.headPage() && wanted <= page;
        return !isHead && page != metadata.tailPage();
    }
}
