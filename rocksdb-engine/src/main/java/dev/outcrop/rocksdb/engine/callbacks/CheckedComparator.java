package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A user's comparator, which may throw or contradict itself. RocksDB must never see either: it knows no way for a comparison to fail, and
 * reads and writes beyond its arrays if keys are in an order now and in another one later.
 */
/*
 * A comparator that throws once is asked again, because any other answer than the right one puts a key where nobody finds it. If that does
 * not help, keys that the comparator cannot compare even with themselves come behind all others, in the order of their bytes; that is an
 * order too. A comparator that contradicts itself has no order, so from then on keys are compared by their bytes. In both cases the
 * databases that use it are told, which is what ends the damage: see OrderFailure. With Trust.UNTIL_A_CHANGE_FAILS they are told only if it
 * fails while something is changed: a search for a key that it cannot compare harms nothing.
 *
 * RocksDB's own threads are told that all keys are equal as soon as anything was wrong. A thread that chooses files to compact holds the
 * lock that stopping takes, and may move a file to another level before it gives it back: of equal keys it chooses all files that may
 * overlap, and moves none beside another one that it overlaps, for which RocksDB would leave out all files when the database is opened
 * again.
 */
public final class CheckedComparator implements KeyOrder {
    /** So many comparisons are checked from the beginning on. */
    private static final int FIRST = 64;
    private static final int ATTEMPTS = 8;
    /** How long a thread of RocksDB's waits for its database to be stopped: not for ever, for it may hold the lock that stopping takes. */
    private static final int PATIENCE_MILLIS = 200;
    /** The same in further comparisons: of these there are some dozens while it holds that lock. */
    private static final int MORE_MILLIS = 50;
    private static final int REMEMBERED = 8;
    private static final long LONGEST_REMEMBERED = 1024;

    /** What a comparator may do before its databases are told. */
    public enum Trust {
        /** Nothing: one that has thrown is not trusted any more. */
        UNTIL_IT_THROWS,
        /** It may throw in reads, and anywhere if it answers when it is asked again. */
        UNTIL_A_CHANGE_FAILS
    }

    private final UserOrder comparator;
    private final Trust trust;
    /** The user's object, which options name. */
    public final Object owner;
    public final String name;
    public final int timestampSize;
    /** The open databases that use it. Replaced, never changed. */
    private volatile OrderFailure[] users = {};
    private volatile boolean contradictsItself;
    /** What was wrong first, of what its databases were told; null if nothing was. */
    private volatile @Nullable Throwable failure;
    /** How many comparisons it could not be brought to make. */
    private final AtomicInteger unanswered = new AtomicInteger();
    /** What it has thrown the last time that it could not be brought to answer. */
    private volatile @Nullable Throwable lastUnanswered;
    /** How many comparisons were checked; only about right. */
    private int checked;
    /** Comparisons of before, that must come out the same. Replaced, never changed. */
    private volatile Remembered[] remembered = {};

    public CheckedComparator(UserOrder comparator, Object owner, String name, int timestampSize, Trust trust) {
        this.comparator = comparator;
        this.trust = trust;
        this.owner = owner;
        this.name = name;
        this.timestampSize = timestampSize;
    }

    /** What a comparator is told about itself. */
    public static final class Contradiction extends IllegalStateException {
        private static final long serialVersionUID = 1;

        public Contradiction(String message) {
            super(message);
        }
    }

    /** Two keys, in memory of their own, and their order. */
    private record Remembered(MemorySegment a, MemorySegment b, int sign) {
        static Remembered of(MemorySegment a, MemorySegment b, int order) {
            Arena arena = Arena.ofAuto();
            return new Remembered(arena.allocate(a.byteSize()).copyFrom(a).asReadOnly(),
                    arena.allocate(b.byteSize()).copyFrom(b).asReadOnly(), Integer.signum(order));
        }
    }

    /** How keys or timestamps are compared. */
    private interface Comparison {
        int compare(UserOrder comparator, MemorySegment a, MemorySegment b);
    }

    private static final Comparison KEYS = UserOrder::compare;
    private static final Comparison TIMESTAMPS = UserOrder::compareTimestamps;

    /** A database that uses it was opened. */
    public synchronized void addUser(OrderFailure user) {
        if (users.length == 0) {
            // Nobody relies on the order of before.
            contradictsItself = false;
            failure = null;
            checked = 0;
            remembered = new Remembered[0];
        }
        OrderFailure[] all = Arrays.copyOf(users, users.length + 1);
        all[users.length] = user;
        users = all;
        user.add(this);
        // Somebody else's database may have found out before.
        Throwable known = failure;
        if (known != null) {
            user.set(known);
            OrderGuard.wake();
        }
    }

    /** A database that uses it was closed. */
    public synchronized void removeUser(OrderFailure user) {
        users = Arrays.stream(users).filter(each -> each != user).toArray(OrderFailure[]::new);
    }

    /** Called inside an upcall, when the comparator has thrown: tells the databases, if it matters. Allocates nothing. */
    void fail(Throwable thrown, RunningCallbacks running) {
        if (thrown instanceof Contradiction) {
            contradictsItself = true;
        }
        if (trust == Trust.UNTIL_IT_THROWS || contradictsItself || running.isInJob()) {
            tell(thrown);
        }
    }

    /** Called inside an upcall, when RocksDB gets an answer that is not the comparator's. Allocates nothing. */
    void leaveUnanswered(Throwable thrown, RunningCallbacks running) {
        lastUnanswered = thrown;
        unanswered.incrementAndGet();
        running.leaveUnanswered(thrown);
        if (running.isInWrite(running.level())) {
            tell(thrown);
        }
    }

    private void tell(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
        for (OrderFailure user : users) {
            user.set(thrown);
        }
        OrderGuard.wake();
    }

    /** How many comparisons RocksDB has got another answer to, so far. */
    public int unanswered() {
        return unanswered.get();
    }

    /** What it has thrown in the last one of these; null if there was none. */
    @Nullable
    public Throwable lastUnanswered() {
        return lastUnanswered;
    }

    /** What it was told when it contradicted itself, or what was wrong before; null if it does not contradict itself. */
    @Nullable
    public Throwable contradiction() {
        return contradictsItself ? failure : null;
    }

    /** Makes some comparisons of before again, both ways round, and tells the databases if they are not as they were. */
    void checkAgain() {
        for (int left = ATTEMPTS; left >= 0; left--) {
            try {
                compareAgain();
                return;
            } catch (Throwable e) {
                if (left == 0) {
                    tell(e);
                }
            }
        }
    }

    private void compareAgain() {
        for (Remembered each : remembered) {
            int now = Integer.signum(comparator.compare(each.a, each.b));
            int reverse = Integer.signum(comparator.compare(each.b, each.a));
            if (now != each.sign || reverse != -each.sign) {
                contradictsItself = true;
                tell(new Contradiction("The comparator " + name + " contradicts itself: it compares "
                        + KeyText.hex(each.a)
                        + " with " + KeyText.hex(each.b) + " as " + now + " now, the other way round as " + reverse
                        + ", and as " + each.sign + " before; it must always put them in the same order"));
                return;
            }
        }
    }

    /** Compares keys without timestamps; for Java's own use, so whatever is thrown is the caller's. */
    @Override
    public int compare(MemorySegment a, MemorySegment b) {
        return comparator.compare(a, b);
    }

    /** Checks two keys that were sorted, the other way round. */
    public void requireOpposite(MemorySegment a, MemorySegment b) {
        int reverse = comparator.compare(b, a);
        if (reverse < 0) {
            Contradiction contradiction = new Contradiction(
                    "The comparator " + name + " contradicts itself: it has put "
                            + KeyText.hex(a) + " before " + KeyText.hex(b) + ", but compares the other way round as "
                            + reverse
                            + "; it must always put them in the same order");
            contradictsItself = true;
            tell(contradiction);
            throw contradiction;
        }
    }

    /** Compares keys without timestamps, for RocksDB. */
    public int keys(RunningCallbacks running, long id, MemorySegment a, MemorySegment b) {
        return compare(running, id, KEYS, a, b);
    }

    /** Compares timestamps, for RocksDB. */
    public int timestamps(RunningCallbacks running, long id, MemorySegment a, MemorySegment b) {
        return compare(running, id, TIMESTAMPS, a, b);
    }

    /** Compares keys with timestamps, for RocksDB: by key, and the newest first. */
    public int both(RunningCallbacks running, long id, MemorySegment a, MemorySegment b) {
        int byKey = keys(running, id, key(a), key(b));
        return byKey != 0 ? byKey : timestamps(running, id, timestamp(b), timestamp(a));
    }

    /** The key of a key with timestamp. */
    public MemorySegment key(MemorySegment both) {
        return both.asSlice(0, Math.max(0, both.byteSize() - timestampSize));
    }

    private MemorySegment timestamp(MemorySegment both) {
        return both.asSlice(Math.max(0, both.byteSize() - timestampSize));
    }

    /** Whether the next comparison is to be one that is checked, or is no longer the user's. */
    public boolean isDue(RunningCallbacks running) {
        return running.isSample || checked < FIRST || contradictsItself || running.isRoundNumber();
    }

    private int compare(RunningCallbacks running, long id, Comparison comparison, MemorySegment a, MemorySegment b) {
        if (contradictsItself) {
            return running.isAstray() ? running.anyAnswer() : bytewise(a, b);
        }
        try {
            return comparison.compare(comparator, a, b);
        } catch (Throwable e) {
            return failed(running, id, comparison, a, b, e);
        }
    }

    /** Compares keys without timestamps, for RocksDB, and checks the comparator. */
    public int checkedKeys(RunningCallbacks running, long id, MemorySegment a, MemorySegment b) {
        return checked(running, id, KEYS, a, b);
    }

    /** Compares timestamps, for RocksDB, and checks the comparator. */
    public int checkedTimestamps(RunningCallbacks running, long id, MemorySegment a, MemorySegment b) {
        return checked(running, id, TIMESTAMPS, a, b);
    }

    /** Compares keys with timestamps, for RocksDB, and checks the comparator. */
    public int checkedBoth(RunningCallbacks running, long id, MemorySegment a, MemorySegment b) {
        int byKey = checkedKeys(running, id, key(a), key(b));
        return byKey != 0 ? byKey : checkedTimestamps(running, id, timestamp(b), timestamp(a));
    }

    private int checked(RunningCallbacks running, long id, Comparison comparison, MemorySegment a, MemorySegment b) {
        if (failure != null && running.isInJob()) {
            return equal(running);
        }
        int order = compare(running, id, comparison, a, b);
        if (contradictsItself) {
            // Another thread may have found that out meanwhile: then this may be a lie, or in another order than the answers of before.
            return running.isInJob() ? equal(running) : order;
        }
        try {
            check(comparison, a, b, order);
            return order;
        } catch (Throwable e) {
            return failed(running, id, comparison, a, b, e);
        }
    }

    /** Compares keys without timestamps, for RocksDB, after the comparator was asked directly and has thrown. */
    public int failedKeys(RunningCallbacks running, long id, MemorySegment a, MemorySegment b, Throwable thrown) {
        return failed(running, id, KEYS, a, b, thrown);
    }

    private int failed(RunningCallbacks running, long id, Comparison comparison, MemorySegment a, MemorySegment b,
            Throwable thrown) {
        CallbackFailures.add(running, id, thrown);
        if (running.isInJob()) {
            return equal(running);
        }
        return inSpiteOf(running, comparison, a, b, thrown);
    }

    /**
     * The answer on a thread of RocksDB's, or in a job. What it is doing must not get onto the disk, so each comparison waits until the
     * database is stopped.
     */
    private int equal(RunningCallbacks running) {
        running.hasWaited = !awaitStop(running.hasWaited ? MORE_MILLIS : PATIENCE_MILLIS);
        return 0;
    }

    /** A database that is being opened works already, and can be stopped only when it is known. */
    private boolean awaitStop(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (isAnyOpening()) {
            if (System.nanoTime() >= end) {
                return false;
            }
            LockSupport.parkNanos(100_000);
        }
        return OrderGuard.await(millis);
    }

    private boolean isAnyOpening() {
        for (OrderFailure user : users) {
            if (user.isOpening()) {
                return true;
            }
        }
        return false;
    }

    /** Checks a comparison that was made: the other way round it must be the opposite, and a key is equal to itself. */
    private void check(Comparison comparison, MemorySegment a, MemorySegment b, int order) {
        checked++;
        int reverse = comparison.compare(comparator, b, a);
        if (Integer.signum(order) != -Integer.signum(reverse)) {
            throw new Contradiction(
                    "The comparator " + name + " contradicts itself: it compares " + KeyText.hex(a) + " with "
                            + KeyText.hex(b) + " as " + order + ", and the other way round as " + reverse
                            + "; it must always put them in the same order");
        }
        int same = comparison.compare(comparator, a, a);
        if (same != 0) {
            throw new Contradiction("The comparator " + name + " contradicts itself: it compares " + KeyText.hex(a)
                    + " with itself as " + same + "; it must answer 0");
        }
        if (comparison.equals(KEYS)) {
            requireSameAsBefore(a, b, order);
        }
    }

    /** An order that changes is in no way wrong at any moment, so some comparisons are made again later. */
    private void requireSameAsBefore(MemorySegment a, MemorySegment b, int order) {
        Remembered[] all = remembered;
        if (all.length < REMEMBERED && order != 0 && a.byteSize() + b.byteSize() <= LONGEST_REMEMBERED) {
            Remembered[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = Remembered.of(a, b, order);
            remembered = more;
            return;
        }
        if (all.length == 0) {
            return;
        }
        Remembered before = all[Integer.remainderUnsigned(checked, all.length)];
        int now = comparator.compare(before.a, before.b);
        if (Integer.signum(now) != before.sign) {
            throw new Contradiction(
                    "The comparator " + name + " contradicts itself: it compares " + KeyText.hex(before.a)
                            + " with " + KeyText.hex(before.b) + " as " + now + " now, and as " + before.sign
                            + " before; it must always put them in the same order");
        }
    }

    /** An answer after all. */
    private int inSpiteOf(RunningCallbacks running, Comparison comparison, MemorySegment a, MemorySegment b,
            Throwable thrown) {
        // Neither stack nor memory will be there a moment later.
        int attempts = thrown instanceof VirtualMachineError ? 1 : ATTEMPTS;
        for (int attempt = 0; attempt < attempts && !contradictsItself; attempt++) {
            try {
                return comparison.compare(comparator, a, b);
            } catch (Throwable e) {
                // Once more.
            }
        }
        leaveUnanswered(thrown, running);
        if (running.isAstray()) {
            return running.anyAnswer();
        }
        boolean isBadA = !contradictsItself && isBad(comparison, a);
        boolean isBadB = !contradictsItself && isBad(comparison, b);
        return isBadA == isBadB ? bytewise(a, b) : Boolean.compare(isBadA, isBadB);
    }

    private boolean isBad(Comparison comparison, MemorySegment key) {
        try {
            int _ = comparison.compare(comparator, key, key);
            return false;
        } catch (Throwable e) {
            return true;
        }
    }

    /** The order of the keys' bytes. */
    private static int bytewise(MemorySegment a, MemorySegment b) {
        return KeyOrder.BYTEWISE.compare(a, b);
    }
}
