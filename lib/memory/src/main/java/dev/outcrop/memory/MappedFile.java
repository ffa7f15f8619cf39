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
 * A file, or its beginning, that is mapped until it is closed. Without native access it works too, but pages are not prepared for writing,
 * and lent parts are copies.
 *
 * <p>All methods are thread-safe. {@link #close()} is not safe against a use of {@link #memory()}: its owner makes sure that it is no
 * longer used. A part that was {@linkplain #lend lent} counts as such a use.
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
    /** Identifies the file, whatever its name; null if the file system does not tell. */
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
        // Without a lifetime of its own it costs no check, and does not take part in the shared counter that calls into the JDK increment.
        this.memory = NativeAccess.isEnabled() && mapped.byteSize() > 0
                ? NativeCalls.view(mapped.address(), mapped.byteSize())
                : mapped;
    }

    /**
     * Maps an existing file for reading and writing.
     *
     * @param path of the file
     * @return all of it, to be closed by the caller
     * @throws IOException if it cannot be opened or mapped, or is {@linkplain #requireRegular no regular file}
     */
    public static MappedFile open(Path path) throws IOException {
        return open(path, Long.MAX_VALUE);
    }

    /**
     * Maps the beginning of an existing file for reading and writing.
     *
     * @param path of the file
     * @param most how many bytes of it at most
     * @return the beginning, to be closed by the caller
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
     * @return all of it, to be closed by the caller
     * @throws IOException if it cannot be opened or mapped
     */
    public static MappedFile openReadOnly(Path path) throws IOException {
        return openReadOnly(path, Long.MAX_VALUE);
    }

    /**
     * Maps the beginning of an existing file for reading.
     *
     * @param path of the file
     * @param most how many bytes of it at most
     * @return the beginning, to be closed by the caller
     * @throws IOException if it cannot be opened or mapped
     */
    public static MappedFile openReadOnly(Path path, long most) throws IOException {
        return map(path, most, FileChannel.MapMode.READ_ONLY, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Refuses all but regular files. Opening a FIFO waits for another process, opening a device may do anything, and a write through a
     * symbolic link changes a file somewhere else.
     *
     * @param path that is to be opened
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
            throw new IOException(path + " is no regular file but " + what + ". Move it to another place");
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

    /** Returns null if the path led to another file after opening: an overlay copies a file when it is first opened for writing. */
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
            // Opened now, because the file may get another name.
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
     * Creates a file of zeros that has its space on the disk, so writing to its mapping cannot fail for lack of space. Neither the file nor
     * its name is durable yet.
     *
     * @param path of a file that does not exist
     * @param size bytes
     * @throws FileAlreadyExistsException if there is such a file, which stays as it is
     * @throws IOException                if it cannot be made, in particular because the disk is full; then there is no file
     */
    public static void create(Path path, long size) throws IOException {
        // Outside of the block that deletes it: a file that existed before stays.
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
     * Reserves the space on the disk that an existing file lacks, because the program that copied it left out zeros; then touching its
     * mapping cannot fail for lack of space. Does nothing where native access is denied or the file system cannot reserve.
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
     * @return the file may have another name by now
     */
    public Path path() {
        return path;
    }

    /**
     * Returns whether the name still leads to this file, and the file has the length that it was mapped with. If the file was removed,
     * replaced or cut off, stores to the mapping get lost or fail.
     *
     * @param name of the file now; it may have been mapped under another one
     * @return false also if the file system cannot tell
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
     * @return memory that must not be used after {@link #close()}, which is not checked
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
     * As {@link #lend}, for writing.
     *
     * @param offset   of the first byte
     * @param size     bytes
     * @param lifetime when it is closed, every access to the part throws {@link IllegalStateException}
     * @return the part; where native access is denied it lives as long as this file does
     */
    public MemorySegment lendWritable(long offset, long size, Arena lifetime) {
        Objects.checkFromIndexSize(offset, size, mapped.byteSize());
        return NativeAccess.isEnabled()
                ? NativeCalls.view(memory.address() + offset, size, lifetime)
                : mapped.asSlice(offset, size);
    }

    /**
     * Asks the kernel to bring this file into memory in pieces of 2 MB from now on, each of which it maps at once. So a file that is written
     * and read from beginning to end has fewer page faults, also when another process reads it. {@link #force} writes whole pieces to the
     * device, however little of one has changed. Does nothing where the operating system cannot or has huge pages of another size, or
     * native access is denied.
     */
    public void useHugePages() {
        // Of larger pages a huge one has up to 512 MB, which a single page fault would bring in.
        if (!NativeAccess.isEnabled() || Libc.MACOS || mapped.byteSize() == 0 || Posix.pageSize() != SMALL_PAGE) {
            return;
        }
        try {
            Posix.madvise(mapped, Posix.Advice.HUGEPAGE, path);
            isHuge = true;
        } catch (IOException e) {
            // A kernel that was built without them.
            return;
        }
    }

    /**
     * Links the functions of {@link #useSmallPages}, which its first call would do otherwise: if memory or stack has run out then, they cannot
     * be used again. Takes 5 ms, once. If it fails, {@link #useSmallPages} does nothing.
     */
    public static void linkUseSmallPages() {
        if (NativeAccess.isEnabled() && !Libc.MACOS) {
            try {
                Libc.linkWriteBackAndDrop();
            } catch (LinkageError e) {
                // Huge pages that stay only cost time.
                cannotUseSmallPages = true;
            }
        }
    }

    /**
     * Asks the kernel for no {@linkplain #useHugePages huge pages} from now on, and to drop those that lie within a range, which come back as
     * small pages. They are written to the device before, which takes time. Other threads may use the file meanwhile; their changes may stay
     * in huge pages. Does nothing if there are none.
     *
     * @param path the name of the file now
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     * @return false if a page could not be written or dropped: then nothing else of the file may be dropped, because the next caller may not
     *         learn what the device lacks
     */
    public boolean useSmallPages(Path path, long from, long to) {
        long start = (from + PAGE - 1) / PAGE * PAGE;
        if (!NativeAccess.isEnabled() || Libc.MACOS || cannotUseSmallPages || start >= to) {
            return true;
        }
        // Opened anew: an error of the device that this meets is still reported to threads that wait for their writes to the mapping.
        try (NativeFile file = Posix.open(path, StandardOpenOption.READ)) {
            Posix.madvise(mapped, Posix.Advice.NOHUGEPAGE, path);
            // Otherwise the pages in front stay.
            isHuge = isHuge && start > 0;
            // The kernel drops only pages that are on the device and not mapped.
            Posix.writeBack(file, start, to - start);
            Posix.madvise(mapped.asSlice(start, to - start), Posix.Advice.DONTNEED, path);
            Posix.dropCached(file, start, to - start);
            return true;
        } catch (IOException e) {
            // The pages stay, which only costs time; or the kernel was built without them.
            return false;
        }
    }

    /**
     * Returns whether the kernel was asked for huge pages.
     *
     * @return whether {@link #useHugePages()} had an effect, and {@link #useSmallPages} was not called for the beginning since
     */
    public boolean usesHugePages() {
        return isHuge;
    }

    /**
     * Makes the pages of a range ready for writing, so no thread waits for a page fault later. They are dirty afterwards. Does nothing where
     * the operating system cannot or native access is denied.
     *
     * <p>As for any write to a page that is not ready, the kernel brings pages around it into memory too, as many as it is set to read ahead,
     * and may make one large page of many. That is fastest for all of them together.
     *
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     */
    public void populate(long from, long to) {
        populate(from, to, false);
    }

    /**
     * As {@link #populate}, but brings each page into memory by itself. So the time of a call depends on the range only, and {@link #force}
     * writes only changed pages to the device: of a large page it writes all, even if a single byte has changed.
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
     * @return whether all of it can be read. False if a page cannot, because the file is shorter than it was or the disk has failed, and also
     *         if that is unknown: on an operating system without such a call (Linux before 5.14, macOS), or if native access is denied
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
                // A fault brings in the pages around only if the page is not in memory yet.
                Posix.madvise(range, Posix.Advice.WILLNEED, path);
            }
            Posix.madvise(range, Posix.Advice.POPULATE_WRITE, path);
        } catch (IOException e) {
            // Linux before 5.14, or the disk is full where space could not be reserved: a thread that writes will find out.
            return;
        }
    }

    /**
     * Waits until the names in a directory are on the device. An interrupt does not make this fail.
     *
     * @param directory with changed entries
     * @throws IOException if it cannot be opened, or the entries may not be on the device
     */
    public static void forceDirectory(Path directory) throws IOException {
        if (NativeAccess.isEnabled()) {
            Posix.fsyncDirectory(directory);
            return;
        }
        // After an interrupt it is unknown whether the device has everything, so once more.
        Uninterrupted.run(() -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        });
    }

    /**
     * Waits until a range of the file is on the device. After an error its content is in doubt, and calling again proves nothing. On macOS
     * the device's own cache is flushed too (F_FULLFSYNC), as msync does on Linux; not where native access is denied.
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
                // It may have failed, which the system does not report again.
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
