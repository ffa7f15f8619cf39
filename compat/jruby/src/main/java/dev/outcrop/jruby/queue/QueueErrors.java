package dev.outcrop.jruby.queue;

import dev.outcrop.queue.QueueCorruptException;
import dev.outcrop.queue.QueueException;
import dev.outcrop.queue.QueueLockedException;
import dev.outcrop.queue.QueuePoisonedException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.jruby.RubyClass;
import org.jruby.api.Access;
import org.jruby.api.Error;
import org.jruby.exceptions.RaiseException;
import org.jruby.runtime.ThreadContext;

/** Turns exceptions of the module {@code queue} into Ruby errors with the same message. */
final class QueueErrors {
    private QueueErrors() {
    }

    /** Runs the body of a method that is seldom called. */
    static <T> T translate(ThreadContext context, Supplier<T> body) {
        try {
            return body.get();
        } catch (RuntimeException e) {
            throw ruby(context, e);
        }
    }

    /** Returns the error to raise. Exceptions with which Ruby leaves a block or ends a thread stay unchanged. */
    static RuntimeException ruby(ThreadContext context, RuntimeException e) {
        return switch (e) {
            case QueueCorruptException _ -> caused(context, "Corrupt", e);
            case QueueLockedException _ -> caused(context, "Locked", e);
            case QueuePoisonedException _ -> caused(context, "Poisoned", e);
            case QueueException _ -> caused(context, "Error", e);
            case UncheckedIOException _ -> caused(context, "Error", e);
            case IllegalStateException _ -> caused(context, "Error", e);
            case IndexOutOfBoundsException _ -> Error.withException(Error.indexError(context,
                    "a string was changed by another thread while it was copied: " + e.getMessage()), e);
            case IllegalArgumentException _ ->
                Error.withException(Error.argumentError(context, String.valueOf(e.getMessage())), e);
            default -> e;
        };
    }

    private static RaiseException caused(ThreadContext context, String name, RuntimeException e) {
        return Error.withException(error(context, name, String.valueOf(e.getMessage())), e);
    }

    /** Returns an error of module {@code Outcrop}. */
    static RaiseException error(ThreadContext context, String name, String message) {
        return RaiseException.from(context.runtime, Access.getClass(context, "Outcrop", name), message);
    }

    static RaiseException closed(ThreadContext context) {
        RubyClass error = Access.getClass(context, "ClosedQueueError");
        return RaiseException.from(context.runtime, error, "queue closed");
    }

    static RaiseException thread(ThreadContext context, String message) {
        return context.runtime.newThreadError(message);
    }
}
