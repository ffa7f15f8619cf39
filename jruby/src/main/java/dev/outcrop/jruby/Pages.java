package dev.outcrop.jruby;

import dev.outcrop.memory.MappedFile;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of records in the pages of one metadata file. Not thread-safe; what runs side by side may spoil the files, but crashes nothing.
 *
 * <pre>
 *   page N, the file path.N:
 *   +--------+-------+--------+-------+-----+---+ - - -
 *   | length | bytes | length | bytes | ... | 0 |         a record that does not fit with its end mark starts page N + 1
 *   +--------+-------+--------+-------+-----+---+ - - -
 * </pre>
 */
/*
 * The order of stores, for a process that is killed at any moment: what it has stored is in the page cache, and stays there; the fences
 * keep the compiler from swapping stores. Adding a record: its bytes and the end mark behind it, then its length over the old end mark,
 * then the head, then the size. So the metadata never shows a record that is not whole, and a push that has returned is there. Taking one:
 * the tail with one store, then the size, then the file of a page that was left. So nothing is lost or seen twice by the queue. What a kill
 * can leave is a size that is one off, a page file more, or a length behind the head; opening puts all of that right, because it counts the
 * records.
 *
 * The disk may write the pages in any order, so none of this holds for a power cut, unless force() returned before it.
 */
abstract class Pages implements AutoCloseable {
    static final int LENGTH_BYTES = Integer.BYTES;
    /** What a page needs beside the bytes of its only record: the length, and the end mark. */
    static final int OVERHEAD = 2 * LENGTH_BYTES;

    /** How often pushes look whether the files are there: not each time, because that takes as long as a push. */
    private static final long LOOK_NANOS = 1_000_000;

    final Path path;
    final int pageSize;
    final PageMetadata metadata;
    /** Whether files were created or renamed since their names were on the device; nobody knows what an earlier process has left. */
    private boolean areNamesNew = true;
    private volatile boolean closed;
    private volatile boolean hasGivenWay;
    private boolean isTaken;
    private long lookedAt;
    /** The page that was looked for last. */
    private long lookedFor = -1;
    private int forgets;
    /** Of the queue that these pages belong to, if that is thread-safe. */
    private volatile @Nullable Gate gate;
    private final List<Runnable> whenClosed = new CopyOnWriteArrayList<>();

    Pages(Path path, int pageSize) throws IOException {
        if (pageSize <= OVERHEAD) {
            throw new IllegalArgumentException(
                    "a page needs more than " + OVERHEAD + " bytes, but page_size is " + pageSize);
        }
        this.path = path;
        this.pageSize = pageSize;
        this.metadata = PageMetadata.open(path);
    }

    /** The file of a page. */
    abstract Path file(long page);

    /** A page, mapped. The page at the head is created if need be; any other must be there. */
    abstract Mapping page(long page) throws IOException;

    /** Called when the tail has moved off a page. */
    abstract void leave(long page) throws IOException;

    /** Makes sure that a record may go to a place that is free as far as the page is concerned. */
    abstract void makeRoom(long page, int offset, int length) throws IOException;

    /** Moves the head to another page. It takes two stores: killed between them, {@link #repair} can tell. */
    abstract void moveHead(long page, int offset);

    /** What must be put right before the records can be counted; what is lost goes to the warnings. */
    abstract void repair(Consumer<String> warnings) throws IOException;

    /** Called before the pages are numbered from 0 again: no page has records, and none must be known by its old number. */
    abstract void forgetPages() throws IOException;

    /** Closes the pages. */
    abstract void closePages() throws IOException;

    final int usableSize() {
        return pageSize - OVERHEAD;
    }

    final int size() {
        requireOpen();
        return metadata.size();
    }

    final boolean isClosed() {
        return closed;
    }

    /**
     * Adds a record.
     *
     * @throws PageException if it is empty, which the format cannot express, or larger than a page, or the page's file is gone
     */
    final void push(byte[] bytes, int from, int length) throws IOException {
        requireOpen();
        if (length > usableSize()) {
            throw new PageException(
                    "a record of " + length + " bytes is larger than the " + usableSize() + " that a page of " + path
                            + " can hold; choose a larger page_size");
        }
        if (length == 0) {
            throw new PageException("an empty record cannot be kept in " + path
                    + ": its length, 0, marks the end of a page; use a serializer that never gives an empty string");
        }
        long index = metadata.headPage();
        int at = metadata.headOffset();
        if ((long) at + OVERHEAD + length > pageSize) {
            requireThere(index, page(index));
            endPage(index, at);
            index++;
            at = 0;
        }
        makeRoom(index, at, length);
        Mapping page = page(index);
        long now = System.nanoTime();
        if (index != lookedFor || now - lookedAt > LOOK_NANOS) {
            requireThere(index, page);
            lookedFor = index;
            lookedAt = now;
        }
        int end = at + LENGTH_BYTES + length;
        page.putBytes(at + LENGTH_BYTES, bytes, from, length);
        page.putInt(end, 0);
        // The length behind the bytes: a reader that goes by lengths alone finds a whole record, or none.
        VarHandle.releaseFence();
        page.putInt(at, length);
        // The record before the metadata: a kill in between leaves a record that is not there.
        VarHandle.releaseFence();
        if (index == metadata.headPage()) {
            metadata.headOffset(end);
        } else {
            moveHead(index, end);
        }
        // The size last: it is only counted, and counted again on opening.
        VarHandle.releaseFence();
        metadata.size(metadata.size() + 1);
    }

    /** The next record, or null. */
    final byte @Nullable [] pop() throws IOException {
        int length = nextLength();
        if (length == 0) {
            return null;
        }
        byte[] bytes = page(metadata.tailPage()).getBytes(metadata.tailOffset() + LENGTH_BYTES, length);
        advance(length);
        return bytes;
    }

    /** The next record, which stays; null if there is none. */
    final byte @Nullable [] peek() throws IOException {
        int length = nextLength();
        return length == 0 ? null : page(metadata.tailPage()).getBytes(metadata.tailOffset() + LENGTH_BYTES, length);
    }

    /** Leaves the next record out; returns its bytes, or 0. */
    final int skip() throws IOException {
        int length = nextLength();
        if (length == 0) {
            return 0;
        }
        advance(length);
        return length;
    }

    /** Leaves a record out that nobody has read. The next one is another now, which matters to one that has seen this. */
    final void forgetNext() throws IOException {
        if (skip() > 0) {
            forgets++;
        }
    }

    /**
     * How often records went that nobody has read: if this has not changed, the next record is still the one that it was, unless somebody
     * took it.
     */
    final int forgets() {
        return forgets;
    }

    /** Shows all records from the next one on, also those that are added meanwhile. */
    final void each(Consumer<byte[]> visitor) throws IOException {
        requireOpen();
        PageCursor cursor = new PageCursor(this);
        for (byte[] bytes = cursor.next(); bytes != null; bytes = cursor.next()) {
            visitor.accept(bytes);
        }
    }

    /** Forgets all records; the pages stay. */
    final void clear() throws IOException {
        requireOpen();
        forgets++;
        forgetPages();
        // In this order: killed at any point, what is there is an empty queue, or one whose tail is beyond its head and whose size is 0.
        metadata.tail(metadata.headPage(), metadata.headOffset());
        VarHandle.releaseFence();
        metadata.size(0);
        VarHandle.releaseFence();
        moveHead(0, 0);
        VarHandle.releaseFence();
        metadata.tail(0, 0);
    }

    /** To be called when a page's file was created or renamed. */
    final void changeNames() {
        areNamesNew = true;
    }

    /** Waits until everything is on the device: the pages and their names first, because metadata without its records would be wrong. */
    final void force() throws IOException {
        requireOpen();
        for (long page = metadata.tailPage(); page <= metadata.headPage(); page++) {
            Mapping mapped = page(page);
            requireThere(page, mapped);
            mapped.force();
        }
        if (areNamesNew) {
            MappedFile.forceDirectory(Objects.requireNonNull(path.toAbsolutePath().getParent()));
            areNamesNew = false;
        }
        metadata.force();
    }

    @Override
    public final void close() throws IOException {
        if (!closed) {
            closed = true;
            try {
                closePages();
            } finally {
                try {
                    metadata.close();
                } finally {
                    // Also when closing failed: nobody can use the pages any more.
                    whenClosed.forEach(Runnable::run);
                }
            }
        }
    }

    /** Something to be done once when this is closed, by any thread: waking those who wait for what will not come. */
    final void whenClosed(Runnable action) {
        whenClosed.add(action);
    }

    /** Begins to belong to a queue. Returns false if it does already. */
    final boolean take() {
        boolean isFree = !isTaken;
        isTaken = true;
        return isFree;
    }

    /** A thread that closes it for others is to wait for this. */
    final void guard(Gate by) {
        gate = by;
    }

    /** Somebody else has opened the path. */
    final void giveWay() throws IOException {
        Gate there = gate;
        if (there != null) {
            there.lock();
        }
        try {
            hasGivenWay |= !closed;
            close();
        } finally {
            if (there != null) {
                there.unlock();
            }
        }
    }

    /** Closes it, and deletes its files. */
    final void purge() throws IOException {
        if (hasGivenWay) {
            requireOpen();
        }
        close();
        if (!Files.exists(path)) {
            deletePages();
            return;
        }
        // It may have been closed before, and be open again for somebody else.
        try (PageLock lock = PageLock.reserve(path, false)) {
            lock.lock();
            Files.deleteIfExists(path);
            deletePages();
        }
    }

    private void deletePages() throws IOException {
        String prefix = path.getFileName() + ".";
        try (DirectoryStream<Path> pages = Files.newDirectoryStream(path.toAbsolutePath().getParent(),
                file -> isPage(file.getFileName().toString(), prefix))) {
            for (Path page : pages) {
                Files.deleteIfExists(page);
            }
        }
    }

    static boolean isPage(String name, String prefix) {
        return name.startsWith(prefix) && name.length() > prefix.length()
                && name.chars().skip(prefix.length()).allMatch(digit -> digit >= '0' && digit <= '9');
    }

    final void requireOpen() {
        if (closed) {
            String what = "the queue " + path;
            throw hasGivenWay
                    ? new ClosedException(what, "another queue was opened on its path, which has its items now")
                    : new ClosedException(what);
        }
    }

    /** How long the record at the tail is, which may move to the next page for that; 0 if there is none. */
    final int nextLength() throws IOException {
        requireOpen();
        while (true) {
            long index = metadata.tailPage();
            int at = metadata.tailOffset();
            boolean isHead = index == metadata.headPage();
            int end = isHead ? metadata.headOffset() : pageSize;
            // Beyond the head, where somebody has spoilt the metadata: what stands there is old.
            if (index > metadata.headPage() || (isHead && at == end)) {
                return 0;
            }
            int length = lengthAt(index, at, end);
            if (length > 0) {
                return length;
            }
            if (isHead) {
                throw new PageException(file(index) + " holds no record at " + at + ", although " + path
                        + " says so; it was changed by another program");
            }
            metadata.tail(index + 1, 0);
            // The file goes after the metadata: without it, a tail that still points there could not be read.
            VarHandle.releaseFence();
            leave(index);
        }
    }

    /** The length of a record that ends before a place, or 0 if there is none, or -1 if what is there cannot be one. */
    final int lengthAt(long index, int at, int end) throws IOException {
        if (at > end - LENGTH_BYTES) {
            return 0;
        }
        int length = page(index).getInt(at);
        return length >= 0 && length <= end - LENGTH_BYTES - at ? length : -1;
    }

    private void advance(int length) {
        // Taken before it is gone: what was read stays before the tail's move, also for a SinglePage, whose room is free from then on.
        VarHandle.fullFence();
        metadata.tail(metadata.tailPage(), metadata.tailOffset() + LENGTH_BYTES + length);
        VarHandle.releaseFence();
        metadata.size(Math.max(0, metadata.size() - 1));
    }

    /** Checks the files, because stores to a page get lost if its file was removed. */
    private void requireThere(long index, Mapping page) {
        boolean isPageThere = page.isAt(file(index));
        if (!isPageThere || !metadata.isThere()) {
            throw new PageException("the file " + (isPageThere ? path : file(index))
                    + " is missing, or was replaced or cut off, since the queue was opened; nothing was pushed, and items that were in it may be"
                    + " lost. Close the queue and open it again: it goes on with what is left");
        }
    }

    /** A push that was killed may have left a length where readers of this page must find its end. */
    private void endPage(long index, int at) throws IOException {
        if (at <= pageSize - LENGTH_BYTES) {
            page(index).putInt(at, 0);
            VarHandle.releaseFence();
        }
    }
}
