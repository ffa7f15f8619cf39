package dev.outcrop.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * Calls of the operating system on files and on mapped files that the JDK does not offer, or whose errors it hides.
 * They run on Linux and macOS and allocate nothing unless they fail. A failed call throws an {@link ErrnoException} that names the call,
 * the file and the error. A call is repeated after EINTR only where that is safe.
 *
 * <p>All methods are thread-safe, block for as long as the system call does, and throw {@link IllegalStateException} if
 * the JVM was started without native access for Outcrop, or if a file or segment that they are given is closed.
 */
public final class Posix {
    private static final int EINTR = 4;
    private static final int O_WRONLY = 1;
    private static final int O_RDWR = 2;
    private static final int O_CREAT = Libc.MACOS ? 0x200 : 0x40;
    private static final int O_EXCL = Libc.MACOS ? 0x800 : 0x80;
    private static final int O_TRUNC = Libc.MACOS ? 0x400 : 0x200;
    private static final int O_CLOEXEC = Libc.MACOS ? 0x1000000 : 0x80000;
    private static final int MODE = 0666;
    private static final int MS_SYNC = Libc.MACOS ? 0x10 : 4;
    private static final int SEEK_END = 2;
    private static final int SEEK_DATA = Libc.MACOS ? 4 : 3;
    private static final int LOCK_EX_NB = 2 | 4;
    /** Darwin's fcntl commands and the layout of the struct {@code fstore_t}, from {@code sys/fcntl.h}. */
    private static final int F_PREALLOCATE = 42;
    private static final int F_FULLFSYNC = 51;
    private static final int F_ALLOCATEALL = 4;
    private static final int F_PEOFPOSMODE = 3;
    private static final int FSTORE_BYTES = 32;
    /** Waits for writes in progress, writes changed pages, and waits for them. */
    private static final int SYNC_FILE_RANGE_WRITE_AND_WAIT = 7;
    /** From the kernel's {@code uapi/linux/fadvise.h}. */
    private static final int FADV_DONTNEED = System.getProperty("os.arch").equals("s390x") ? 6 : 4;

    private static final List<StandardOpenOption> OPTIONS = List.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
            StandardOpenOption.CREATE, StandardOpenOption.CREATE_NEW, StandardOpenOption.TRUNCATE_EXISTING);
    /** Thrown if no memory or stack is left for another exception. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // it must be made before it is needed
    private static final ErrnoException WITHOUT_DETAILS = ErrnoException.withoutDetails();

    private Posix() {
    }

    /** Advice to the kernel about a mapped range, for {@link #madvise}. */
    public enum Advice {
        /** No special treatment. */
        NORMAL(0, 0),
        /** Read-ahead is no use. */
        RANDOM(1, 1),
        /** Read ahead far, and forget soon what was read. */
        SEQUENTIAL(2, 2),
        /** Start reading now, without waiting for it. */
        WILLNEED(3, 3),
        /** Give the pages back; writes to a shared mapping stay, writes to a private mapping are lost. */
        DONTNEED(4, 4),
        /** Use huge pages where the file system can. Linux only. */
        HUGEPAGE(14, -1),
        /** Use no huge pages from now on. Linux only. */
        NOHUGEPAGE(15, -1),
        /** Read and map all pages before returning. Linux 5.14 and newer only. */
        POPULATE_READ(22, -1),
        /** Make all pages ready for writing before returning, which makes them dirty. Linux 5.14 and newer only. */
        POPULATE_WRITE(23, -1);

        private final int linux;
        private final int macos;

        Advice(int linux, int macos) {
            this.linux = linux;
            this.macos = macos;
        }
    }

    /**
     * Opens a file, or a directory for reading.
     *
     * @param path    of the default file system
     * @param options READ, WRITE, CREATE, CREATE_NEW and TRUNCATE_EXISTING, with the meaning they have for
     *                {@link java.nio.channels.FileChannel#open(Path, java.nio.file.OpenOption...)}
     * @return the open file, which the caller must close
     * @throws ErrnoException                if it cannot be opened
     * @throws UnsupportedOperationException for other options and other file systems
     */
    public static NativeFile open(Path path, StandardOpenOption... options) throws IOException {
        int flags = flags(Arrays.asList(options));
        byte[] name = PathBytes.of(path);
        try (Scratch scratch = Scratch.openForOutcrop()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            MemorySegment cName = scratch.allocate(name.length + 1, 1);
            cName.fill((byte) 0).copyFrom(MemorySegment.ofArray(name));
            int fd;
            do {
                fd = Libc.open(state, cName, flags, MODE);
            } while (fd == -1 && Libc.errno(state) == EINTR);
            if (fd == -1) {
                throw failure("open", path, Libc.errno(state));
            }
            return new NativeFile(fd, path);
        }
    }

    /**
     * Takes an exclusive lock on a file (flock). The system releases the lock when the file is closed. The lock belongs to this opening of
     * the file: closing another opening does not release it, unlike the locks of {@link java.nio.channels.FileChannel#tryLock()}. The two
     * kinds of locks do not see each other.
     *
     * @param file the file to lock
     * @return true if this opening has the lock now; false if another opening of the file has it
     * @throws ErrnoException if the call fails, for example because the file system cannot lock
     */
    public static boolean tryLock(NativeFile file) throws IOException {
        try (Scratch scratch = file.enter()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            int result;
            do {
                result = Libc.flock(state, file.fd(), LOCK_EX_NB);
            } while (result == -1 && Libc.errno(state) == EINTR);
            if (result == 0) {
                return true;
            }
            ErrnoException failure = failure("flock", file.path(), Libc.errno(state));
            if (failure.name().equals("EAGAIN")) {
                return false;
            }
            throw failure;
        }
    }

    /**
     * Finds the next data behind a hole. A hole is a range that was never written: it takes no space, and reads as zeros.
     *
     * @param file the file to search
     * @param from first position
     * @return the next position that may hold data; -1 if there is none
     */
    public static long nextData(NativeFile file, long from) {
        try (Scratch scratch = file.enter()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            long found = Libc.lseek(state, file.fd(), from, SEEK_DATA);
            if (found >= 0) {
                return found;
            }
            ErrnoException failure = failure("lseek", file.path(), Libc.errno(state));
            // ENXIO: there is no more data. Otherwise the file system does not know.
            return failure.name().equals("ENXIO") ? -1 : from;
        }
    }

    /**
     * Reserves disk space for a range of a file, so writing there cannot fail for lack of space, and makes the file
     * longer if the range ends behind its end. New parts read as zeros.
     *
     * <p>On macOS, which knows no ranges, space is reserved from the file's end up to the end of the range
     * (F_PREALLOCATE).
     *
     * @param file   open for writing
     * @param offset first byte of the range
     * @param length bytes, more than 0
     * @throws ErrnoException ENOSPC if there is too little space; EOPNOTSUPP if the file system cannot reserve any
     */
    public static void fallocate(NativeFile file, long offset, long length) throws IOException {
        try (Scratch scratch = file.enter()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            if (Libc.MACOS) {
                preallocate(scratch, state, file, offset, length);
                return;
            }
            int result;
            do {
                result = Libc.fallocate(state, file.fd(), 0, offset, length);
            } while (result == -1 && Libc.errno(state) == EINTR);
            check(result, "fallocate", file.path(), state);
        }
    }

    /**
     * Waits until a file's content, and the attributes needed to read it, are on the device. On macOS this also flushes the device's own
     * cache (F_FULLFSYNC), as fdatasync does on Linux. After an error the content is in doubt: calling again proves nothing, because the
     * kernel may have dropped the pages it could not write.
     *
     * @param file the file to write to the device
     * @throws ErrnoException if the content may not be on the device
     */
    public static void fdatasync(NativeFile file) throws IOException {
        try (Scratch scratch = file.enter()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            if (Libc.MACOS) {
                fullFsync(state, file);
            } else {
                check(Libc.fdatasync(state, file.fd()), "fdatasync", file.path(), state);
            }
        }
    }

    /**
     * Does the same as {@link #fdatasync}, and waits for all attributes of the file too.
     *
     * @param file the file to write to the device
     * @throws ErrnoException if the content or the attributes may not be on the device
     */
    public static void fsync(NativeFile file) throws IOException {
        try (Scratch scratch = file.enter()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            if (Libc.MACOS) {
                fullFsync(state, file);
            } else {
                check(Libc.fsync(state, file.fd()), "fsync", file.path(), state);
            }
        }
    }

    /**
     * Waits until the entries of a directory are on the device. Only then is the creation, renaming or deletion of a file durable.
     *
     * @param directory with changed entries
     * @throws ErrnoException if it cannot be opened, or the entries may not be on the device
     */
    public static void fsyncDirectory(Path directory) throws IOException {
        NativeFile file = open(directory, StandardOpenOption.READ);
        boolean isDone = false;
        try {
            fsync(file);
            isDone = true;
        } finally {
            close(file, isDone);
        }
    }

    /** Closes a file. Try-with-resources needs memory to add a second failure to the first one. Without memory it would throw neither. */
    private static void close(NativeFile file, boolean isFailureTold) throws IOException {
        try {
            file.close();
        } catch (IOException | Error e) {
            if (isFailureTold) {
                throw e;
            }
        }
    }

    /**
     * Waits until a range of a mapped file is on the device. Unlike {@link MemorySegment#force()} it reports when that
     * fails. On macOS this does not flush the device's own cache: call {@link #fdatasync} afterwards for that.
     *
     * @param mapped a segment that {@link java.nio.channels.FileChannel#map} made, or a slice of one, which starts at a
     *               multiple of the page size
     * @param path   the mapped file, for messages
     * @throws ErrnoException           if the range may not be on the device
     * @throws IllegalArgumentException if the segment is not mapped
     */
    public static void msync(MemorySegment mapped, Path path) throws IOException {
        requireMapped(mapped, "msync");
        try (Scratch scratch = Scratch.openForOutcrop()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            check(Libc.msync(state, mapped, mapped.byteSize(), MS_SYNC), "msync", path, state);
        }
    }

    /**
     * Advises the kernel about the use of a mapped file.
     *
     * @param mapped a segment that {@link java.nio.channels.FileChannel#map} made, or a slice of one, which starts at a
     *               multiple of the page size; the advice is for all of its pages
     * @param advice for the range
     * @param path   the mapped file, for messages
     * @throws ErrnoException                if the kernel refuses; EFAULT from POPULATE_WRITE can mean that the disk is
     *                                       full
     * @throws IllegalArgumentException      if the segment is not mapped
     * @throws UnsupportedOperationException if this operating system has no such advice
     */
    public static void madvise(MemorySegment mapped, Advice advice, Path path) throws IOException {
        requireMapped(mapped, "madvise");
        int value = Libc.MACOS ? advice.macos : advice.linux;
        if (value == -1) {
            throw new UnsupportedOperationException(
                    "madvise(" + advice + ") is not available on " + System.getProperty("os.name"));
        }
        try (Scratch scratch = Scratch.openForOutcrop()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            if (Libc.madvise(state, mapped, mapped.byteSize(), value) != 0) {
                throw failure("madvise(" + advice + ")", path, Libc.errno(state));
            }
        }
    }

    /**
     * Waits until the kernel has handed the changed pages of a range to the device. The pages are not durable: the device may still have
     * them in its own cache, and may not know their place in the file. Linux only.
     *
     * @param file   open
     * @param offset first byte of the range
     * @param length bytes; 0 for all up to the end
     * @throws ErrnoException                if a page could not be written
     * @throws UnsupportedOperationException if this operating system has no such call
     */
    public static void writeBack(NativeFile file, long offset, long length) throws IOException {
        requireLinux("sync_file_range");
        try (Scratch scratch = file.enter()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            check(Libc.syncFileRange(state, file.fd(), offset, length, SYNC_FILE_RANGE_WRITE_AND_WAIT),
                    "sync_file_range", file.path(), state);
        }
    }

    private static void requireLinux(String call) {
        if (Libc.MACOS) {
            throw new UnsupportedOperationException(call + " is not available on " + System.getProperty("os.name"));
        }
    }

    /**
     * Asks the kernel to drop the pages of a range from memory. It keeps mapped pages, and changed pages that are not on the device yet.
     * Linux only.
     *
     * @param file   open
     * @param offset first byte of the range
     * @param length bytes; 0 for all up to the end
     * @throws ErrnoException                if the kernel refuses, for example because this is not a file
     * @throws UnsupportedOperationException if this operating system has no such call
     */
    public static void dropCached(NativeFile file, long offset, long length) throws IOException {
        requireLinux("posix_fadvise");
        try (Scratch scratch = file.enter()) {
            int error = Libc.posixFadvise(Libc.errnoMemory(scratch), file.fd(), offset, length, FADV_DONTNEED);
            if (error != 0) {
                throw failure("posix_fadvise", file.path(), error);
            }
        }
    }

    /**
     * Returns the size of a page of virtual memory.
     *
     * @return bytes, a power of two
     */
    public static long pageSize() {
        return PageSize.BYTES;
    }

    /** Returns the id of the user that this process runs as. */
    static int userId() {
        return Libc.geteuid();
    }

    /** Flushes the file with F_FULLFSYNC, or with fsync on macOS file systems that lack F_FULLFSYNC. */
    private static void fullFsync(MemorySegment state, NativeFile file) throws IOException {
        if (Libc.fcntl(state, file.fd(), F_FULLFSYNC, MemorySegment.NULL) == 0) {
            return;
        }
        ErrnoException failure = failure("fcntl(F_FULLFSYNC)", file.path(), Libc.errno(state));
        if (!failure.name().equals("ENOTSUP") && !failure.name().equals("EINVAL")) {
            throw failure;
        }
        check(Libc.fsync(state, file.fd()), "fsync", file.path(), state);
    }

    /** Does the work of fallocate as far as macOS can: reserves behind the end of the file, then moves the end. */
    private static void preallocate(Scratch scratch, MemorySegment state, NativeFile file, long offset, long length)
            throws IOException {
        long size = Libc.lseek(state, file.fd(), 0, SEEK_END);
        check(size == -1 ? -1 : 0, "lseek", file.path(), state);
        long end = Math.addExact(offset, length);
        if (end <= size) {
            return;
        }
        // struct fstore { uint32 flags; int32 posmode; int64 offset; int64 length; int64 bytesalloc; }
        MemorySegment request = scratch.allocate(FSTORE_BYTES, 8).fill((byte) 0);
        request.set(JAVA_INT, 0, F_ALLOCATEALL);
        request.set(JAVA_INT, 4, F_PEOFPOSMODE);
        request.set(JAVA_LONG, 16, end - size);
        check(Libc.fcntl(state, file.fd(), F_PREALLOCATE, request), "fcntl(F_PREALLOCATE)", file.path(), state);
        check(Libc.ftruncate(state, file.fd(), end), "ftruncate", file.path(), state);
    }

    private static int flags(List<StandardOpenOption> options) {
        for (StandardOpenOption option : options) {
            if (!OPTIONS.contains(option)) {
                throw new UnsupportedOperationException(
                        "Cannot open a file with " + option + "; only " + OPTIONS + " are supported");
            }
        }
        if (!options.contains(StandardOpenOption.WRITE)) {
            return O_CLOEXEC;
        }
        int flags = O_CLOEXEC | (options.contains(StandardOpenOption.READ) ? O_RDWR : O_WRONLY);
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            return flags | O_CREAT | O_EXCL;
        }
        return flags | (options.contains(StandardOpenOption.CREATE) ? O_CREAT : 0)
                | (options.contains(StandardOpenOption.TRUNCATE_EXISTING) ? O_TRUNC : 0);
    }

    /** Refuses memory that is not a mapped file: dropping its pages would take memory from malloc or the heap. */
    private static void requireMapped(MemorySegment segment, String call) {
        if (!segment.isMapped()) {
            throw new IllegalArgumentException(call + " needs a segment made by FileChannel.map, not " + segment);
        }
    }

    private static void check(int result, String call, Path path, MemorySegment state) throws ErrnoException {
        if (result != 0) {
            throw failure(call, path, Libc.errno(state));
        }
    }

    private static ErrnoException failure(String call, Path path, int errno) {
        try {
            return new ErrnoException(call, path, errno);
        } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
            // The system reports only once that it could not write a file, so the report must not get lost.
            return WITHOUT_DETAILS;
        }
    }

    private static final class PageSize {
        static final long BYTES = Libc.getpagesize();
    }
}
