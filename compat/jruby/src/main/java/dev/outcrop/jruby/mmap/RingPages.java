package dev.outcrop.jruby.mmap;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One page, used as a ring. Unread records are overwritten only on request; otherwise the page is full.
 */
final class RingPages extends Pages {
    private final boolean isOverwritten;
    private @Nullable FileMapping ring;

    private RingPages(Path path, int pageSize, boolean isOverwritten) throws IOException {
        super(path, pageSize);
        this.isOverwritten = isOverwritten;
    }

    /** Opens existing pages, or creates them. Reports repaired faults as warnings. */
    static RingPages open(Path path, int pageSize, boolean isOverwritten, Consumer<String> warnings)
            throws IOException {
        RingPages pages = new RingPages(path, pageSize, isOverwritten);
        try {
            new PageRecovery(pages, warnings).run();
            pages.metadata.owner(pages);
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
    FileMapping page(long page) throws IOException {
        FileMapping mapped = ring;
        if (mapped == null) {
            mapped = isUnused() ? PageFile.create(file(0), pageSize) : PageFile.open(file(0), pageSize);
            ring = mapped;
        }
        return mapped;
    }

    private boolean isUnused() {
        return metadata.headPage() == 0 && metadata.headOffset() == 0;
    }

    @Override
    void leave(long page) {
        // The next records go to the same page.
    }

    @Override
    void makeRoom(long page, int offset, int length) throws IOException {
        if (page == metadata.tailPage()) {
            return;
        }
        while (nextLength() > 0) {
            if (page == metadata.tailPage()
                    || (page == metadata.tailPage() + 1
                            && offset + (long) OVERHEAD + length <= metadata.tailOffset())) {
                return;
            }
            if (!isOverwritten) {
                throw new PageException.Full(
                        "there is no room for " + length + " bytes in " + file(0) + ", whose " + metadata.size()
                                + " records have not been read yet; read some, choose a larger page_size,"
                                + " or open it with overwrite: true to lose the oldest instead");
            }
            // The tail passes a record before the record is overwritten: after a kill in between, the queue is shorter, but its records are
            // whole.
            forgetNext();
        }
        if (page != metadata.tailPage()) {
            // No record is left. Move the tail first: the new record may overwrite the end mark, which shows this.
            metadata.tail(page, 0);
            VarHandle.releaseFence();
        }
    }

    @Override
    void moveHead(long page, int offset) {
        // The offset first: after a kill in between, the head's offset is before the tail's. Nothing else causes this while there are
        // records. In the other order, unread records could not be told from overwritten ones.
        metadata.headOffset(offset);
        VarHandle.releaseFence();
        metadata.headPage(page);
    }

    @Override
    void repair(Consumer<String> warnings) throws IOException {
        if (!isUnused()) {
            restore(warnings);
        }
        long laps = metadata.headPage() - metadata.tailPage();
        if (laps == 0 && metadata.tailOffset() > metadata.headOffset() && metadata.size() > 0) {
            finishLap();
        } else if (laps > 1 || (laps == 1 && metadata.headOffset() + (long) LENGTH_BYTES > metadata.tailOffset())) {
            // The gem of 2015 overwrites unread records. Its last records are whole.
            warnings.accept(
                    "records in " + file(0) + " were written over before they were read; the queue begins behind them");
            metadata.tail(metadata.headPage(), 0);
        }
    }

    private void restore(Consumer<String> warnings) throws IOException {
        int tail = metadata.tailOffset();
        if (!Files.exists(file(0))) {
            warnings.accept(file(0) + " is missing, as after a power cut; the queue is empty");
            clear();
        } else if (PageFile.isCutOff(file(0), pageSize, Math.max(metadata.headOffset(), tail))) {
            warnings.accept(PageFile.restore(file(0), pageSize, Files.size(file(0)) > tail ? tail : 0));
        }
    }

    /**
     * Ends a lap from which the head was moving to the next lap. The record at the new head was not pushed. The records of this lap end at
     * their end mark.
     */
    private void finishLap() throws IOException {
        Run lap = run(metadata.headPage(), metadata.tailOffset(), pageSize);
        // Otherwise the metadata is corrupt, and the caller reports it.
        if (!lap.isTorn() && lap.count() == metadata.size()) {
            metadata.headOffset(lap.end());
        }
    }

    @Override
    void forgetPages() {
        // There is only one file, so there is nothing to forget.
    }

    @Override
    void closePages() {
        FileMapping mapped = ring;
        if (mapped != null) {
            mapped.close();
        }
    }
}
