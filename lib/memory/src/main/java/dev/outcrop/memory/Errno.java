package dev.outcrop.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * The names of error numbers. They differ between operating systems. For errors of files, they do not differ between the processors that
 * Linux runs on here. Sources: {@code asm-generic/errno-base.h} and {@code asm-generic/errno.h} of Linux, {@code sys/errno.h} of Darwin.
 */
final class Errno {
    private static final List<String> LINUX = table("""
            - EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF
            ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV
            ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE
            EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY
            ELOOP - ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH
            ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT - EBFONT
            ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV ESRMNT
            ECOMM EPROTO EMULTIHOP EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC
            ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ
            EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT
            EADDRINUSE EADDRNOTAVAIL
            ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS
            ETIMEDOUT ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL
            EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED
            EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON""");

    private static final List<String> MACOS = table("""
            - EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF
            ECHILD EDEADLK ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV
            ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE
            EROFS EMLINK EPIPE EDOM ERANGE EAGAIN EINPROGRESS EALREADY ENOTSOCK EDESTADDRREQ
            EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT ENOTSUP EPFNOSUPPORT EAFNOSUPPORT
            EADDRINUSE EADDRNOTAVAIL
            ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS
            ETIMEDOUT ECONNREFUSED ELOOP ENAMETOOLONG EHOSTDOWN EHOSTUNREACH ENOTEMPTY EPROCLIM EUSERS EDQUOT
            ESTALE EREMOTE EBADRPC ERPCMISMATCH EPROGUNAVAIL EPROGMISMATCH EPROCUNAVAIL ENOLCK ENOSYS EFTYPE
            EAUTH ENEEDAUTH EPWROFF EDEVERR EOVERFLOW EBADEXEC EBADARCH ESHLIBVERS EBADMACHO ECANCELED
            EIDRM ENOMSG EILSEQ ENOATTR EBADMSG EMULTIHOP ENODATA ENOLINK ENOSR ENOSTR
            EPROTO ETIME EOPNOTSUPP ENOPOLICY ENOTRECOVERABLE EOWNERDEAD EQFULL""");

    private static final MethodHandle STRERROR = NativeCalls.linkLibc("strerror",
            FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private Errno() {
    }

    /** Returns the name in C, such as {@code ENOSPC}, or {@code errno 4711} for a number without one. */
    static String name(int errno) {
        return name(errno, Libc.MACOS ? MACOS : LINUX);
    }

    static String nameOnMacos(int errno) {
        return name(errno, MACOS);
    }

    /** Returns the C library's text for the number, in the user's language. */
    static String text(int errno) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
            return NativeCalls.view(text.address(), Long.MAX_VALUE).getString(0);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    /** Returns a sentence that says what to do about the error; empty if nothing helps in general. */
    static String advice(String call, String name) {
        return switch (name) {
            case "ENOSPC" -> "Free space on the file system, or use a directory on one that has more.";
            case "EDQUOT" -> "The disk quota of this user is used up: free space or have it raised.";
            case "EIO" ->
                "The device failed, and bytes that were written to the file may be lost. The kernel's log (dmesg) says more.";
            case "EROFS" -> "The file system is mounted read-only.";
            case "EACCES", "EPERM" -> "The user of this process lacks the permission.";
            case "ENOENT" -> "The file, or a directory on the way to it, does not exist.";
            case "EEXIST" -> "The file exists already.";
            case "EMFILE" -> "This process has too many open files: raise its limit (ulimit -n).";
            case "ENFILE" -> "The system has too many open files: raise its limit (sysctl fs.file-max).";
            case "EFBIG" -> "The file would be larger than its file system or this process's limit (ulimit -f) allows.";
            case "EBADF" -> "The file is not open in the way the call needs, for example not for writing.";
            case "EOPNOTSUPP", "ENOTSUP", "ENOSYS" -> "The file system or the kernel does not support this call.";
            case "EFAULT" ->
                "Part of the mapped range cannot be used: its file is shorter than the mapping, or the disk is full.";
            case "EINVAL" -> call.equals("msync")
                    ? "The range must start at a multiple of the page size."
                    : call.startsWith("madvise")
                            ? "The range must start at a multiple of the page size, and the kernel must know the advice"
                                    + " (POPULATE_READ and POPULATE_WRITE came with Linux 5.14)."
                            : "This kind of file, or one of the values, is not valid for the call.";
            default -> "";
        };
    }

    private static String name(int errno, List<String> names) {
        boolean known = errno > 0 && errno < names.size() && !names.get(errno).equals("-");
        return known ? names.get(errno) : "errno " + errno;
    }

    private static List<String> table(String names) {
        return List.of(names.split("\\s+"));
    }
}
