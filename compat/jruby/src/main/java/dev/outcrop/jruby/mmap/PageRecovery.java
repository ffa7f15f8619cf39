package dev.outcrop.jruby.mmap;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Checks a queue when it is opened: refuses impossible metadata, counts the records, and ends the queue where the metadata promises a
 * record that does not exist.
 */
final class PageRecovery {
    private final Pages pages;
    private final PageMetadata metadata;
    private final Consumer<String> warnings;
    private boolean isFaulty;

    PageRecovery(Pages pages, Consumer<String> warnings) {
        this.pages = pages;
        this.metadata = pages.metadata;
        this.warnings = warnings;
    }

    void run() throws IOException {
        checkRange();
        int promised = metadata.size();
        pages.repair(this::warn);
        if (isTailBeyondHead()) {
            if (metadata.size() != 0) {
                throw corrupt("the tail is beyond the head");
            }
            // The process was killed while it cleared the queue, or while an empty SinglePage began again at its start.
            pages.clear();
        }
        int size = count();
        if (size != metadata.size()) {
            metadata.size(size);
        }
        markEnd();
        if (isFaulty && size < promised) {
            warnings.accept((promised - size) + " of the " + promised + " items that " + metadata.path()
                    + " counts are missing: they are lost, or were popped before");
        }
    }

    private void warn(String fault) {
        isFaulty = true;
        warnings.accept(fault);
    }

    private void checkRange() {
        if (metadata.headPage() < 0 || metadata.tailPage() < 0) {
            throw corrupt("a page has a negative number");
        }
        if (isNoOffset(metadata.headOffset()) || isNoOffset(metadata.tailOffset())) {
            throw corrupt("an offset is outside of a page of " + pages.pageSize
                    + " bytes (was it written with another page_size?)");
        }
        if (metadata.size() < 0) {
            throw corrupt("the size is negative");
        }
    }

    private boolean isNoOffset(int offset) {
        return offset < 0 || offset > pages.pageSize;
    }

    private boolean isTailBeyondHead() {
        return metadata.tailPage() > metadata.headPage()
                || (metadata.tailPage() == metadata.headPage() && metadata.tailOffset() > metadata.headOffset());
    }

    private PageException corrupt(String why) {
        return new PageException("the metadata file " + metadata.path() + " is corrupt: " + why + " (" + metadata
                + "); restore it, or delete it and its pages");
    }

    private int count() throws IOException {
        int count = 0;
        int at = metadata.tailOffset();
        for (long page = metadata.tailPage(); page < metadata.headPage(); page++) {
            Pages.Run run = pages.run(page, at, pages.pageSize);
            count += run.count();
            if (run.isTorn()) {
                warn(pages.file(page) + " is torn: there is no record at " + run.end()
                        + "; what follows in this page is lost");
            }
            at = 0;
        }
        int end = metadata.headOffset();
        Pages.Run last = pages.run(metadata.headPage(), at, end);
        if (last.end() < end) {
            warn(pages.file(metadata.headPage()) + " is torn: there is no record at " + last.end()
                    + ", although the metadata promises records up to " + end + "; the queue ends there now");
            metadata.headOffset(last.end());
        }
        return count + last.count();
    }

    /**
     * Writes the end mark. A push that was killed may have left a length behind the head, and readers that follow the lengths would take it
     * for a record.
     */
    private void markEnd() throws IOException {
        int at = metadata.headOffset();
        if (at <= pages.pageSize - Pages.LENGTH_BYTES && pages.page(metadata.headPage()).getInt(at) != 0) {
            VarHandle.releaseFence();
            pages.page(metadata.headPage()).putInt(at, 0);
        }
    }
}
