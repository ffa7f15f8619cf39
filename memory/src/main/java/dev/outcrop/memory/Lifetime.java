package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The life of one object in native memory: who may use it, and when it may be freed.
 *
 * <p>Every Java object that owns a native one has a lifetime and does two things with it. Around each native call it takes the
 * call's scratch memory from {@link #enter()}; its own {@code close()} is {@link #close()}. In return:
 * <ul>
 * <li>a call that has started finishes on memory that is there; a call that starts after {@code close()} throws;
 * <li>{@code close()} may race with calls on any thread; it waits, parked, for those that have started, and for nothing else;
 * <li>children, such as an iterator of a database, hold a lease ({@link #lease(Scratch)}), and the native object is freed when
 * the last of them goes, by the thread that lets it go;
 * <li>closing twice is harmless, and closing from inside a call of the same object is refused.
 * </ul>
 *
 * <p>Entering costs one atomic instruction on a cache line that is usually the thread's own, a lease costs a plain addition. No
 * cache line is written by every thread.
 *
 * <p>All methods are thread-safe.
 */
/*
 * How it is safe. A caller claims a slab for this lifetime (full fence), then reads "closed". A closer writes "closed" (volatile),
 * then reads the slabs. At least one of them sees the other: either the caller backs out, or the closer waits until the slab is
 * released. Once no slab is held for this lifetime, none will be for longer than it takes to see "closed" and back out.
 *
 * Leases are counted in stripes, one for each slab of the table: only the slab's holder writes its stripe, so counting needs no
 * atomic instruction, and the stripes are stable once no slab is held. From then on releases are counted in "late", which starts
 * out so high that it cannot reach zero until the closer has replaced that head start by the number of leases left.
 */
public final class Lifetime implements AutoCloseable {
    /** The id that stands for no lifetime at all. */
    static final long NONE = 1;

    private static final AtomicLong IDS = new AtomicLong(NONE);
    private static final long HEAD_START = 1L << 62;
    private static final long FIRST_PAUSE_NANOS = 20_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;

    /** What it takes to start a thread. */
    private static final int STARTING_KIB = 16;

    private static final Runnable NOTHING = Lifetime::doNothing;
    /** While a closer waits, what ends waits is called after 1, 2, 4, ... looks at the callers, and then each time after so many. */
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
    /** What became of it, for messages. */
    private volatile String end = CLOSED;

    /**
     * Starts the life of a native object.
     *
     * @param owner the Java object that users hold; if the collector finds it before it was closed, the leak detector reports it
     * @param name  how messages call it, for example {@code "database /data/users"}
     * @param free  frees the native object; called once, after the last use, by whichever thread ends it; it must not throw
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public Lifetime(Object owner, String name, Runnable free) {
        this(owner, name, free, Long.MAX_VALUE);
    }

    /**
     * Starts the life of a native object whose leases have a weight, such as the bytes that they keep in memory.
     *
     * @param owner  the Java object that users hold; if the collector finds it before it was closed, the leak detector reports it
     * @param name   how messages call it, for example {@code "database /data/users"}
     * @param free   frees the native object; called once, after the last use, by whichever thread ends it; it must not throw
     * @param budget what all leases may weigh together; kept to within an eighth, because threads count for themselves
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
     * Starts the life of a native object that users do not close, because another object does it for them. The leak detector does not
     * watch it.
     *
     * @param name how messages call it, for example {@code "column family users of database /data/users"}
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
     * Does once what lifetimes and their calls do, so that all classes are initialized which they need: one whose initialization meets the
     * end of the stack or of memory cannot be used again in the same process. Called where there is enough of both.
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
     * Starts a use of the native object. It stays alive until the returned scratch is closed.
     *
     * @return scratch memory for the call, to be closed by the same thread
     * @throws IllegalStateException if this lifetime was closed; the message names what was closed
     * @throws StackOverflowError    if too little of the stack is left to end the use again; nothing has begun then
     */
    public Scratch enter() {
        // A stack that overflows inside the call must leave enough to release the slab: a closer would wait for it for ever.
        Headroom.require(Headroom.RELEASE);
        Scratch scratch = ScratchTable.ENTERED.claim(id);
        if (closed) {
            scratch.close();
            throw new IllegalStateException("The " + name + " " + end);
        }
        return scratch;
    }

    /**
     * Takes a lease for a child: the native object will not be freed before {@link #release()} is called once for it.
     *
     * @param entered what {@link #enter()} of this lifetime returned to the calling thread, not yet closed; or that of another one
     *                which {@link #close(Runnable)} of this one closes
     */
    public void lease(Scratch entered) {
        leases.add(entered.index(), 1, 0);
    }

    /**
     * Takes a lease for a child of a kind, which is counted for messages too.
     *
     * @param entered what {@link #enter()} of this lifetime returned to the calling thread, not yet closed
     * @param kind    one of at most eight; to be given to {@link #release(Enum)} again
     */
    public void lease(Scratch entered, Enum<?> kind) {
        leases.addOfKind(entered.index(), number(kind), 1);
    }

    /**
     * Takes a lease with a weight, unless the budget does not allow it.
     *
     * @param entered what {@link #enter()} of this lifetime returned to the calling thread, not yet closed; or that of another one
     *                which {@link #close(Runnable)} of this one closes
     * @param weight  not negative; to be given to {@link #release(long)} again
     * @return whether there is a lease now
     */
    public boolean lease(Scratch entered, long weight) {
        if (!leases.allows(weight)) {
            return false;
        }
        leases.add(entered.index(), 1, weight);
        return true;
    }

    /**
     * Gives a lease back. If this lifetime was closed and this is its last lease, the native object is freed by this call.
     *
     * @throws StackOverflowError if too little of the stack is left; the lease is still there then
     */
    public void release() {
        release(0);
    }

    /**
     * Gives a lease of a kind back. If this lifetime was closed and this is its last lease, the native object is freed by this call.
     *
     * @param kind what the lease was taken with
     * @throws StackOverflowError if too little of the stack is left; the lease is still there then
     */
    public void release(Enum<?> kind) {
        Headroom.require(Headroom.RELEASE);
        Scratch scratch = ScratchTable.ENTERED.claim(id);
        if (closed) {
            scratch.close();
            Headroom.require(STARTING_KIB);
            leases.addKind(number(kind), -1);
            releaseLate(0);
        } else {
            leases.addOfKind(scratch.index(), number(kind), -1);
            scratch.close();
        }
    }

    /**
     * How many leases there are.
     *
     * @return their number; exact while no thread takes or gives back a lease
     */
    public long leases() {
        long left = late.get();
        return left > HEAD_START / 2 ? leases.count() + left - HEAD_START : left;
    }

    /**
     * How many leases of a kind there are.
     *
     * @param kind what they were taken with
     * @return their number; exact while no thread takes or gives back a lease
     */
    public long leases(Enum<?> kind) {
        return leases.count(number(kind));
    }

    /**
     * Gives a lease back that has a weight. If this lifetime was closed and this is its last lease, the native object is freed by
     * this call.
     *
     * @param weight what the lease was taken with
     * @throws StackOverflowError if too little of the stack is left; the lease is still there then
     */
    public void release(long weight) {
        Headroom.require(Headroom.RELEASE);
        Scratch scratch = ScratchTable.ENTERED.claim(id);
        if (closed) {
            scratch.close();
            Headroom.require(STARTING_KIB);
            releaseLate(weight);
        } else {
            leases.add(scratch.index(), -1, -weight);
            scratch.close();
        }
    }

    /**
     * What all leases weigh together.
     *
     * @return the sum of their weights; exact while no thread takes or gives back a lease
     */
    public long leasedWeight() {
        return leases.weight();
    }

    /**
     * Ends this lifetime: waits for the calls that have started, then frees the native object, or leaves that to the last lease.
     * Does nothing if it was ended before.
     *
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     * @throws StackOverflowError    if too little of the stack is left; nothing has ended then
     */
    @Override
    public void close() {
        close(NOTHING);
    }

    /**
     * As {@link #close()}, and says in messages what became of the object.
     *
     * @param fate what follows its name, for example {@code "was dropped"}
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     */
    public void close(String fate) {
        close(fate, NOTHING);
    }

    /**
     * As {@link #close(String)}, for an object whose calls may wait for what nobody can do any longer.
     *
     * @param fate     what follows its name, for example {@code "was dropped"}
     * @param endWaits as that of {@link #close(Runnable, Runnable)}
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     */
    public void close(String fate, Runnable endWaits) {
        requireOutside();
        // Before "closed", so that a thread that sees that sees this too.
        end = fate;
        close(endWaits, NOTHING);
    }

    /**
     * As {@link #close()}, for an object with parts that have lifetimes of their own, whose callers take leases of this one: once no
     * call of this object is running any more, the parts are closed, and only then are the leases counted.
     *
     * @param closeParts closes them; it must not throw
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     */
    public void close(Runnable closeParts) {
        close(NOTHING, closeParts);
    }

    /**
     * As {@link #close(Runnable)}, for an object whose calls may wait for what nobody can do any longer once it is closed.
     *
     * @param endWaits   ends such waits; called again and again while calls are running, because one may begin to wait later; it must not
     *                   throw
     * @param closeParts closes the parts; it must not throw
     * @throws IllegalStateException if the calling thread is inside a call of this object, such as a callback
     */
    public void close(Runnable endWaits, Runnable closeParts) {
        Headroom.require(Headroom.FREEING);
        requireOutside();
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        if (tracker != null) {
            tracker.close();
        }
        // Volatile: ordered before the look at the slabs, the closer's half of the hazard pointer.
        closed = true;
        awaitCallers(endWaits);
        closeParts.run();
        if (late.addAndGet(leases.count() - HEAD_START) == 0) {
            free.run();
        }
    }

    /**
     * Checks that the calling thread is not inside a call of this object; otherwise {@link #close()} would wait for itself.
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
     * Whether the calling thread itself is inside a call of this object. Slow, for it looks through all slabs.
     *
     * @return true between {@link #enter()} and the closing of its scratch
     */
    public boolean isEnteredByCaller() {
        return ScratchTable.ENTERED.isHeldByCallerFor(id);
    }

    /**
     * Whether {@link #close()} was called.
     *
     * @return true once closed, even if leases still keep the native object alive
     */
    public boolean isClosed() {
        return closed;
    }

    /** The name, for messages. */
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
            // No memory or stack is left; what is closed half-way would never be freed. Others may give some back before the next time.
        }
    }

    private static void doNothing() {
        // There is nothing to end.
    }

    private void releaseLate(long weight) {
        leases.addWeight(-weight);
        if (late.decrementAndGet() != 0) {
            return;
        }
        if (!Headroom.isThere(Headroom.FREEING) || Upcall.isRunning()) {
            // Freeing a database waits for its background work, and this thread may be part of that; and it takes much stack.
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
            // An interrupt would turn parking into spinning; it is kept for the caller.
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
