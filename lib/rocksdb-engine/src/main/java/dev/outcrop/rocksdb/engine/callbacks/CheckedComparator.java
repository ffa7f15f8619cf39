package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A user's comparator, which may throw or contradict itself. RocksDB must see neither of these: it cannot handle a failed comparison, and
 * it reads and writes beyond its arrays if the order of keys changes.
 */
/*
 * A comparator that throws is asked again, because a wrong answer puts a key in a wrong place. If that does not help, keys that the
 * comparator cannot compare even with themselves come after all other keys, in the order of their bytes. This is a valid order too. A
 * comparator that contradicts itself has no order, so from then on keys are compared by their bytes. In both cases the databases that use
 * the comparator are stopped (ComparatorFailure). With Trust.UNTIL_A_CHANGE_FAILS they are stopped only if the comparator fails during a
 * change: a search for a key that it cannot compare does no harm.
 *
 * After a failure all keys are equal for RocksDB's own threads. A thread that chooses files to compact holds the lock that stopping takes,
 * and may move a file to another level before it releases the lock. If all keys are equal, the thread chooses all files that may overlap,
 * and never moves a file next to another one that it overlaps. After such a move, RocksDB would leave out all files when the database is
 * opened again.
 *
 * The end of a deleted range is different. If a file ends with it, the file does not contain the end itself. With an end equal to all other
 * keys, such a file would be empty; RocksDB would not find the file that it has just chosen, and the process would end. So these ends are
 * greater than all other keys.
 */
public final class CheckedComparator implements UserComparator {
    /** The number of first comparisons that are checked. */
    private static final int FIRST = 64;
    private static final int ATTEMPTS = 8;
    /**
     * The sequence number and the type that follow the last key of a file if the key is the end of a deleted range (kRangeTombstoneSentinel
     * in dbformat.h).
     */
    private static final long RANGE_END = 0xffff_ffff_ffff_ff0fL;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    /** The size of the smallest pages of memory. */
    private static final int PAGE = 4096;
    private static final int REMEMBERED = 8;
    private static final long LONGEST_REMEMBERED = 1024;

    /** When the databases of a comparator are stopped. */
    public enum Trust {
        /** After any exception. */
        UNTIL_IT_THROWS,
        /** After an exception in a change, unless the comparator answers when it is asked again. */
        UNTIL_A_CHANGE_FAILS
    }

    private final UserComparator comparator;
    private final Trust trust;
    /** The user's object. */
    public final Object owner;
    public final String name;
    public final int timestampSize;
    /** The open databases that use it. Replaced, never changed. */
    private volatile ComparatorFailure[] users = {};
    private volatile boolean contradictsItself;
    /** The first failure that its databases know of, or null. */
    private volatile @Nullable Throwable failure;
    /** The number of comparisons without an answer. */
    private final AtomicInteger unanswered = new AtomicInteger();
    /** The exception of the last comparison without an answer. */
    private volatile @Nullable Throwable lastUnanswered;
    /** The number of checked comparisons; approximate. */
    private int checked;
    /** Earlier comparisons, which are repeated later. Replaced, never changed. */
    private volatile Remembered[] remembered = {};

    public CheckedComparator(UserComparator comparator, Object owner, String name, int timestampSize, Trust trust) {
        this.comparator = comparator;
        this.trust = trust;
        this.owner = owner;
        this.name = name;
        this.timestampSize = timestampSize;
    }

    /** A contradiction of a comparator. */
    public static final class Contradiction extends IllegalStateException {
        private static final long serialVersionUID = 1;

        public Contradiction(String message) {
            super(message);
        }
    }

    /** Copies of two keys, and their order. */
    private record Remembered(MemorySegment a, MemorySegment b, int sign) {
        static Remembered of(MemorySegment a, MemorySegment b, int order) {
            Arena arena = Arena.ofAuto();
            return new Remembered(arena.allocate(a.byteSize()).copyFrom(a).asReadOnly(),
                    arena.allocate(b.byteSize()).copyFrom(b).asReadOnly(), Integer.signum(order));
        }
    }

    /** A comparison of keys or of timestamps. */
    private interface Comparison {
        int compare(UserComparator comparator, MemorySegment a, MemorySegment b);
    }

    private static final Comparison KEYS = UserComparator::compare;
    private static final Comparison TIMESTAMPS = UserComparator::compareTimestamps;

    /** Adds an open database that uses the comparator. */
    public synchronized void addUser(ComparatorFailure user) {
        if (users.length == 0) {
            // No database relies on the earlier order.
            contradictsItself = false;
            failure = null;
            checked = 0;
            remembered = new Remembered[0];
        }
        ComparatorFailure[] all = Arrays.copyOf(users, users.length + 1);
        all[users.length] = user;
        users = all;
        user.add(this);
        // Another database may have had a failure before.
        Throwable known = failure;
        if (known != null) {
            user.set(known);
            ComparatorWatchdog.wake();
        }
    }

    /** Removes a closed database. */
    public synchronized void removeUser(ComparatorFailure user) {
        users = Arrays.stream(users).filter(each -> each != user).toArray(ComparatorFailure[]::new);
    }

    /** Stops the databases after an exception inside an upcall, if the exception matters. Allocates nothing. */
    void fail(Throwable thrown, RunningCallbacks running) {
        if (thrown instanceof Contradiction) {
            contradictsItself = true;
        }
        if (trust == Trust.UNTIL_IT_THROWS || contradictsItself || running.isInJob()) {
            tell(thrown);
        }
    }

    /** Notes, inside an upcall, that RocksDB gets an answer that is not the comparator's. Allocates nothing. */
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
        for (ComparatorFailure user : users) {
            user.set(thrown);
        }
        ComparatorWatchdog.wake();
    }

    /** Returns the number of comparisons for which RocksDB got an answer that was not the comparator's. */
    public int unanswered() {
        return unanswered.get();
    }

    /** Returns the exception of the last such comparison, or null. */
    @Nullable
    public Throwable lastUnanswered() {
        return lastUnanswered;
    }

    /** Returns the first failure of a comparator that has contradicted itself; null for others. */
    @Nullable
    public Throwable contradiction() {
        return contradictsItself ? failure : null;
    }

    /** Repeats some comparisons, both ways round, and stops the databases if the results differ. */
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
                tell(contradiction("compares " + KeyText.hex(each.a) + " with " + KeyText.hex(each.b) + " as " + now
                        + " now, the other way round as " + reverse + ", and as " + each.sign + " before"));
                return;
            }
        }
    }

    /** Compares keys without timestamps, for Java: the caller gets exceptions. */
    @Override
    public int compare(MemorySegment a, MemorySegment b) {
        return comparator.compare(a, b);
    }

    /** Compares two sorted keys the other way round, and throws if the results contradict each other. */
    public void requireOpposite(MemorySegment a, MemorySegment b) {
        int reverse = comparator.compare(b, a);
        if (reverse < 0) {
            Contradiction contradiction = contradiction("has put " + KeyText.hex(a) + " before " + KeyText.hex(b)
                    + ", but compares the other way round as " + reverse);
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

    /** Returns the key without its timestamp. */
    public MemorySegment key(MemorySegment both) {
        return both.asSlice(0, Math.max(0, both.byteSize() - timestampSize));
    }

    private MemorySegment timestamp(MemorySegment both) {
        return both.asSlice(Math.max(0, both.byteSize() - timestampSize));
    }

    /** Returns whether the next comparison must be checked, or must not call the user's comparator any longer. */
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
            return answerJob(running, a, b, ComparatorWatchdog.rounds());
        }
        int order = compare(running, id, comparison, a, b);
        if (contradictsItself) {
            // Another thread may have found the contradiction meanwhile. Then this answer may be wrong, or belong to another order than
            // earlier answers.
            return running.isInJob() ? answerJob(running, a, b, ComparatorWatchdog.rounds()) : order;
        }
        try {
            check(comparison, a, b, order);
            return order;
        } catch (Throwable e) {
            return failed(running, id, comparison, a, b, e);
        }
    }

    /** Compares keys without timestamps, for RocksDB, after the comparator was called directly and has thrown. */
    public int failedKeys(RunningCallbacks running, long id, MemorySegment a, MemorySegment b, Throwable thrown) {
        return failed(running, id, KEYS, a, b, thrown);
    }

    private int failed(RunningCallbacks running, long id, Comparison comparison, MemorySegment a, MemorySegment b,
            Throwable thrown) {
        // Before the failure wakes the watchdog.
        long rounds = ComparatorWatchdog.rounds();
        CallbackFailures.add(running, id, thrown);
        if (running.isInJob()) {
            return answerJob(running, a, b, rounds);
        }
        return inSpiteOf(running, comparison, a, b, thrown);
    }

    /**
     * Returns an answer that is not the comparator's, for a thread of RocksDB or for a job. A file in such an order must not get into the
     * database. So a thread that writes a file waits until the database is stopped. A thread that chooses files holds the lock that stopping
     * needs, and does not wait.
     *
     * @param rounds of the watchdog when the comparison had begun
     */
    private int answerJob(RunningCallbacks running, MemorySegment a, MemorySegment b, long rounds) {
        if (running.isWritingFile() || !knowsWriters()) {
            running.hasWaited = !awaitStop(running, rounds);
            if (!running.hasWaited) {
                // The file gets nowhere now, and RocksDB may send no event for its end.
                running.endFileOfJob();
            }
        }
        return Boolean.compare(isRangeEnd(running, a), isRangeEnd(running, b));
    }

    /** Returns whether a file ends before this key, because the key is the end of a deleted range. */
    private boolean isRangeEnd(RunningCallbacks running, MemorySegment key) {
        long last = key.address() + key.byteSize() - 1;
        long number = last + 1 + timestampSize;
        // A Java method may have passed a key that ends with its memory. Keys of RocksDB's own threads are in RocksDB's memory, which goes on.
        return key.byteSize() > 0
                && (!running.hasJavaCaller() || last / PAGE == (number + Long.BYTES - 1) / PAGE)
                && NativeCalls.view(number, Long.BYTES).get(LONG, 0) == RANGE_END;
    }

    /** Returns whether {@link RunningCallbacks#isWritingFile()} is known for all databases with this comparator. */
    private boolean knowsWriters() {
        for (ComparatorFailure user : users) {
            if (!user.knowsWriters()) {
                return false;
            }
        }
        return true;
    }

    /** Waits until the databases are stopped. A database that is being opened cannot be stopped before it is known. */
    private boolean awaitStop(RunningCallbacks running, long rounds) {
        long end = System.nanoTime() + ComparatorWatchdog.most(running.hasWaited);
        while (isAnyOpening()) {
            if (System.nanoTime() >= end) {
                return false;
            }
            LockSupport.parkNanos(100_000);
        }
        return ComparatorWatchdog.await(running.hasWaited, running.isWritingFile(), rounds);
    }

    private boolean isAnyOpening() {
        for (ComparatorFailure user : users) {
            if (user.isOpening()) {
                return true;
            }
        }
        return false;
    }

    /** Checks a comparison: the other way round the result must be the opposite, and a key must be equal to itself. */
    private void check(Comparison comparison, MemorySegment a, MemorySegment b, int order) {
        checked++;
        int reverse = comparison.compare(comparator, b, a);
        if (Integer.signum(order) != -Integer.signum(reverse)) {
            throw contradiction("compares " + KeyText.hex(a) + " with " + KeyText.hex(b) + " as " + order
                    + ", and the other way round as " + reverse);
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

    /** Repeats an earlier comparison: if an order changes over time, it may be consistent at each single moment. */
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
            throw contradiction("compares " + KeyText.hex(before.a) + " with " + KeyText.hex(before.b) + " as " + now
                    + " now, and as " + before.sign + " before");
        }
    }

    private Contradiction contradiction(String how) {
        return new Contradiction("The comparator " + name + " contradicts itself: it " + how
                + "; it must always put them in the same order");
    }

    /** Finds an answer after an exception. */
    private int inSpiteOf(RunningCallbacks running, Comparison comparison, MemorySegment a, MemorySegment b,
            Throwable thrown) {
        // There will be no more stack or memory a moment later.
        int attempts = thrown instanceof VirtualMachineError ? 1 : ATTEMPTS;
        for (int attempt = 0; attempt < attempts && !contradictsItself; attempt++) {
            try {
                return comparison.compare(comparator, a, b);
            } catch (Throwable e) {
                // The loop asks again.
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

    /** Compares keys by their bytes. */
    private static int bytewise(MemorySegment a, MemorySegment b) {
        return UserComparator.BYTEWISE.compare(a, b);
    }
}
