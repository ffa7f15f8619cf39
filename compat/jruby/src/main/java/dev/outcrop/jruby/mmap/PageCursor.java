package dev.outcrop.jruby.mmap;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads records without removing them. Records may be pushed and popped in between. */
final class PageCursor {
    private final Pages pages;
    private long page;
    private int offset;

    PageCursor(Pages pages) {
        this.pages = pages;
        this.page = pages.metadata.tailPage();
        this.offset = pages.metadata.tailOffset();
    }

    /** The next record, or null at the end. */
    byte @Nullable [] next() throws IOException {
        pages.requireOpen();
        catchUp();
        while (true) {
            boolean isHead = page == pages.metadata.headPage();
            int end = isHead ? pages.metadata.headOffset() : pages.pageSize;
            if (page > pages.metadata.headPage() || (isHead && offset >= end)) {
                return null;
            }
            int length = pages.lengthAt(page, offset, end);
            if (length > 0) {
                byte[] bytes = pages.page(page).getBytes(offset + Pages.LENGTH_BYTES, length);
                offset += Pages.LENGTH_BYTES + length;
                return bytes;
            }
            if (isHead) {
                return null;
            }
            page++;
            offset = 0;
        }
    }

    /** Skips the records that were popped meanwhile. */
    private void catchUp() {
        long tail = pages.metadata.tailPage();
        if (page < tail || (page == tail && offset < pages.metadata.tailOffset())) {
            page = tail;
            offset = pages.metadata.tailOffset();
        }
    }
}
