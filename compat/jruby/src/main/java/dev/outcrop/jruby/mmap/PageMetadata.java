package dev.outcrop.jruby.mmap;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The metadata file: where the next record is written (the head), and where the next one is read (the tail).
 *
 * <pre>
 *   0        8      12       20     24     28            2048
 *   +--------+------+--------+------+------+--------------+
 *   | head   | head | tail   | tail | size | not used     |   big-endian
 *   | page   | at   | page   | at   |      |              |
 *   +--------+------+--------+------+------+--------------+
 * </pre>
 */
final class PageMetadata implements AutoCloseable {
    static final int BYTES = 2048;

    private static final int HEAD_PAGE = 0;
    private static final int HEAD_OFFSET = 8;
    private static final int TAIL_PAGE_HIGH = 12;
    private static final int TAIL_PAGE_LOW = 16;
    private static final int TAIL_OFFSET = 20;
    private static final int SIZE = 24;

    private final FileMapping file;
    private final MetadataLock lock;

    private PageMetadata(FileMapping file, MetadataLock lock) {
        this.file = file;
        this.lock = lock;
    }

    /** Opens or creates the file. Closes a queue of this process that has it open. */
    static PageMetadata open(Path path) throws IOException {
        long size = Files.exists(path) ? Files.size(path) : 0;
        if (size != 0 && size != BYTES) {
            throw new PageException(
                    path + " is not the metadata file of a queue: it has " + size + " bytes, and not " + BYTES);
        }
        MetadataLock lock = MetadataLock.reserve(path, true);
        try {
            FileMapping file = FileMapping.open(path, BYTES);
            try {
                // Lock after mapping, because mapping closes a channel, which would release the lock.
                lock.lock();
            } catch (Throwable e) {
                file.close();
                throw e;
            }
            return new PageMetadata(file, lock);
        } catch (Throwable e) {
            lock.close();
            throw e;
        }
    }

    long headPage() {
        return file.getLong(HEAD_PAGE);
    }

    int headOffset() {
        return file.getInt(HEAD_OFFSET);
    }

    long tailPage() {
        return (long) file.getInt(TAIL_PAGE_HIGH) << Integer.SIZE | Integer.toUnsignedLong(file.getInt(TAIL_PAGE_LOW));
    }

    int tailOffset() {
        return file.getInt(TAIL_OFFSET);
    }

    int size() {
        return file.getInt(SIZE);
    }

    /** Moves the head within its page. */
    void headOffset(int offset) {
        file.putInt(HEAD_OFFSET, offset);
    }

    /** Moves the head to another page. */
    void headPage(long page) {
        file.putLong(HEAD_PAGE, page);
    }

    /** Moves the tail with one store: a page and an offset that do not belong together would lose or repeat records. */
    void tail(long page, int offset) {
        int high = (int) (page >>> Integer.SIZE);
        if (high != file.getInt(TAIL_PAGE_HIGH)) {
            // Once in 4 billion pages.
            file.putInt(TAIL_PAGE_HIGH, high);
            VarHandle.releaseFence();
        }
        // The address is a multiple of eight, so this is one store. The lower half of the page's number and the offset are adjacent.
        file.putLong(TAIL_PAGE_LOW, page << Integer.SIZE | offset);
    }

    void size(int size) {
        file.putInt(SIZE, size);
    }

    /** Sets the pages that are closed when the file is opened again. */
    void owner(Pages pages) {
        lock.owner(pages);
    }

    void force() throws IOException {
        file.force();
    }

    Path path() {
        return file.path();
    }

    /** Tells whether the file still exists at its full length. */
    boolean isThere() {
        return file.isAt(file.path());
    }

    /** The text in messages. */
    @Override
    public String toString() {
        return "head page " + headPage() + ", head offset " + headOffset() + ", tail page " + tailPage()
                + ", tail offset " + tailOffset()
                + ", size " + size();
    }

    @Override
    public void close() {
        try {
            file.close();
        } finally {
            lock.close();
        }
    }
}
