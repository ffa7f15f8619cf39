package dev.outcrop.jruby;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jruby.Ruby;
import org.jruby.RubyClass;
import org.jruby.RubyFile;
import org.jruby.api.Access;
import org.jruby.api.Error;
import org.jruby.runtime.Helpers;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jruby.util.JRubyFile;

/** Turns what Java throws into what a Ruby program rescues. */
final class Failures {
    private Failures() {
    }

    /** What a method of a Ruby class does. */
    interface Body<T> {
        T run() throws IOException;
    }

    /** Runs the body of a method that is not called often. */
    static <T> T translate(ThreadContext context, Body<T> body) {
        try {
            return body.run();
        } catch (IOException e) {
            throw error(context, e);
        } catch (RuntimeException | InternalError e) {
            throw error(context, e);
        }
    }

    static RuntimeException error(ThreadContext context, IOException e) {
        Ruby runtime = context.runtime;
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

    /** What Ruby raised itself stays as it is. */
    static RuntimeException error(ThreadContext context, Throwable e) {
        if (e instanceof UserCode.Thrown user) {
            Helpers.throwException(user.thrown);
        }
        if (e instanceof PageException) {
            RubyClass type = Access.getClass(context, "Mmap", "PageHandlerError");
            return context.runtime.newRaiseException(type, e.getMessage());
        }
        if (e instanceof ClosedException) {
            return context.runtime.newIOError(e.getMessage());
        }
        if (e instanceof IllegalArgumentException) {
            return Error.argumentError(context, e.getMessage());
        }
        if (e instanceof IllegalStateException) {
            return context.runtime.newIOError(
                    "the mapped file was closed, or is in use by another thread while it is closed: " + e.getMessage());
        }
        if (e instanceof InternalError) {
            return context.runtime.newIOError(
                    "a mapped file was made shorter by another program, or there is no space left on its device"
                            + " (" + e.getMessage() + ")");
        }
        if (e instanceof IndexOutOfBoundsException) {
            return Error.indexError(context,
                    "a string or buffer was changed by another thread while it was copied: " + e.getMessage());
        }
        return (RuntimeException) e;
    }

    /** The path that a Ruby program means: relative to Ruby's own working directory, which Dir.chdir changes. */
    static Path path(ThreadContext context, IRubyObject path) {
        String name = RubyText.of(context, RubyFile.get_path(context, path));
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
