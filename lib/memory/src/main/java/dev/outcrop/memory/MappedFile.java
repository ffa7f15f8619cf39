package dev.outcrop.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a file, or of the beginning of a file, until it is closed. It works without native access too, but then pages are not
 * prepared for writing, and lent parts are copies.
 *
 * <p>All methods are thread-safe, with one exception: the owner must not call {@link #close()} while a thread still uses {@link #memory()},
 * or a part that was {@linkplain #lend lent}.
 */
public final class MappedFile implements AutoCloseable {
    private static final int CHUNK = 1 << 20;
    private static final int MOST_ATTEMPTS = 3;
    /** With pages of this size, huge ones have 2 MB. */
    private static final int SMALL_PAGE = 4096;
    /** Thrown if neither memory nor stack is left for another exception. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // it must be made before it is needed
    private static final ErrnoException WITHOUT_DETAILS = ErrnoException.withoutDetails();
    private static volatile boolean cannotUseSmallPages;

    private final Path path;
    /** Identifies the file under any name; null if the file system does not tell. */
    private final @Nullable Object key;
    /** Whether it is mapped from beginning to end. */
    private final boolean isWhole;
    private final Arena arena;
    private final MemorySegment mapped;
    private final MemorySegment memory;
    /** On macOS, where msync leaves data in the device's own cache, the file to flush. */
    private final @Nullable NativeFile flushed;
    private volatile boolean isHuge;

    private MappedFile(Path path, @Nullable Object key, boolean isWhole, Arena arena, MemorySegment mapped,
            @Nullable NativeFile flushed) {
        this.flushed = flushed;
        this.path = path;
        this.key = key;
        this.isWhole = isWhole;
        this.arena = arena;
        this.mapped = mapped;
        // Without a lifetime of its own the segment needs no check, and JDK calls do not increment a shared counter for it.
        this.memory = NativeAccess.isEnabled() && mapped.byteSize() > 0
                ? NativeCalls.view(mapped.address(), mapped.byteSize())
                : mapped;
    }

    /**
     * Maps an existing file for reading and writing.
     *
     * @param path of the file
     * @return all of the file, which the caller must close
     * @throws IOException if it cannot be opened or mapped, or is {@linkplain #requireRegular no regular file}
     */
    public static MappedFile open(Path path) throws IOException {
        return open(path, Long.MAX_VALUE);
    }

    /**
     * Maps the beginning of an existing file for reading and writing.
     *
     * @param path of the file
     * @param most how many bytes to map at most
     * @return the beginning of the file, which the caller must close
     * @throws IOException if it cannot be opened or mapped
     */
    public static MappedFile open(Path path, long most) throws IOException {
        return map(path, most, FileChannel.MapMode.READ_WRITE, StandardOpenOption.READ, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Maps an existing file for reading.
     *
     * @param path of the file
     * @return all of the file, which the caller must close
     * @throws IOException if it cannot be opened or mapped
     */
    public static MappedFile openReadOnly(Path path) throws IOException {
        return openReadOnly(path, Long.MAX_VALUE);
    }

    /**
     * Maps the beginning of an existing file for reading.
     *
     * @param path of the file
     * @param most how many bytes to map at most
     * @return the beginning of the file, which the caller must close
     * @throws IOException if it cannot be opened or mapped
     */
    public static MappedFile openReadOnly(Path path, long most) throws IOException {
        return map(path, most, FileChannel.MapMode.READ_ONLY, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Refuses all but regular files. Opening a FIFO waits for another process, opening a device may do anything, and a write through a
     * symbolic link changes a file somewhere else.
     *
     * @param path of the file to open
     * @return identifies the file; null if the file system does not tell
     * @throws IOException if it does not exist, or is a symbolic link, a directory, a FIFO or a device
     */
    public static @Nullable Object requireRegular(Path path) throws IOException {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            String what = found.isSymbolicLink()
                    ? "a symbolic link, which is not followed"
                    : found.isDirectory()
                            ? "a directory"
                            : "a FIFO, a socket or a device";
            throw new IOException(path + " is not a regular file but " + what + ". Move it to another place");
        }
        return found.fileKey();
    }

    private static MappedFile map(Path path, long most, FileChannel.MapMode mode, OpenOption... options)
            throws IOException {
        return Uninterrupted.get(() -> mapOnce(path, most, mode, options));
    }

    private static MappedFile mapOnce(Path path, long most, FileChannel.MapMode mode, OpenOption... options)
            throws IOException {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            MappedFile mapped = tryMap(path, most, mode, options);
            if (mapped != null) {
                return mapped;
            }
        }
        throw new IOException(path + " is replaced again and again while it is opened. See which program does that");
    }

    /**
     * Returns null if the path led to another file after opening: an overlay file system copies a file when it is first opened for writing.
     */
    private static @Nullable MappedFile tryMap(Path path, long most, FileChannel.MapMode mode, OpenOption... options)
            throws IOException {
        Object key = requireRegular(path);
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(path, options)) {
            if (!Objects.equals(key, requireRegular(path))) {
                arena.close();
                return null;
            }
            MemorySegment mapped = map(path, channel, mode, most, arena);
            boolean isFlushed = Libc.MACOS && NativeAccess.isEnabled() && mode.equals(FileChannel.MapMode.READ_WRITE);
            // Opened now, because the file may get another name later.
            return new MappedFile(path, key, channel.size() == mapped.byteSize(), arena, mapped,
                    isFlushed ? Posix.open(path, StandardOpenOption.READ) : null);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    private static MemorySegment map(Path path, FileChannel channel, FileChannel.MapMode mode, long most, Arena arena)
            throws IOException {
        long size = Math.min(channel.size(), most);
        try {
            return channel.map(mode, 0, size, arena);
        } catch (IOException e) {
            if (e.getCause() instanceof OutOfMemoryError) {
                throw new IOException(path + " cannot be mapped, " + size
                        + " bytes: the process has no address space left, or too many mappings (Linux: at most vm.max_map_count,"
                        + " 65,530 by default); raise that, or keep more in each file", e);
            }
            throw e;
        }
    }

    /**
     * Creates a file of zeros and reserves its space on the disk, so writing to its mapping cannot fail for lack of space. Neither the file
     * nor its name is durable yet.
     *
     * @param path of a file that does not exist
     * @param size bytes
     * @throws FileAlreadyExistsException if the file exists; it stays unchanged
     * @throws IOException                if the file cannot be created, for example because the disk is full; then there is no file
     */
    public static void create(Path path, long size) throws IOException {
        // Outside of the block that deletes the file: a file that existed before stays.
        Files.createFile(path);
        try {
            if (!allocate(path, size, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                Uninterrupted.run(() -> writeZeros(path, size));
            }
        } catch (Throwable e) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /**
     * Reserves the space on the disk that an existing file lacks because the program that copied it left out zeros. Afterwards, touching
     * its mapping cannot fail for lack of space. Does nothing if native access is denied or the file system cannot reserve.
     *
     * @param path of the file
     * @throws IOException if there is no space, or the file cannot be opened, or is {@linkplain #requireRegular no regular file}
     */
    public static void reserve(Path path) throws IOException {
        Object _ = requireRegular(path);
        if (Files.size(path) > 0) {
            allocate(path, Files.size(path), StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
    }

    private static boolean allocate(Path path, long size, StandardOpenOption... options) throws IOException {
        if (!NativeAccess.isEnabled()) {
            return false;
        }
        try (NativeFile file = Posix.open(path, options)) {
            Posix.fallocate(file, 0, size);
            return true;
        } catch (ErrnoException e) {
            // The errors of file systems that cannot reserve.
            if (e.name().equals("EOPNOTSUPP") || e.name().equals("ENOSYS") || e.name().equals("ENOTSUP")) {
                return false;
            }
            throw e;
        }
    }

    private static void writeZeros(Path path, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(CHUNK, size));
            for (long at = 0; at < size; at += zeros.position()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), size - at));
                while (zeros.hasRemaining()) {
                    channel.write(zeros, at + zeros.position());
                }
            }
        }
    }

    /**
     * Returns the path that the file was opened with.
     *
     * @return the path; the file may have another name now
     */
    public Path path() {
        return path;
    }

    /**
     * Returns whether the name still leads to this file, and the file still has the length that it was mapped with. If the file was
     * removed, replaced or cut off, stores to the mapping are lost or fail.
     *
     * @param name of the file now, which may differ from the name at the time of mapping
     * @return true if so; false also if the file system cannot tell
     */
    public boolean isAt(Path name) {
        try {
            BasicFileAttributes found = Files.readAttributes(name, BasicFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile() && Objects.equals(found.fileKey(), key)
                    && (isWhole ? found.size() == mapped.byteSize() : found.size() > mapped.byteSize());
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns the mapped bytes of the file.
     *
     * @return the memory; do not use it after {@link #close()}, which is not checked
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Lends a part of the file to code that may not stop using it in time.
     *
     * @param offset   of the first byte
     * @param size     bytes
     * @param lifetime when it is closed, every access to the part throws {@link IllegalStateException}
     * @return the part, read-only; a copy where native access is denied
     */
    public MemorySegment lend(long offset, long size, Arena lifetime) {
        Objects.checkFromIndexSize(offset, size, mapped.byteSize());
        if (NativeAccess.isEnabled()) {
            return NativeCalls.readOnlyView(memory.address() + offset, size, lifetime);
        }
        return lifetime.allocate(size, Long.BYTES).copyFrom(mapped.asSlice(offset, size)).asReadOnly();
    }

    /**
     * Does the same as {@link #lend}, for writing.
     *
     * @param offset   of the first byte
     * @param size     bytes
     * @param lifetime when it is closed, every access to the part throws {@link IllegalStateException}
     * @return the part; if native access is denied, it lives as long as this object
     */
    public MemorySegment lendWritable(long offset, long size, Arena lifetime) {
        Objects.checkFromIndexSize(offset, size, mapped.byteSize());
        return NativeAccess.isEnabled()
                ? NativeCalls.view(memory.address() + offset, size, lifetime)
                : mapped.asSlice(offset, size);
    }

    /**
     * Asks the kernel to bring this file into memory in pieces of 2 MB from now on, and to map each piece at once. So a file that is
     * written and read from beginning to end has fewer page faults, also when another process reads it. But {@link #force} writes whole
     * pieces to the device, even if little of a piece has changed. Does nothing if the operating system cannot do this, if its huge pages
     * have another size, or if native access is denied.
     */
    public void useHugePages() {
        // With larger pages, a huge page has up to 512 MB, and a single page fault would bring in all of it.
        if (!NativeAccess.isEnabled() || Libc.MACOS || mapped.byteSize() == 0 || Posix.pageSize() != SMALL_PAGE) {
            return;
        }
        try {
            Posix.madvise(mapped, Posix.Advice.HUGEPAGE, path);
            isHuge = true;
        } catch (IOException e) {
            // The kernel was built without huge pages.
            return;
        }
    }

    /**
     * Links the functions of {@link #useSmallPages} before its first call does: if memory or stack ran out during that call, the functions
     * could not be used again. Takes 5 ms, once. If linking fails, {@link #useSmallPages} does nothing.
     */
    public static void linkUseSmallPages() {
        if (NativeAccess.isEnabled() && !Libc.MACOS) {
            try {
                Libc.linkWriteBackAndDrop();
            } catch (LinkageError e) {
                // If huge pages stay, that only costs time.
                cannotUseSmallPages = true;
            }
        }
    }

    /**
     * Asks the kernel not to use {@linkplain #useHugePages huge pages} from now on, and to drop the huge pages within a range, which come
     * back as small pages. First writes the range to the device, which takes time. Other threads may use the file meanwhile; their changes
     * may stay in huge pages. Does nothing if there are no huge pages.
     *
     * @param path the name of the file now
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     * @return false if a page could not be written or dropped. Then drop nothing else of the file, because the next caller may not learn
     *         which pages the device lacks
     */
    public boolean useSmallPages(Path path, long from, long to) {
        long start = (from + PAGE - 1) / PAGE * PAGE;
        if (!NativeAccess.isEnabled() || Libc.MACOS || cannotUseSmallPages || start >= to) {
            return true;
        }
        // Opened anew: if this meets an error of the device, threads that wait for their writes to the mapping still get the error, too.
        try (NativeFile file = Posix.open(path, StandardOpenOption.READ)) {
            Posix.madvise(mapped, Posix.Advice.NOHUGEPAGE, path);
            // If the range does not begin at 0, the huge pages in front of it stay.
            isHuge = isHuge && start > 0;
            // The kernel drops only pages that are on the device and not mapped.
            Posix.writeBack(file, start, to - start);
            Posix.madvise(mapped.asSlice(start, to - start), Posix.Advice.DONTNEED, path);
            Posix.dropCached(file, start, to - start);
            return true;
        } catch (IOException e) {
            // The huge pages stay, which only costs time; or the kernel was built without them.
            return false;
        }
    }

    /**
     * Returns whether the kernel was asked for huge pages.
     *
     * @return whether {@link #useHugePages()} had an effect, and {@link #useSmallPages} was not called for the beginning of the file since
     *         then
     */
    public boolean usesHugePages() {
        return isHuge;
    }

    /**
     * Makes the pages of a range ready for writing, so no thread waits for a page fault later. The pages are dirty afterwards. Does nothing
     * if the operating system cannot do this or native access is denied.
     *
     * <p>As with any write to a page that is not ready, the kernel also brings the pages around it into memory, as many as its read-ahead
     * is set to, and may merge them into one large page. This is the fastest way for all pages together.
     *
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     */
    public void populate(long from, long to) {
        populate(from, to, false);
    }

    /**
     * Does the same as {@link #populate}, but brings each page into memory by itself. So the time of a call depends only on the range, and
     * {@link #force} writes only changed pages to the device. It would write all of a large page, even if a single byte had changed.
     *
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     */
    public void populateOneByOne(long from, long to) {
        populate(from, to, true);
    }

    /**
     * Brings the pages of a range into memory, for reading, so no thread waits for a page fault later.
     *
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     * @return true if the whole range can be read. False if a page cannot be read, because the file was cut off or the disk has failed.
     *         Also false if this is unknown: on an operating system without such a call (Linux before 5.14, macOS), or if native access is
     *         denied
     */
    public boolean populateForReading(long from, long to) {
        if (from >= to) {
            return true;
        }
        if (!NativeAccess.isEnabled() || Libc.MACOS) {
            return false;
        }
        long start = from / PAGE * PAGE;
        try {
            Posix.madvise(mapped.asSlice(start, to - start), Posix.Advice.POPULATE_READ, path);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void populate(long from, long to, boolean isOneByOne) {
        if (!NativeAccess.isEnabled() || Libc.MACOS || from >= to) {
            return;
        }
        long start = from / PAGE * PAGE;
        MemorySegment range = mapped.asSlice(start, to - start);
        try {
            if (isOneByOne) {
                // A page fault brings in the surrounding pages only if its page is not in memory yet.
                Posix.madvise(range, Posix.Advice.WILLNEED, path);
            }
            Posix.madvise(range, Posix.Advice.POPULATE_WRITE, path);
        } catch (IOException e) {
            // Linux before 5.14, or the disk is full and space could not be reserved: a thread that writes will find out.
            return;
        }
    }

    /**
     * Waits until the names in a directory are on the device. An interrupt does not make this fail.
     *
     * @param directory with changed entries
     * @throws IOException if the directory cannot be opened, or the entries may not be on the device
     */
    public static void forceDirectory(Path directory) throws IOException {
        if (NativeAccess.isEnabled()) {
            Posix.fsyncDirectory(directory);
            return;
        }
        // After an interrupt it is unknown whether the device has everything, so this repeats the call.
        Uninterrupted.run(() -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        });
    }

    /**
     * Waits until a range of the file is on the device. After an error the content of the range is in doubt, and calling again proves
     * nothing. On macOS this also flushes the device's own cache (F_FULLFSYNC), as msync does on Linux, unless native access is denied.
     *
     * @param from first byte
     * @param to   behind the last byte
     * @throws IOException if the range may not be on the device
     */
    public void force(long from, long to) throws IOException {
        if (from >= to) {
            return;
        }
        long page = PAGE;
        MemorySegment range = mapped.asSlice(from / page * page, to - from / page * page);
        if (NativeAccess.isEnabled()) {
            Posix.msync(range, path);
            if (flushed != null) {
                Posix.fdatasync(flushed);
            }
        } else {
            try {
                range.force();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            } catch (OutOfMemoryError | StackOverflowError e) {
                // The write may have failed, and the system does not report that again.
                throw WITHOUT_DETAILS;
            }
        }
    }

    /** Unmaps the file. */
    @Override
    public void close() {
        arena.close();
        if (flushed != null) {
            try {
                flushed.close();
            } catch (IOException e) {
                // Opened for reading: no written data depends on it.
                return;
            }
        }
    }

    /** A multiple of every page size that Linux and macOS have. */
    private static final long PAGE = 1 << 16;
}
