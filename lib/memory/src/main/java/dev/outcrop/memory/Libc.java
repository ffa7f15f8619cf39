package dev.outcrop.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the C library that {@link Posix} calls, as they are in C: they return -1 on failure and leave errno in their first
 * argument, which comes from {@link #errnoMemory}. Each function has its own holder class, so a system may lack functions that are never
 * called.
 */
final class Libc {
    static final boolean MACOS = Platform.os(System.getProperty("os.name")).equals("macos");

    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private Libc() {
    }

    /** Returns memory for errno: a segment that exists already, so no object is made. */
    static MemorySegment errnoMemory(Scratch scratch) {
        return scratch.firstArea();
    }

    static int errno(MemorySegment state) {
        return state.get(JAVA_INT, ERRNO_OFFSET);
    }

    static int open(MemorySegment state, MemorySegment path, int flags, int mode) {
        try {
            return (int) Open.HANDLE.invokeExact(state, path, flags, mode);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int close(MemorySegment state, int fd) {
        try {
            return (int) Close.HANDLE.invokeExact(state, fd);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int fallocate(MemorySegment state, int fd, int mode, long offset, long length) {
        try {
            return (int) Fallocate.HANDLE.invokeExact(state, fd, mode, offset, length);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int ftruncate(MemorySegment state, int fd, long length) {
        try {
            return (int) Ftruncate.HANDLE.invokeExact(state, fd, length);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static long lseek(MemorySegment state, int fd, long offset, int whence) {
        try {
            return (long) Lseek.HANDLE.invokeExact(state, fd, offset, whence);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int flock(MemorySegment state, int fd, int operation) {
        try {
            return (int) Flock.HANDLE.invokeExact(state, fd, operation);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int fsync(MemorySegment state, int fd) {
        try {
            return (int) Fsync.HANDLE.invokeExact(state, fd);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int fdatasync(MemorySegment state, int fd) {
        try {
            return (int) Fdatasync.HANDLE.invokeExact(state, fd);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int fcntl(MemorySegment state, int fd, int command, MemorySegment argument) {
        try {
            return (int) Fcntl.HANDLE.invokeExact(state, fd, command, argument);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int madvise(MemorySegment state, MemorySegment range, long length, int advice) {
        try {
            return (int) Madvise.HANDLE.invokeExact(state, range, length, advice);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int syncFileRange(MemorySegment state, int fd, long offset, long length, int flags) {
        try {
            return (int) SyncFileRange.HANDLE.invokeExact(state, fd, offset, length, flags);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    /** Returns the error number instead of -1, and does not set errno. */
    static int posixFadvise(MemorySegment state, int fd, long offset, long length, int advice) {
        try {
            return (int) PosixFadvise.HANDLE.invokeExact(state, fd, offset, length, advice);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    /** Links {@link #syncFileRange} and {@link #posixFadvise}, as their first call would. */
    static void linkWriteBackAndDrop() {
        MethodHandle _ = SyncFileRange.HANDLE;
        MethodHandle _ = PosixFadvise.HANDLE;
    }

    static int msync(MemorySegment state, MemorySegment range, long length, int flags) {
        try {
            return (int) Msync.HANDLE.invokeExact(state, range, length, flags);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int geteuid() {
        try {
            return (int) Geteuid.HANDLE.invokeExact();
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    static int getpagesize() {
        try {
            return (int) Getpagesize.HANDLE.invokeExact();
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    private static MethodHandle link(String name, MemoryLayout result, MemoryLayout... arguments) {
        return NativeCalls.linkLibc(name, FunctionDescriptor.of(result, arguments), ERRNO);
    }

    private static final class Open {
        // The mode is a variadic argument, which is passed differently on macOS.
        static final MethodHandle HANDLE = NativeCalls.linkLibc("open",
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), ERRNO, Linker.Option.firstVariadicArg(2));
    }

    private static final class Close {
        static final MethodHandle HANDLE = link("close", JAVA_INT, JAVA_INT);
    }

    private static final class Fallocate {
        static final MethodHandle HANDLE = link("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    }

    private static final class SyncFileRange {
        static final MethodHandle HANDLE = link("sync_file_range", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    }

    private static final class PosixFadvise {
        static final MethodHandle HANDLE = link("posix_fadvise", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    }

    private static final class Ftruncate {
        static final MethodHandle HANDLE = link("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    }

    private static final class Lseek {
        static final MethodHandle HANDLE = link("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    }

    private static final class Flock {
        static final MethodHandle HANDLE = link("flock", JAVA_INT, JAVA_INT, JAVA_INT);
    }

    private static final class Fsync {
        static final MethodHandle HANDLE = link("fsync", JAVA_INT, JAVA_INT);
    }

    private static final class Fdatasync {
        static final MethodHandle HANDLE = link("fdatasync", JAVA_INT, JAVA_INT);
    }

    private static final class Fcntl {
        static final MethodHandle HANDLE = NativeCalls.linkLibc("fcntl",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS), ERRNO, Linker.Option.firstVariadicArg(2));
    }

    private static final class Madvise {
        static final MethodHandle HANDLE = link("madvise", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    }

    private static final class Msync {
        static final MethodHandle HANDLE = link("msync", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    }

    private static final class Geteuid {
        static final MethodHandle HANDLE = NativeCalls.linkLibc("geteuid", FunctionDescriptor.of(JAVA_INT));
    }

    private static final class Getpagesize {
        static final MethodHandle HANDLE = NativeCalls.linkLibc("getpagesize", FunctionDescriptor.of(JAVA_INT));
    }
}
