package dev.outcrop.jruby;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** One page that is written again and again from its start. Only what was read is written over; otherwise it is full. */
final class RingPages extends Pages {
    private final Mapping ring;

    private RingPages(Path path, int pageSize) throws IOException {
        super(path, pageSize);
        try {
            boolean isUnused = metadata.headPage() == 0 && metadata.headOffset() == 0;
            this.ring = isUnused ? PageFile.create(file(0), pageSize) : PageFile.open(file(0), pageSize);
        } catch (Throwable e) {
            metadata.close();
            throw e;
        }
    }

    /** Opens what is there, or begins anew; what is wrong and could be put right goes to the warnings. */
    static RingPages open(Path path, int pageSize, Consumer<String> warnings) throws IOException {
        RingPages pages = new RingPages(path, pageSize);
        try {
            pages.leaveOverwritten(warnings);
            new PageRecovery(pages, warnings).run();
            return pages;
        } catch (Throwable e) {
            pages.close();
            throw e;
        }
    }

    @Override
    Path file(long page) {
        return path.resolveSibling(path.getFileName() + ".0");
    }

    @Override
    Mapping page(long page) {
        return ring;
    }

    @Override
    void leave(long page) {
        // The next records go there.
    }

    @Override
    void makeRoom(long page, int offset, int length) throws IOException {
        if (page == metadata.tailPage()) {
            return;
        }
        if (nextLength() == 0) {
            if (page != metadata.tailPage()) {
                // Everything was read. The tail goes first: the record may overwrite the mark that says so.
                metadata.tail(page, 0);
            }
            return;
        }
        boolean isFree = page == metadata.tailPage()
                || (page == metadata.tailPage() + 1 && offset + (long) OVERHEAD + length <= metadata.tailOffset());
        if (!isFree) {
            throw new PagesFullException("there is no room for " + length + " bytes in " + file(0) + ", whose " + metadata.size()
                    + " records have not been read yet; read some, or choose a larger page_size");
        }
    }

    /** The gem of 2015 overwrote what was not read; what it has written last is whole. */
    private void leaveOverwritten(Consumer<String> warnings) {
        long laps = metadata.headPage() - metadata.tailPage();
        boolean isOverwritten = laps > 1 || (laps == 1 && metadata.headOffset() + (long) LENGTH_BYTES > metadata.tailOffset());
        if (isOverwritten && metadata.tailPage() >= 0 && metadata.headOffset() <= pageSize) {
            warnings.accept("records in " + file(0) + " were written over before they were read; the queue begins behind them");
            metadata.tail(metadata.headPage(), 0);
        }
    }

    @Override
    void closePages() {
        ring.close();
    }
}
