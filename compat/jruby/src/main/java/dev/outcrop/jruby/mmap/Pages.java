package dev.outcrop.jruby.mmap;

import dev.outcrop.memory.MappedFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of records in the pages of one metadata file. Not thread-safe, except for closing: a thread-safe queue locks this object for each
 * call. Concurrent calls without that lock may damage the files, but do not crash the process.
 *
 * <pre>
 *   page N, the file path.N:
 *   +--------+-------+--------+-------+-----+---+ - - -
 *   | length | bytes | length | bytes | ... | 0 |         a record that does not fit with its end mark starts page N + 1
 *   +--------+-------+--------+-------+-----+---+ - - -
 * </pre>
 */
/*
 * The order of stores makes the files safe if the process is killed at any moment. What the process has stored is in the page cache, and
 * stays there. The fences keep the compiler from swapping stores. To add a record, store its bytes and the end mark behind it, then its
 * length over the old end mark, then the head, then the size. So the metadata never shows a partial record, and a record is there after its
 * push has returned. To take a record, store the tail with one store, then the size, then delete the file of a page that was read. So the
 * queue loses nothing and sees nothing twice. A kill can leave a size that is off by one, an extra page file, or a length behind the head.
 * Opening corrects all of this, because it counts the records.
 *
 * The disk may write the pages in any order, so none of this holds after a power cut, unless force() returned before it.
 */
abstract class Pages implements AutoCloseable {
    static final int LENGTH_BYTES = Integer.BYTES;
    /** The bytes that a page needs besides the bytes of its only record: the length, and the end mark. */
    static final int OVERHEAD = 2 * LENGTH_BYTES;

    /** How often pushes check that the files exist. They do not check each time, because a check takes as long as a push. */
    private static final long LOOK_NANOS = 1_000_000;

    final Path path;
    final int pageSize;
    final PageMetadata metadata;
    /** Whether names of files may not be on the device yet. True at first, because an earlier process may have created or renamed files. */
    private boolean areNamesNew = true;
    private volatile boolean closed;
    private volatile boolean hasGivenWay;
    private boolean isTaken;
    private long lookedAt;
    /** The page that was checked last. */
    private long lookedFor = -1;
    private int forgets;
    /**
     * The error that ended a change half-way, most likely for lack of stack or memory. The files are then as after a kill, and opening them
     * again repairs them. The code that catches the error writes this field directly, because there may be no stack left for a call.
     */
    volatile @Nullable Error brokenBy;
    private final List<Runnable> whenClosed = new CopyOnWriteArrayList<>();

    /** A queue was used after it was closed, or after an error that ended a call half-way: Ruby's {@code IOError}. */
    static final class ClosedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ClosedException(String message) {
            super(message);
        }
    }

    Pages(Path path, int pageSize) throws IOException {
        if (pageSize <= OVERHEAD) {
            throw new IllegalArgumentException(
                    "a page needs more than " + OVERHEAD + " bytes, but page_size is " + pageSize);
        }
        this.path = path;
        this.pageSize = pageSize;
        this.metadata = PageMetadata.open(path);
    }

    /** Returns the file of a page. */
    abstract Path file(long page);

    /** Returns a page, mapped. Creates the page at the head if needed; any other page must exist. */
    abstract FileMapping page(long page) throws IOException;

    /** Called when the tail has left a page. */
    abstract void leave(long page) throws IOException;

    /** Makes sure that a record may be written to a place in a page where it fits. */
    abstract void makeRoom(long page, int offset, int length) throws IOException;

    /** Moves the head to another page, with two stores. After a kill between them, {@link #repair} can tell. */
    abstract void moveHead(long page, int offset);

    /** Repairs the files so that the records can be counted. Reports lost records as warnings. */
    abstract void repair(Consumer<String> warnings) throws IOException;

    /** Forgets the pages and their numbers. Called when no page has records, before the pages are numbered from 0 again. */
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
        FileMapping page = page(index);
        long now = System.nanoTime();
        if (index != lookedFor || now - lookedAt > LOOK_NANOS) {
            requireThere(index, page);
            lookedFor = index;
            lookedAt = now;
        }
        int end = at + LENGTH_BYTES + length;
        page.putBytes(at + LENGTH_BYTES, bytes, from, length);
        page.putInt(end, 0);
        // The length after the bytes: a reader that only follows the lengths finds a whole record, or none.
        VarHandle.releaseFence();
        page.putInt(at, length);
        // The record before the metadata: after a kill in between, the record does not count.
        VarHandle.releaseFence();
        if (index == metadata.headPage()) {
            metadata.headOffset(end);
        } else {
            moveHead(index, end);
        }
        // The size last: opening counts the records again.
        VarHandle.releaseFence();
        metadata.size(metadata.size() + 1);
    }

    /** Reads the next record, which has this {@link #nextLength}. */
    final byte[] read(int length) throws IOException {
        return page(metadata.tailPage()).getBytes(metadata.tailOffset() + LENGTH_BYTES, length);
    }

    /** Removes the next record; returns its bytes, or 0. */
    final int skip() throws IOException {
        int length = nextLength();
        if (length == 0) {
            return 0;
        }
        advance(length);
        return length;
    }

    /** Removes the next record unread. A thread that has read the record and not removed it yet must notice this: see {@link #forgets}. */
    final void forgetNext() throws IOException {
        if (skip() > 0) {
            forgets++;
        }
    }

    /**
     * Returns the number of removals of unread records. While it does not change, the next record stays the same, unless a call has removed
     * it.
     */
    final int forgets() {
        return forgets;
    }

    /** Shows all records from the next one on, including records that are added meanwhile. */
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
        // In this order: after a kill at any point, the queue is empty, or its tail is beyond its head and its size is 0.
        metadata.tail(metadata.headPage(), metadata.headOffset());
        VarHandle.releaseFence();
        metadata.size(0);
        VarHandle.releaseFence();
        moveHead(0, 0);
        VarHandle.releaseFence();
        metadata.tail(0, 0);
    }

    /** Notes that a page's file was created or renamed. */
    final void changeNames() {
        areNamesNew = true;
    }

    /**
     * Waits until everything is on the device. The pages and their names come first, because metadata without its records would be wrong.
     */
    final void force() throws IOException {
        requireOpen();
        for (long page = metadata.tailPage(); page <= metadata.headPage(); page++) {
            FileMapping mapped = page(page);
            requireThere(page, mapped);
            mapped.force();
        }
        if (areNamesNew) {
            MappedFile.forceDirectory(Objects.requireNonNull(path.toAbsolutePath().getParent()));
            areNamesNew = false;
        }
        metadata.force();
    }

    /** Closes all that can be closed, even if something fails. Called again, it closes the rest. */
    @Override
    public final synchronized void close() throws IOException {
        closed = true;
        try (PageMetadata _ = metadata) {
            closePages();
        } finally {
            // The pages cannot be used from now on, even if closing failed.
            whenClosed.forEach(Runnable::run);
        }
    }

    /** Closes all of them, even if one fails. Then throws the failures as one exception. */
    static void closeAll(Iterator<? extends Closeable> each) throws IOException {
        if (each.hasNext()) {
            try (Closeable _ = each.next()) {
                closeAll(each);
            }
        }
    }

    /** Adds an action to run when this is closed, by any thread: it wakes waiting threads. */
    final void whenClosed(Runnable action) {
        whenClosed.add(action);
    }

    /** Begins to belong to a queue. Returns false if it already belongs to a queue. */
    final boolean take() {
        boolean isFree = !isTaken;
        isTaken = true;
        return isFree;
    }

    /** Closes it because its path was opened again. */
    final synchronized void giveWay() throws IOException {
        hasGivenWay |= !closed;
        close();
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
        // These pages may have been closed before, and their files may be open again for another queue.
        try (MetadataLock lock = MetadataLock.reserve(path, false)) {
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
            throw new ClosedException("the queue " + path + " is closed"
                    + (hasGivenWay ? ": another queue was opened on its path, which has its items now" : ""));
        }
        Error cause = brokenBy;
        if (cause != null) {
            throw new ClosedException("the queue " + path + " cannot be used further, because a call ended half-way in "
                    + cause.getClass().getSimpleName()
                    + "; close it and open it again: then all pushed items are there");
        }
    }

    /** Returns the length of the record at the tail; 0 if there is none. May move the tail to the next page. */
    final int nextLength() throws IOException {
        requireOpen();
        while (true) {
            long index = metadata.tailPage();
            int at = metadata.tailOffset();
            boolean isHead = index == metadata.headPage();
            int end = isHead ? metadata.headOffset() : pageSize;
            // If the tail is beyond the head, another program has changed the metadata: the records there are old.
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
            // Delete the file after the metadata has changed: a tail that still points to a deleted file could not be read.
            VarHandle.releaseFence();
            leave(index);
        }
    }

    /** Returns the length of a record that must end before a place; 0 if there is none, -1 if the length is impossible. */
    final int lengthAt(long index, int at, int end) throws IOException {
        if (at > end - LENGTH_BYTES) {
            return 0;
        }
        int length = page(index).getInt(at);
        return length >= 0 && length <= end - LENGTH_BYTES - at ? length : -1;
    }

    /** The records in a part of a page: how many there are, where the last one ends, and whether an impossible length follows it. */
    record Run(int count, int end, boolean isTorn) {
    }

    /** Goes from record to record, until there is none that ends before a place. */
    final Run run(long index, int from, int end) throws IOException {
        int count = 0;
        int at = from;
        int length = lengthAt(index, at, end);
        for (; length > 0; length = lengthAt(index, at, end)) {
            at += LENGTH_BYTES + length;
            count++;
        }
        return new Run(count, at, length < 0);
    }

    /** Removes the next record, which has this {@link #nextLength}. */
    final void advance(int length) {
        // The record must be read before the tail moves, because moving the tail frees the record's room in a SinglePage.
        VarHandle.fullFence();
        metadata.tail(metadata.tailPage(), metadata.tailOffset() + LENGTH_BYTES + length);
        VarHandle.releaseFence();
        metadata.size(Math.max(0, metadata.size() - 1));
    }

    /** Checks that the files exist, because stores to a removed file are lost. */
    private void requireThere(long index, FileMapping page) {
        boolean isPageThere = page.isAt(file(index));
        if (!isPageThere || !metadata.isThere()) {
            throw new PageException("the file " + (isPageThere ? path : file(index))
                    + " is missing, or was replaced or cut off, since the queue was opened; nothing was pushed, and items that were in it may be"
                    + " lost. Close the queue and open it again: it goes on with the remaining items");
        }
    }

    /** Writes the end mark of a page. A push that was killed may have left a length there. */
    private void endPage(long index, int at) throws IOException {
        if (at <= pageSize - LENGTH_BYTES) {
            page(index).putInt(at, 0);
            VarHandle.releaseFence();
        }
    }
}
