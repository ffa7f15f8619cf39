package dev.outcrop.jruby.mmap;

import dev.outcrop.jruby.common.RubyStrings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jruby.Ruby;
import org.jruby.RubyFile;
import org.jruby.api.Access;
import org.jruby.api.Error;
import org.jruby.runtime.Helpers;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.JRubyFile;

/** Turns Java's exceptions into errors that a Ruby program can rescue. */
final class MmapErrors {
    private MmapErrors() {
    }

    /** The body of a method of a Ruby class. */
    interface Body<T> {
        T run() throws IOException;
    }

    /** Runs the body of a method that is seldom called. */
    static <T> T translate(ThreadContext context, Body<T> body) {
        try {
            return body.run();
        } catch (IOException | RuntimeException | InternalError e) {
            throw ruby(context, e);
        }
    }

    /** Returns Ruby's error for an IOException, RuntimeException or InternalError. Ruby's own errors stay as they are. */
    static RuntimeException ruby(ThreadContext context, Throwable e) {
        Ruby runtime = context.runtime;
        if (e instanceof UserCode.Thrown user) {
            Helpers.throwException(user.thrown);
        }
        return switch (e) {
            case IOException io -> io(runtime, io);
            case PageException _ -> runtime
                    .newRaiseException(Access.getClass(context, "Mmap", "PageHandlerError"), e.getMessage());
            case Pages.ClosedException _ -> runtime.newIOError(e.getMessage());
            case IllegalArgumentException _ -> Error.argumentError(context, e.getMessage());
            case IllegalStateException _ -> runtime.newIOError(
                    "the mapped file was closed, or is in use by another thread while it is closed: " + e.getMessage());
            case IndexOutOfBoundsException _ -> Error.indexError(context,
                    "a string or buffer was changed by another thread while it was copied: " + e.getMessage());
            case RuntimeException other -> other;
            default -> runtime.newIOError(
                    "a mapped file was made shorter by another program, or there is no space left on its device"
                            + " (" + e.getMessage() + ")");
        };
    }

    private static RuntimeException io(Ruby runtime, IOException e) {
        if (e instanceof NoSuchFileException) {
            return runtime.newErrnoENOENTError(e.getMessage());
        }
        if (e instanceof AccessDeniedException) {
            return runtime.newErrnoEACCESError(e.getMessage());
        }
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        if (message.contains("No space left on device") || message.contains("ENOSPC")) {
            return runtime.newErrnoFromErrno(jnr.constants.platform.Errno.ENOSPC, message);
        }
        return e instanceof FileSystemException ? runtime.newIOError(message) : runtime.newIOErrorFromException(e);
    }

    /** Returns the path that a Ruby program means. It is relative to Ruby's own working directory, which Dir.chdir changes. */
    static Path path(ThreadContext context, IRubyObject path) {
        String name = RubyStrings.text(context, RubyFile.get_path(context, path));
        if (name.isEmpty()) {
            throw context.runtime.newErrnoENOENTError("the path of a mapped file is empty");
        }
        try {
            return JRubyFile.create(context.runtime.getCurrentDirectory(), name).toPath();
        } catch (InvalidPathException e) {
            throw Error.argumentError(context, "not a path: " + name);
        }
    }
}
