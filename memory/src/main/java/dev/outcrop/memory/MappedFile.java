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
 * A file that is mapped, whole or its beginning, and stays so until it is closed. Without native access it works too, but pages are not
 * prepared for writing, and what is lent is copied.
 *
 * <p>All methods are thread-safe. {@link #close()} is not safe against a use of {@link #memory()}: its owner makes sure that nobody
 * uses it any longer. What was {@linkplain #lend lent} counts as such a use.
 */
public final class MappedFile implements AutoCloseable {
    private static final int CHUNK = 1 << 20;
    private static final int MOST_ATTEMPTS = 3;
    /** Where pages have this size, huge ones have 2 MB. */
    private static final int SMALL_PAGE = 4096;
    /** What is thrown if there is neither memory nor stack for another one. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // that it is made before it is needed is what it is for
    private static final ErrnoException UNSAID = ErrnoException.unsaid();
    private static volatile boolean cannotUseSmallPages;

    private final Path path;
    /** Which file it is, whatever its name; null where the file system does not tell. */
    private final @Nullable Object key;
    /** Whether it is mapped from beginning to end. */
    private final boolean isWhole;
    private final Arena arena;
    private final MemorySegment mapped;
    private final MemorySegment memory;
    /** On macOS, where msync leaves what it writes in the device's own cache: to have that flushed. */
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
        // Without a lifetime of its own it costs no check, and takes no part in the shared counter that calls into the JDK increment.
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
     * @return which file it is; null where the file system does not tell
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

    /** Returns null if the path led to another file when it had been opened: an overlay copies a file when it is first opened for writing. */
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
     * Creates a file of zeros that has its space on the disk, so that writing to its mapping cannot fail for lack of it. It is not
     * durable yet, nor is its name.
     *
     * @param path of a file that does not exist
     * @param size bytes
     * @throws FileAlreadyExistsException if there is such a file, which stays as it is
     * @throws IOException                if it cannot be made, in particular because the disk is full; then there is no file
     */
    public static void create(Path path, long size) throws IOException {
        // Outside of what deletes it again: a file that was there before is somebody else's.
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
     * Reserves the space on the disk that an existing file has not got, because it was copied by a program that leaves out zeros: then
     * touching its mapping cannot fail for lack of it. Does nothing where native access is denied or the file system cannot reserve.
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
            // A file system that cannot reserve; these are the ways of saying so.
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
     * Which file it is.
     *
     * @return the path it was opened with; the file may have another name by now
     */
    public Path path() {
        return path;
    }

    /**
     * Whether the name still leads to this file, and the file has the length that it was mapped with. If the file was removed, replaced or
     * cut off, stores to the mapping get lost or fail.
     *
     * @param name that the file has now; it may have been mapped under another one
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
     * The file's bytes, as far as they are mapped.
     *
     * @return memory that must not be used any more once {@link #close()} was called, which nobody checks
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Shows a part of the file to somebody who cannot be trusted to stop in time.
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
     * Asks the kernel to keep what it brings into memory of this file from now on in pieces of 2 MB, each of which it maps at once. So a
     * file that is written and read from beginning to end has fewer page faults, also when another process reads it. {@link #force} writes
     * whole pieces to the device, however little of one has changed. Does nothing where the operating system cannot or has huge pages of
     * another size, or native access is denied.
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
     * Links what {@link #useSmallPages} calls, which its first caller would do otherwise: if there is no memory or stack for it then, the
     * calls cannot be used any more. Takes 5 ms, once. If it fails, {@link #useSmallPages} does nothing.
     */
    public static void linkUseSmallPages() {
        if (NativeAccess.isEnabled() && !Libc.MACOS) {
            try {
                Libc.linkWriteBackAndDrop();
            } catch (LinkageError e) {
                // It costs nothing but time if huge pages stay.
                cannotUseSmallPages = true;
            }
        }
    }

    /**
     * Asks the kernel for no {@linkplain #useHugePages huge pages} from now on, and to drop those in a range, which come back in small pages:
     * those that lie in it as a whole. They are written to the device before, which takes time. Others may use the file meanwhile; what they
     * change at that time may stay in huge pages. Does nothing where there are none.
     *
     * @param path the name that the file has now
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     * @return false if something could not be written or dropped: then nothing else of the file is to be dropped, because who does that next
     *         may not be told what the device does not have
     */
    public boolean useSmallPages(Path path, long from, long to) {
        long start = (from + PAGE - 1) / PAGE * PAGE;
        if (!NativeAccess.isEnabled() || Libc.MACOS || cannotUseSmallPages || start >= to) {
            return true;
        }
        // Opened anew: an error of the device that this meets is still told to those who wait for what they have written through the mapping.
        try (NativeFile file = Posix.open(path, StandardOpenOption.READ)) {
            Posix.madvise(mapped, Posix.Advice.NOHUGEPAGE, path);
            // Otherwise those in front stay.
            isHuge = isHuge && start > 0;
            // Only what is on the device and not mapped is dropped.
            Posix.writeBack(file, start, to - start);
            Posix.madvise(mapped.asSlice(start, to - start), Posix.Advice.DONTNEED, path);
            Posix.dropCached(file, start, to - start);
            return true;
        } catch (IOException e) {
            // They stay, which costs nothing but time; or the kernel was built without them.
            return false;
        }
    }

    /**
     * Whether the kernel was asked to.
     *
     * @return whether {@link #useHugePages()} was called and did something, and {@link #useSmallPages} was not called for the beginning since
     */
    public boolean usesHugePages() {
        return isHuge;
    }

    /**
     * Makes the pages of a range ready for writing, so that nobody waits for a page fault later. They are dirty afterwards. Does nothing
     * where the operating system cannot or native access is denied.
     *
     * <p>As where somebody writes to a page that is not ready, the kernel brings pages around it into memory too, as many as it is set to
     * read ahead, and may make one large page of many. That is fastest for all of them together.
     *
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     */
    public void populate(long from, long to) {
        populate(from, to, false);
    }

    /**
     * As {@link #populate}, but brings each page into memory by itself. So a call takes a time that depends on the range only, and
     * {@link #force} writes to the device what was changed: of a large page it writes all, although only a byte of it was.
     *
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     */
    public void populateOneByOne(long from, long to) {
        populate(from, to, true);
    }

    /**
     * Brings the pages of a range into memory, for reading, so that nobody waits for a page fault later.
     *
     * @param from the first byte
     * @param to   behind the last byte; at most the file's size
     * @return whether all of it can be read. False where one page cannot, because the file is shorter than it was or the disk has failed, and
     *         also where nobody knows: on an operating system that has no such call (Linux before 5.14, macOS), or if native access is denied
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
                // A fault brings in those around only where a page is not in memory yet.
                Posix.madvise(range, Posix.Advice.WILLNEED, path);
            }
            Posix.madvise(range, Posix.Advice.POPULATE_WRITE, path);
        } catch (IOException e) {
            // Older than Linux 5.14, or the disk is full where space could not be reserved: a thread that writes will find out.
            return;
        }
    }

    /**
     * Waits until the names in a directory are on the device. An interrupt waits, too: it does not make this fail.
     *
     * @param directory whose entries have changed
     * @throws IOException if it cannot be opened, or the entries may not be on the device
     */
    public static void forceDirectory(Path directory) throws IOException {
        if (NativeAccess.isEnabled()) {
            Posix.fsyncDirectory(directory);
            return;
        }
        // If it is interrupted, whether the device has all of it is unknown, so once more.
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
                // Perhaps it has failed, and that could not be said: the system does not say it again.
                throw UNSAID;
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
                // Opened for reading: nothing that was written depends on it.
                return;
            }
        }
    }

    /** A multiple of every page size that Linux and macOS have. */
    private static final long PAGE = 1 << 16;
}
