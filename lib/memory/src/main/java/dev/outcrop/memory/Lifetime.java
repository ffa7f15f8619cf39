package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The life of an object in native memory, from its first use until it is freed.
 *
 * <p>Every Java object that owns a native one has a lifetime. Each native call takes its scratch memory from {@link #enter()}, and the
 * object's {@code close()} is {@link #close()}. In return:
 * <ul>
 * <li>the memory is not freed before all started calls have finished; a call that starts after {@code close()} throws;
 * <li>{@code close()} may race with calls on any thread; it parks until the calls that have started are finished, and waits for nothing
 * else;
 * <li>children, such as an iterator of a database, hold a lease ({@link #lease(Scratch)}), and the thread that releases the last one
 * frees the native object;
 * <li>closing twice is harmless, and closing from inside a call of the same object is refused.
 * </ul>
 *
 * <p>Entering costs one atomic instruction on a cache line that usually belongs to the thread. A lease costs a plain addition. No cache
 * line is written by every thread.
 *
 * <p>All methods are thread-safe.
 */
/*
 * Why it is safe. A caller claims a slab for this lifetime (full fence), then reads "closed". A closer writes "closed" (volatile),
 * then reads the slabs. At least one of them sees the other: either the caller backs out, or the closer waits until the slab is
 * released. Once no slab is held for this lifetime, a thread can claim another one only for as long as it takes to see "closed" and back
 * out.
 *
 * Leases are counted in stripes, one for each slab of the table. Only the slab's holder writes the stripe, so counting needs no atomic
 * instruction, and the stripes are stable once no slab is held. From then on releases are counted in "late". The initial value of "late" is
 * so high that it cannot reach zero before the closer has replaced this head start by the number of leases left.
 */
public final class Lifetime implements AutoCloseable {
    /** The id that stands for no lifetime at all. */
    static final long NONE = 1;

    private static final AtomicLong IDS = new AtomicLong(NONE);
    private static final long HEAD_START = 1L << 62;
    private static final long FIRST_PAUSE_NANOS = 20_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;

    /** The stack that starting a thread takes. */
    private static final int STARTING_KIB = 16;

    private static final Runnable NOTHING = Lifetime::doNothing;
    /**
     * A waiting closer calls {@code endWaits} after it has checked the callers 1, 2, 4, … times, and also each time after this many checks.
     */
    private static final long MOST_LOOKS = 32;

    private static final String CLOSED = "is closed";

    private final long id = IDS.incrementAndGet();
    private final String name;
    private final Runnable free;
    private final Leases leases;
    private final AtomicLong late = new AtomicLong(HEAD_START);
    private final AtomicBoolean closing = new AtomicBoolean();
    private final LeakDetector.@Nullable Tracker tracker;
    private volatile boolean closed;
    /** What happened to the object, for messages. */
    private volatile String end = CLOSED;

    /**
     * Starts the life of a native object.
     *
     * @param owner the Java object that users hold; if the collector finds it before it was closed, the leak detector reports it
     * @param name  its name in messages, for example {@code "database /data/users"}
     * @param free  frees the native object; called once, after the last use, by whichever thread ends it; it must not throw
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public Lifetime(Object owner, String name, Runnable free) {
        this(owner, name, free, Long.MAX_VALUE);
    }

    /**
     * Starts the life of a native object with weighted leases. The weight may be the bytes that a lease keeps in memory.
     *
     * @param owner  the Java object that users hold; if the collector finds it before it was closed, the leak detector reports it
     * @param name   its name in messages, for example {@code "database /data/users"}
     * @param free   frees the native object; called once, after the last use, by whichever thread ends it; it must not throw
     * @param budget the greatest total weight of all leases; the total may exceed it by an eighth, because each thread counts on its own
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public Lifetime(Object owner, String name, Runnable free, long budget) {
        NativeAccess.require();
        this.name = name;
        this.free = free;
        this.leases = new Leases(budget);
        this.tracker = LeakDetector.track(owner, name);
    }

    /**
     * Starts the life of a native object that another object closes for users. The leak detector does not watch it.
     *
     * @param name its name in messages, for example {@code "column family users of database /data/users"}
     * @param free frees the native object; called once, after the last use, by whichever thread ends it; it must not throw
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public Lifetime(String name, Runnable free) {
        NativeAccess.require();
        this.name = name;
        this.free = free;
        this.leases = new Leases(Long.MAX_VALUE);
        this.tracker = null;
    }

    /**
     * Uses a lifetime once, which initializes all classes that lifetimes need. Call it while there is enough stack and memory: if either
     * runs out while a class is initialized, the process cannot use that class again.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static void prepare() {
        Runnable nothing = () -> {
        };
        try (Lifetime lifetime = new Lifetime("lifetime", nothing);
                ExclusiveLifetime exclusive = new ExclusiveLifetime(Lifetime.class, "exclusive lifetime", nothing);
                Arena arena = Arena.ofConfined()) {
            try (Scratch scratch = lifetime.enter()) {
                lifetime.lease(scratch);
                scratch.setWord(0, lifetime.isEnteredByCaller() ? 1 : 0);
                scratch.allocate(2L * Scratch.AREA_BYTES, Long.BYTES).fill((byte) 0);
            }
            lifetime.release();
            exclusive.enter();
            exclusive.setWord(0, NativeCalls.readOnlyView(exclusive.wordAddress(0), Long.BYTES, arena).byteSize());
            exclusive.exit();
        }
        boolean _ = Upcall.isRunning();
    }

    /**
     * Starts a use of the native object. The object stays alive until the returned scratch is closed.
     *
     * @return scratch memory for the call, which the same thread must close
     * @throws IllegalStateException if this lifetime was closed; the message names what was closed
     * @throws StackOverflowError    if too little of the stack is left to end the use again; nothing has begun then
     */
    public Scratch enter() {
        // If the stack overflows inside the call, enough must be left to release the slab: otherwise a closer would wait without end.
        StackCheck.require(StackCheck.RELEASE);
        Scratch scratch = ScratchTable.ENTERED.claim(id);
        if (closed) {
            scratch.close();
            throw new IllegalStateException("The " + name + " " + end);
        }
        return scratch;
    }

    /**
     * Takes a lease for a child. The native object is not freed before one call of {@link #release()} for the child.
     *
     * @param entered the open scratch that {@link #enter()} of this lifetime returned to the calling thread; or the open scratch of another
     *                lifetime which {@link #close(Runnable, Runnable)} of this one closes
     */
    public void lease(Scratch entered) {
        leases.add(entered.index(), 1, 0);
    }

    /**
     * Takes a lease for a child of a kind, and counts the kind for messages.
     *
     * @param entered the open scratch that {@link #enter()} of this lifetime returned to the calling thread
     * @param kind    one of at most eight; pass it to {@link #release(Enum)} too
     */
    public void lease(Scratch entered, Enum<?> kind) {
        leases.addOfKind(entered.index(), number(kind), 1);
    }

    /**
     * Takes a lease with a weight, unless the budget does not allow it.
     *
     * @param entered the open scratch that {@link #enter()} of this lifetime returned to the calling thread; or the open scratch of another
     *                lifetime which {@link #close(Runnable, Runnable)} of this one closes
     * @param weight  not negative; pass it to {@link #release(long)} too
     * @return whether the lease was taken
     */
    public boolean lease(Scratch entered, long weight) {
        if (!leases.allows(weight)) {
            return false;
        }
        leases.add(entered.index(), 1, weight);
        return true;
    }

    /**
     * Releases a lease. If this lifetime was closed and this is its last lease, this call frees the native object.
     *
     * @throws StackOverflowError if too little of the stack is left; the lease is still there then
     */
    public void release() {
        release(0);
    }

    /**
     * Releases a lease of a kind. If this lifetime was closed and this is its last lease, this call frees the native object.
     *
     * @param kind of the lease
     * @throws StackOverflowError if too little of the stack is left; the lease is still there then
     */
    public void release(Enum<?> kind) {
        StackCheck.require(StackCheck.RELEASE);
        Scratch scratch = ScratchTable.ENTERED.claim(id);
        if (closed) {
            scratch.close();
            StackCheck.require(STARTING_KIB);
            leases.addKind(number(kind), -1);
            releaseLate(0);
        } else {
            leases.addOfKind(scratch.index(), number(kind), -1);
            scratch.close();
        }
    }

    /**
     * Returns the number of leases.
     *
     * @return exact while no thread takes or releases a lease
     */
    public long leases() {
        long left = late.get();
        return left > HEAD_START / 2 ? leases.count() + left - HEAD_START : left;
    }

    /**
     * Returns the number of leases of a kind.
     *
     * @param kind of the leases
     * @return exact while no thread takes or releases a lease
     */
    public long leases(Enum<?> kind) {
        return leases.count(number(kind));
    }

    /**
     * Releases a lease with a weight. If this lifetime was closed and this is its last lease, this call frees the native object.
     *
     * @param weight of the lease
     * @throws StackOverflowError if too little of the stack is left; the lease is still there then
     */
    public void release(long weight) {
        StackCheck.require(StackCheck.RELEASE);
        Scratch scratch = ScratchTable.ENTERED.claim(id);
        if (closed) {
            scratch.close();
            StackCheck.require(STARTING_KIB);
            releaseLate(weight);
        } else {
            leases.add(scratch.index(), -1, -weight);
            scratch.close();
        }
    }

    /**
     * Returns the total weight of all leases.
     *
     * @return exact while no thread takes or releases a lease
     */
    public long leasedWeight() {
        return leases.weight();
    }

    /**
     * Ends this lifetime: waits for the calls that have started, then frees the native object, or leaves that to the last lease.
     * Does nothing if it has ended before.
     *
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     * @throws StackOverflowError    if too little of the stack is left; nothing has ended then
     */
    @Override
    public void close() {
        close(NOTHING, NOTHING);
    }

    /**
     * Does the same as {@link #close()}; later messages say what happened to the object.
     *
     * @param fate     follows its name, for example {@code "was dropped"}
     * @param endWaits as for {@link #close(Runnable, Runnable)}
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     */
    public void close(String fate, Runnable endWaits) {
        requireOutside();
        // Set before "closed": a thread that sees "closed" sees the new text too.
        end = fate;
        close(endWaits, NOTHING);
    }

    /**
     * Does the same as {@link #close()} for two more kinds of objects. One has parts with lifetimes of their own, and the callers of the
     * parts take leases of this lifetime. The other has calls that may wait for something that cannot happen once the object is closed.
     * When no call of this object is running, this method closes the parts, and counts the leases only then.
     *
     * @param endWaits   ends such waits; called repeatedly while calls are running, because a call may begin to wait later; it must not
     *                   throw
     * @param closeParts closes the parts; it must not throw
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     */
    public void close(Runnable endWaits, Runnable closeParts) {
        StackCheck.require(StackCheck.FREEING);
        requireOutside();
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        if (tracker != null) {
            tracker.close();
        }
        // Volatile: ordered before the closer reads the slabs, which is the closer's half of the hazard pointer.
        closed = true;
        awaitCallers(endWaits);
        closeParts.run();
        if (late.addAndGet(leases.count() - HEAD_START) == 0) {
            free.run();
        }
    }

    /**
     * Checks that the calling thread is not inside a call of this object: {@link #close()} would wait for that call without end.
     *
     * @throws IllegalStateException if it is
     */
    public void requireOutside() {
        if (isEnteredByCaller()) {
            throw new IllegalStateException(
                    "The " + name + " cannot be closed from inside one of its own calls (a callback);"
                            + " close it after the call has returned");
        }
    }

    /**
     * Returns whether the calling thread is inside a call of this object. Slow, because it looks through all slabs.
     *
     * @return true between {@link #enter()} and the closing of its scratch
     */
    public boolean isEnteredByCaller() {
        return ScratchTable.ENTERED.isHeldByCallerFor(id);
    }

    /**
     * Returns whether {@link #close()} was called.
     *
     * @return true once closed, even if leases still keep the native object alive
     */
    public boolean isClosed() {
        return closed;
    }

    /** Returns the name, for messages. */
    @Override
    public String toString() {
        return name;
    }

    @SuppressWarnings("EnumOrdinal") // nothing of it is stored
    private static int number(Enum<?> kind) {
        return kind.ordinal();
    }

    private static void tryTo(Runnable endWaits) {
        try {
            endWaits.run();
        } catch (VirtualMachineError e) {
            // If this ended the closing half-way, the object would never be freed. The next attempt may find more memory or stack.
        }
    }

    private static void doNothing() {
        // Nothing waits, and there are no parts.
    }

    private void releaseLate(long weight) {
        leases.addWeight(-weight);
        if (late.decrementAndGet() != 0) {
            return;
        }
        if (!StackCheck.hasRoom(StackCheck.FREEING) || Upcall.isRunning()) {
            // Freeing a database takes much stack, and waits for its background work, which this thread may be part of.
            Thread.ofPlatform().name("outcrop-free " + name).start(free);
        } else {
            free.run();
        }
    }

    private void awaitCallers(Runnable endWaits) {
        boolean interrupted = false;
        long looks = 0;
        long pause = FIRST_PAUSE_NANOS;
        while (ScratchTable.ENTERED.isHeldFor(id)) {
            LockSupport.parkNanos(this, pause);
            // Clears the interrupt, which would turn parking into spinning, and restores it for the caller afterwards.
            interrupted |= Thread.interrupted();
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            looks++;
            if (Long.bitCount(looks) == 1 || looks % MOST_LOOKS == 0) {
                tryTo(endWaits);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
