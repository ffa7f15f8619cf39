package dev.outcrop.jruby.mmap;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Repairs {@link CachedPages} after a power cut. Files between tail and head may then be missing or cut off, because the metadata got to
 * the disk before the names of the files, or after their deletion. After the repair, every whole record can be read. The metadata changes
 * last, and each step may be repeated after a kill.
 */
final class MissingPageRepair {
    /** The most digits of a page's number that fits into a long. */
    private static final int MOST_DIGITS = 18;

    private final Pages pages;
    private final PageMetadata metadata;
    private final Consumer<String> warnings;
    /** The pages from the tail to the head, both inclusive, that have files. */
    private final NavigableSet<Long> there = new TreeSet<>();
    /** The pages before the tail that have files. They were read. */
    private final NavigableSet<Long> left = new TreeSet<>();

    MissingPageRepair(Pages pages, Consumer<String> warnings) throws IOException {
        this.pages = pages;
        this.metadata = pages.metadata;
        this.warnings = warnings;
        list();
    }

    /** Lists the files, because corrupt metadata may name billions of pages. */
    private void list() throws IOException {
        String prefix = pages.path.getFileName() + ".";
        try (Stream<Path> files = Files.list(pages.path.toAbsolutePath().getParent())) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> Pages.isPage(name, prefix) && name.length() <= prefix.length() + MOST_DIGITS)
                    .mapToLong(name -> Long.parseLong(name.substring(prefix.length())))
                    .filter(page -> page <= metadata.headPage())
                    .forEach(page -> (page < metadata.tailPage() ? left : there).add(page));
        }
        // Leave out files with zeros before their number.
        there.removeIf(page -> !Files.exists(pages.file(page)));
        left.removeIf(page -> !Files.exists(pages.file(page)));
    }

    /** Repairs the pages. The tail must not be beyond the head. */
    void run() throws IOException {
        if (metadata.tailPage() == metadata.headPage() && metadata.headOffset() == 0) {
            return;
        }
        if (there.isEmpty()) {
            warnings.accept(missing(metadata.tailPage(), metadata.headPage()) + "; the queue is empty");
            putAside();
            pages.clear();
            return;
        }
        long first = there.first();
        long last = there.last();
        if (last - first + 1 - there.size() > metadata.size()) {
            // More pages than records are missing, so this was no power cut. The thread that opens the first missing page will report it.
            return;
        }
        for (long page : there) {
            restore(page);
        }
        fillGaps();
        if (first > metadata.tailPage()) {
            warnings.accept(missing(metadata.tailPage(), first - 1) + "; the queue begins with " + pages.file(first));
            metadata.tail(first, 0);
        }
        boolean isHeadUnused = last == metadata.headPage() - 1 && metadata.headOffset() == 0;
        if (last < metadata.headPage() && !isHeadUnused) {
            warnings.accept(missing(last + 1, metadata.headPage()) + "; the queue ends with " + pages.file(last));
            putAside();
            endWith(last);
        }
    }

    private String missing(long from, long to) {
        return pages.file(from)
                + (from == to ? " is missing" : " and the pages behind it up to " + pages.file(to) + " are missing")
                + ", as after a power cut";
    }

    private void restore(long page) throws IOException {
        Path file = pages.file(page);
        long size = Files.size(file);
        int read = page == metadata.tailPage() ? metadata.tailOffset() : 0;
        int used = page == metadata.headPage() ? metadata.headOffset() : read;
        // If other pages are whole, this one was cut off; it is not a page of another size.
        if (PageFile.isCutOff(file, pages.pageSize, used) || (size < pages.pageSize && isAnyWhole())) {
            warnings.accept(PageFile.restore(file, pages.pageSize, read));
        }
    }

    private boolean isAnyWhole() throws IOException {
        for (long page : there) {
            if (Files.size(pages.file(page)) == pages.pageSize) {
                return true;
            }
        }
        return false;
    }

    /** Makes an empty page for each missing page, because readers go from page to page. */
    private void fillGaps() throws IOException {
        long expected = there.first();
        for (long page : there) {
            if (expected < page) {
                warnings.accept(missing(expected, page - 1) + "; the queue goes on with " + pages.file(page));
            }
            for (; expected < page; expected++) {
                PageFile.create(pages.file(expected), pages.pageSize);
                pages.changeNames();
            }
            expected = page + 1;
        }
    }

    /** Renames the pages before the tail. One of them may be a missing page: it was reused, but its new name did not get to the disk. */
    private void putAside() throws IOException {
        for (long page : left) {
            Path file = pages.file(page);
            Path aside = file.resolveSibling(file.getFileName() + ".lost");
            for (int i = 2; Files.exists(aside); i++) {
                aside = file.resolveSibling(file.getFileName() + ".lost" + i);
            }
            Files.move(file, aside);
            warnings.accept(file + " may be the one that is missing, under the name that it had before; it is kept as "
                    + aside);
        }
    }

    private void endWith(long page) throws IOException {
        int end = pages.run(page, page == metadata.tailPage() ? metadata.tailOffset() : 0, pages.pageSize).end();
        // The offset first: after a kill in between, the head's page is still missing, and the repair begins again. The other way round,
        // the old offset would count for this page: if it is too small, it hides records.
        metadata.headOffset(end);
        VarHandle.releaseFence();
        metadata.headPage(page);
    }
}
