package dev.outcrop.jruby.mmap;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Any number of pages. The most recently used pages stay mapped. A page that was read to its end is deleted, or becomes the next page. */
final class CachedPages extends Pages {
    private static final int MOST_SPARES = 2;

    private final EvictionPolicy eviction;
    /** The mapped pages, the least recently used first. They are few, so that a search is fast. */
    private final List<Cached> cache = new ArrayList<>();
    /** The pages of the last push and the last pop: almost every look-up is for one of them. */
    private @Nullable Cached head;
    private @Nullable Cached tail;
    /** The pages behind the head's page, in order: a page that was prepared, and then a page that was read to its end. */
    private final ArrayDeque<SparePage> spares = new ArrayDeque<>(MOST_SPARES);

    /** Decides which pages a cache unmaps after it has mapped one. The benchmarks compare other policies with this one. */
    interface EvictionPolicy {
        /**
         * Tells whether a page is evicted. The cache calls it for each page except the wanted page, the least recently used first.
         *
         * @param wanted   the wanted page, which is mapped too and stays; it is beyond the metadata's head if it is about to become the
         *                 head's page
         * @param mapped   how many pages are mapped, including these two
         */
        boolean isSpare(long page, long wanted, int mapped, PageMetadata metadata);
    }

    private record Cached(long page, FileMapping mapping) {
    }

    private CachedPages(Path path, int pageSize, EvictionPolicy eviction) throws IOException {
        super(path, pageSize);
        this.eviction = eviction;
    }

    /** Opens existing pages, or creates them. Reports repaired faults as warnings. */
    static CachedPages open(Path path, int pageSize, int cacheSize, Consumer<String> warnings) throws IOException {
        if (cacheSize < 1) {
            throw new IllegalArgumentException("cache_size must be at least 1, but is " + cacheSize);
        }
        return open(path, pageSize, (_, _, mapped, _) -> mapped > cacheSize, warnings);
    }

    /** Opens or creates pages with another eviction policy. */
    static CachedPages open(Path path, int pageSize, EvictionPolicy eviction, Consumer<String> warnings)
            throws IOException {
        CachedPages pages = new CachedPages(path, pageSize, eviction);
        try {
            new PageRecovery(pages, warnings).run();
            pages.deleteLeftOver();
            pages.page(pages.metadata.headPage());
            pages.page(pages.metadata.tailPage());
            pages.metadata.owner(pages);
            return pages;
        } catch (Throwable e) {
            pages.close();
            throw e;
        }
    }

    @Override
    Path file(long page) {
        return path.resolveSibling(path.getFileName() + "." + page);
    }

    @Override
    FileMapping page(long page) throws IOException {
        Cached cached = head;
        if (cached != null && cached.page == page) {
            return cached.mapping;
        }
        cached = tail;
        if (cached != null && cached.page == page) {
            return cached.mapping;
        }
        return lookUp(page).mapping;
    }

    private Cached lookUp(long page) throws IOException {
        requireOpen();
        Cached found = null;
        for (Cached cached : cache) {
            if (cached.page == page) {
                found = cached;
            }
        }
        if (found == null) {
            found = new Cached(page, map(page));
        }
        cache.remove(found);
        cache.add(found);
        evict(page);
        if (page == metadata.tailPage()) {
            tail = found;
        } else if (page >= metadata.headPage()) {
            head = found;
        }
        return found;
    }

    private void evict(long wanted) {
        int i = 0;
        // The wanted page is the last one.
        while (i < cache.size() - 1) {
            Cached each = cache.get(i);
            if (eviction.isSpare(each.page, wanted, cache.size(), metadata)) {
                forget(each);
            } else {
                i++;
            }
        }
    }

    private FileMapping map(long page) throws IOException {
        boolean isUnused = page > metadata.headPage() || (page == metadata.headPage() && metadata.headOffset() == 0);
        if (isUnused) {
            changeNames();
        }
        if (isUnused && isPrepared(page)) {
            FileMapping mapping = spares.remove().take();
            if (mapping != null && mapping.isAt(file(page))) {
                return mapping;
            }
            if (mapping != null) {
                // The file was removed. It was empty, so nothing is lost.
                mapping.close();
            }
            // Without a mapping, the disk may be full: deleting the other spares makes room.
            discardSpares();
        }
        return isUnused ? PageFile.create(file(page), pageSize) : PageFile.open(file(page), pageSize);
    }

    private void forget(Cached cached) {
        // Close it first: if another thread keeps the mapping from being closed, it stays in the cache and is closed later.
        cached.mapping.close();
        release(cached);
    }

    private void release(Cached cached) {
        cache.remove(cached);
        if (cached.equals(head)) {
            head = null;
        }
        if (cached.equals(tail)) {
            tail = null;
        }
    }

    @Override
    void leave(long page) throws IOException {
        for (Cached cached : List.copyOf(cache)) {
            if (cached.page == page) {
                release(cached);
                retire(cached);
            }
        }
        Files.deleteIfExists(file(page));
    }

    private void retire(Cached left) throws IOException {
        long following = metadata.headPage() + 1 + spares.size();
        if (pageSize >= SparePage.WORTH_IT && spares.size() < MOST_SPARES && !Files.exists(file(following))) {
            Files.move(file(left.page), file(following));
            spares.add(new SparePage(following, file(following), left.mapping));
        } else {
            SparePage.unmapLater(left.mapping);
        }
    }

    @Override
    void makeRoom(long page, int offset, int length) throws IOException {
        // There is always room in another page, and the page after this one is needed soon.
        if (offset > pageSize / 2 && pageSize >= SparePage.WORTH_IT && !isPrepared(page + 1)) {
            discardSpares();
            spares.add(new SparePage(page + 1, file(page + 1), pageSize));
        }
    }

    private boolean isPrepared(long page) {
        SparePage spare = spares.peek();
        return spare != null && spare.page() == page;
    }

    private void discardSpares() throws IOException {
        List<SparePage> unused = List.copyOf(spares);
        spares.clear();
        closeAll(unused.stream().<Closeable>map(spare -> () -> discard(spare)).iterator());
    }

    private void discard(SparePage unused) throws IOException {
        unused.close();
        // Never delete a page with records, even if it was prepared by mistake.
        if (unused.page() > metadata.headPage()) {
            Files.deleteIfExists(file(unused.page()));
        }
    }

    @Override
    void moveHead(long page, int offset) {
        // The page first: after a kill in between, recovery reads the new page up to its end mark. If the offset came first, its smaller
        // value would hide records of the old page.
        metadata.headPage(page);
        VarHandle.releaseFence();
        metadata.headOffset(offset);
    }

    @Override
    void repair(Consumer<String> warnings) throws IOException {
        if (metadata.tailPage() <= metadata.headPage()) {
            new MissingPageRepair(this, warnings).run();
        }
    }

    /** Deletes pages before the tail. A process that was killed may not have deleted them. */
    private void deleteLeftOver() throws IOException {
        long page = metadata.tailPage() - 1;
        while (page >= 0 && Files.deleteIfExists(file(page))) {
            page--;
        }
    }

    @Override
    void forgetPages() throws IOException {
        Closeable pages = () -> closeAll(
                List.copyOf(cache).stream().<Closeable>map(each -> () -> forget(each)).iterator());
        try (pages) {
            discardSpares();
        }
    }

    @Override
    void closePages() throws IOException {
        forgetPages();
    }
}
