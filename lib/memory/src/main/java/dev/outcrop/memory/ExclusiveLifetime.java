package dev.outcrop.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The life of a native object that only one thread may use at a time, such as an iterator. Threads may take turns.
 *
 * <pre>{@code
 * lifetime.enter();
 * try {
 *     ... = CApi.…(iterator, lifetime.wordAddress(0));
 * } finally {
 *     lifetime.exit();
 * }
 * }</pre>
 *
 * <p>A second thread that enters at the same time gets an exception. {@link #close()} waits for the call that has started; later calls
 * throw. The object has eight words of native memory for out-parameters, so its calls need no other memory.
 */
public final class ExclusiveLifetime implements AutoCloseable {
    private static final int WORDS = 8;
    private static final long FREE = 0;
    private static final long CLOSED = -1;
    /** The stack that freeing an iterator and giving back the leases of its parents takes. */
    private static final int CLOSING_KIB = 24;
    private static final long PAUSE_NANOS = 50_000;
    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(ExclusiveLifetime.class, "holder", long.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final Runnable free;
    private final long words;
    private final LeakDetector.@Nullable Tracker tracker;
    /** The id of the thread that is inside a call, or {@code FREE} or {@code CLOSED}. */
    @SuppressWarnings("unused") // through HOLDER
    private long holder = FREE;

    /**
     * Starts the life of a native object.
     *
     * @param owner the Java object that users hold; if the collector finds it before it was closed, the leak detector reports it
     * @param name  its name in messages, for example {@code "iterator of database /data/users"}
     * @param free  frees the native object; called once, by the thread that closes; it must not throw
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public ExclusiveLifetime(Object owner, String name, Runnable free) {
        this(name, free, LeakDetector.track(owner, name));
    }

    /**
     * Starts the life of a native object without telling the leak detector, which its owner may do.
     *
     * @param name its name in messages
     * @param free frees the native object; called once, by the thread that closes; it must not throw
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public ExclusiveLifetime(String name, Runnable free) {
        this(name, free, null);
    }

    private ExclusiveLifetime(String name, Runnable free, LeakDetector.@Nullable Tracker tracker) {
        NativeAccess.require();
        this.name = name;
        this.free = free;
        this.tracker = tracker;
        this.words = Malloc.allocate(8L * WORDS);
    }

    /**
     * Starts a use of the native object, which excludes all others until {@link #exit()}.
     *
     * @throws IllegalStateException if it was closed, if another thread is using it, or if this thread is: a callback must not use the
     *                               object that calls it
     * @throws StackOverflowError    if too little of the stack is left to end the use again; nothing has begun then
     */
    public void enter() {
        // If the stack overflows inside, enough must be left to exit: otherwise no thread could use or close the object.
        StackCheck.require(StackCheck.RELEASE);
        // Acquire: everything the last holder did, in Java and in native code, happens before this use.
        if (!(boolean) HOLDER.compareAndSet(this, FREE, Thread.currentThread().threadId())) {
            throw refusal();
        }
    }

    /**
     * Does the same as {@link #enter()}, but waits if another thread is using the native object.
     *
     * @return false if it was closed; nothing has begun then
     * @throws IllegalStateException if this thread is using it: a callback must not use the object whose call it is part of
     * @throws StackOverflowError    if too little of the stack is left to end the use again; nothing has begun then
     */
    public boolean enterInTurn() {
        StackCheck.require(StackCheck.RELEASE);
        // Acquire: everything the last holder did, in Java and in native code, happens before this use.
        return (boolean) HOLDER.compareAndSet(this, FREE, Thread.currentThread().threadId()) || await();
    }

    /** Ends a use. Called by the thread that entered. */
    public void exit() {
        // Release: everything this holder did happens before the next use.
        HOLDER.setRelease(this, FREE);
    }

    /**
     * Returns the address of one of eight words of 8 bytes, for out-parameters. Used only between {@link #enter()} and {@link #exit()}.
     *
     * @param index 0 to 7
     * @return the word's address, valid until this lifetime is closed
     * @throws IndexOutOfBoundsException if there is no such word
     * @throws IllegalStateException     if the calling thread is not inside
     */
    public long wordAddress(int index) {
        requireHolder();
        return words + 8L * Objects.checkIndex(index, WORDS);
    }

    /**
     * Reads a word.
     *
     * @param index 0 to 7
     * @return its 8 bytes
     * @throws IndexOutOfBoundsException if there is no such word
     * @throws IllegalStateException     if the calling thread is not inside
     */
    public long word(int index) {
        return NativeCalls.readLong(wordAddress(index));
    }

    /**
     * Writes a word.
     *
     * @param index 0 to 7
     * @param value for its 8 bytes
     * @throws IndexOutOfBoundsException if there is no such word
     * @throws IllegalStateException     if the calling thread is not inside
     */
    public void setWord(int index, long value) {
        NativeCalls.writeLong(wordAddress(index), value);
    }

    /**
     * Ends this lifetime: waits for the call that has started, then frees the native object. Does nothing if it has ended before.
     *
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     * @throws StackOverflowError    if too little of the stack is left; nothing has ended then
     */
    @Override
    public void close() {
        close(() -> {
        });
    }

    /**
     * Does the same as {@link #close()}, for an owner that must first end something else, which may fail.
     *
     * @param first runs as if between {@link #enter()} and {@link #exit()}, unless the lifetime has ended before; if it throws, the
     *              lifetime goes on
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     */
    public void close(Runnable first) {
        StackCheck.require(CLOSING_KIB);
        if (!await()) {
            return;
        }
        long after = FREE;
        try {
            first.run();
            after = CLOSED;
        } finally {
            // Release: everything done inside happens before the next use, if there is one.
            HOLDER.setRelease(this, after);
        }
        if (tracker != null) {
            tracker.close();
        }
        Malloc.free(words);
        free.run();
    }

    /**
     * Returns whether {@link #close()} was called.
     *
     * @return true once closed
     */
    public boolean isClosed() {
        return (long) HOLDER.getVolatile(this) == CLOSED;
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return name;
    }

    /** Waits until no other thread is inside, then enters; returns false if the lifetime was closed. */
    private boolean await() {
        boolean isInterrupted = false;
        long self = Thread.currentThread().threadId();
        long before;
        while ((before = (long) HOLDER.compareAndExchange(this, FREE, self)) != FREE && before != CLOSED) {
            if (before == self) {
                throw new IllegalStateException("The " + name + " cannot be used or closed from inside one of its own"
                        + " calls (a callback); do so after the call has returned");
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
            // Clears the interrupt, which would turn parking into spinning, and restores it for the caller afterwards.
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return before == FREE;
    }

    /**
     * Returns whether the calling thread is inside a use, for example in a callback.
     *
     * @return true between {@link #enter()} and {@link #exit()}
     */
    public boolean isEnteredByCaller() {
        // A plain read: a thread always sees its own write, and no other thread writes this thread's id.
        return (long) HOLDER.get(this) == Thread.currentThread().threadId();
    }

    private void requireHolder() {
        if (!isEnteredByCaller()) {
            throw new IllegalStateException("The " + name + " is not in use by this thread");
        }
    }

    private IllegalStateException refusal() {
        long now = (long) HOLDER.getVolatile(this);
        if (now == CLOSED) {
            return new IllegalStateException("The " + name + " is closed");
        }
        return new IllegalStateException(now == Thread.currentThread().threadId()
                ? "The " + name + " cannot be used from inside one of its own calls (a callback)"
                : "The " + name + " is being used by another thread at this moment; threads may only take turns");
    }
}
