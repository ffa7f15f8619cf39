package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.Upcall;
import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks that are running on a thread, one inside another, and what they have thrown for the Java methods that called RocksDB.
 *
 * <p>Level 0 is the thread outside of callbacks, level 1 is inside the outermost one, and so on: a callback at level n + 1 belongs to a
 * native call that was made at level n, if the thread is not one of RocksDB's own, which nobody in Java has called at level 0.
 */
/*
 * What happens in each callback is a thread-local look-up and two plain stores of numbers: storing references would cost the collector's
 * write barriers. Levels are few, so the arrays hardly ever grow, and a callback allocates nothing here.
 */
public final class RunningCallbacks implements Upcall {
    private static final int FIRST_LEVELS = 4;
    /** A check takes as long as some ten comparisons. */
    private static final int SAMPLE = 512;
    /** A power of two. One comparison of so many is checked whatever the thread does: a call may be one that never returns. */
    private static final int ROUND = 1 << 16;
    /** A search asks for some dozens. */
    private static final int MOST_IN_A_SEARCH = 5_000;
    @SuppressWarnings("StaticAssignmentOfThrowable") // It says nothing, and has no stack trace.
    private static final RuntimeException REHEARSED = new Rehearsed();
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final ThreadLocal<RunningCallbacks> OF_THREAD = ThreadLocal.withInitial(RunningCallbacks::new);
    /** Those found last, by a part of the thread's id: half the loads of a thread-local look-up, which callbacks are too fast for. */
    private static final @Nullable RunningCallbacks[] FOUND = new RunningCallbacks[256];

    /** Ends a call that is none. */
    private static final class Rehearsed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Rehearsed() {
            super("a rehearsal", null, false, false);
        }
    }

    /** The numbers of the callbacks. */
    private long[] ids = new long[FIRST_LEVELS];
    /** What callbacks have thrown, by the level of the method that it is for. */
    private @Nullable Throwable[] thrown = new Throwable[FIRST_LEVELS + 1];
    /** Whether what was begun last at a level is a write. */
    private boolean[] writing = new boolean[FIRST_LEVELS + 1];
    /** Whether what was begun last at a level does the work of RocksDB's own threads. */
    private boolean[] working = new boolean[FIRST_LEVELS + 1];
    private int jobs;
    private int level;
    /** How many calls of RocksDB this thread has begun. */
    private int calls;
    /**
     * Whether comparisons are to be checked: all those of one call in {@link #SAMPLE}, and all on RocksDB's own threads and in jobs,
     * because what these do ends up in files, and there is no log to make it anew from.
     */
    public boolean isSample;
    /** Whether this thread of RocksDB's has waited in vain for its database to be stopped: it may hold the lock that this takes. */
    public boolean hasWaited;
    /** Whether comparators are being asked again, see {@link OrderFailure#checkAgain()}. */
    boolean isCheckingAgain;
    /** How many comparisons this thread has made outside of calls that are checked. */
    private int comparisons;
    /** What a comparator has thrown that could not be brought to answer, since {@link #forgetUnanswered()}. */
    private @Nullable Throwable unanswered;
    /** How many answers of the search that this thread makes were not the comparator's; negative where none is known to have begun. */
    private int astray = -1;
    /** The order of the database that is being changed, or was last. */
    private @Nullable OrderFailure changing;
    private final boolean isRocksdbThread;
    private final long threadId = Thread.currentThread().threadId();

    private RunningCallbacks() {
        // RocksDB's own threads have no other Java frames than those of callbacks.
        this.isRocksdbThread = STACK.walk(frames -> frames.reduce((_, next) -> next)).map(StackFrame::getDeclaringClass)
                .map(Upcall.class::isAssignableFrom).orElse(false);
        this.isSample = isRocksdbThread;
    }

    /** Those of the calling thread. */
    public static RunningCallbacks ofThread() {
        long id = Thread.currentThread().threadId();
        // A race of two threads for a place costs one of them the look-up; final fields are safe to read however the object was found.
        RunningCallbacks found = FOUND[(int) id & (FOUND.length - 1)];
        return found != null && found.threadId == id ? found : lookUp((int) id & (FOUND.length - 1));
    }

    private static RunningCallbacks lookUp(int place) {
        RunningCallbacks running = OF_THREAD.get();
        FOUND[place] = running;
        return running;
    }

    /** A callback begins, on the calling thread. */
    public static RunningCallbacks enter(long id) {
        if (id == Callbacks.REHEARSAL) {
            // All that follows, the method too, is linked inside the handler, which may fail.
            throw REHEARSED;
        }
        RunningCallbacks running = ofThread();
        if (running.level == running.ids.length) {
            running.grow();
        }
        running.ids[running.level++] = id;
        return running;
    }

    /** The innermost callback has ended. */
    public void exit() {
        // What it was told by calls of its own is nobody's any more.
        CallbackFailures.forget(this);
        level--;
    }

    /** Notes what is about to be done at this level. */
    public void begin(boolean isWrite) {
        writing[level] = isWrite;
        isSample = isRocksdbThread || jobs > 0 || ++calls % SAMPLE == 0;
        astray = 0;
        changing = null;
    }

    /** As {@link #begin}, for what may meet a failure of background work, which has its cause in the order of the keys. */
    public void beginChange(boolean isWrite, OrderFailure order) {
        begin(isWrite);
        changing = order;
    }

    /** What was begun with {@link #beginChange} has ended, for those who do not begin whatever is done next. */
    public void endChange() {
        end();
        endSearch();
        changing = null;
    }

    /** What is wrong with the order of the database that is being changed, or was last; null if nothing is. */
    @Nullable
    public Throwable changeFailure() {
        return changing == null ? null : changing.cause();
    }

    /** A search is about to begin, for those who do not {@link #begin} it; to be ended by {@link #endSearch()}. */
    public void beginSearch() {
        forgetUnanswered();
        astray = 0;
    }

    /** The search has ended: the next ones are none that could go round in circles. */
    public void endSearch() {
        astray = -1;
    }

    /** A write is about to be done at this level that makes files, as RocksDB's own threads do. To be ended by {@link #endJob()}. */
    public void beginJob() {
        writing[level] = true;
        working[level] = true;
        jobs++;
        isSample = true;
    }

    public void endJob() {
        working[level] = false;
        jobs--;
        end();
    }

    /** Entries are about to be added to a file, of which no database needs to know: all comparisons are checked until {@link #end()}. */
    public void beginFile() {
        forgetUnanswered();
        checkAll();
    }

    /** Has all comparisons checked until something else begins or what was begun ends. */
    public void checkAll() {
        isSample = true;
    }

    /** What was begun last at this level has ended, for those who do not begin whatever is done next. */
    public void end() {
        writing[level] = false;
        isSample = isRocksdbThread || jobs > 0;
    }

    /** Whether the callback that runs at a level was called in a write, by a Java method. */
    public boolean isInWrite(int which) {
        return hasJavaCaller(which) && writing[which - 1];
    }

    void leaveUnanswered(Throwable failure) {
        unanswered = failure;
    }

    public void forgetUnanswered() {
        unanswered = null;
    }

    /** What a comparator has thrown on this thread that could not be brought to answer, since {@link #forgetUnanswered()}. */
    @Nullable
    public Throwable unanswered() {
        return unanswered;
    }

    /** Counts a comparison. Returns whether it is to be checked. */
    boolean isRoundNumber() {
        return (++comparisons & (ROUND - 1)) == 0;
    }

    /**
     * Counts an answer that is not the comparator's. Returns whether there were so many in one search that RocksDB goes round in circles:
     * an iterator that has passed some entries in vain seeks, and in another order than that of the files it may get to the same place
     * again and again.
     */
    boolean isAstray() {
        return astray >= 0 && ++astray > MOST_IN_A_SEARCH;
    }

    /** One that nobody can foretell, after {@link #isAstray()}: it ends any loop sooner or later. */
    int anyAnswer() {
        return Integer.remainderUnsigned(astray * 0x9E3779B9, 3) - 1;
    }

    /** How many callbacks are running, one inside another. */
    public int level() {
        return level;
    }

    /** The callback that runs at a level, from 1 on. */
    public Callback at(int which) {
        return Callbacks.of(ids[which - 1]);
    }

    /** Whether a Java method has called RocksDB, which has called the innermost callback. */
    public boolean hasJavaCaller() {
        return hasJavaCaller(level);
    }

    /** Whether a Java method has called RocksDB, which has called the callback that runs at a level. */
    public boolean hasJavaCaller(int which) {
        return which > 1 || !isRocksdbThread;
    }

    /** Whether what the innermost callback answers ends up in a file: on a thread of RocksDB's, or one that does the work of these. */
    public boolean isInJob() {
        return !hasJavaCaller() || working[level - 1];
    }

    /** Keeps what the innermost callback has thrown for the method that called RocksDB, unless something is kept for it already. */
    public boolean keep(Throwable failure) {
        if (level == 0 || !hasJavaCaller() || thrown[level - 1] != null) {
            return false;
        }
        thrown[level - 1] = failure;
        return true;
    }

    /** What a callback has thrown for the calling method, and forgets it. */
    @Nullable
    public Throwable take() {
        Throwable failure = thrown[level];
        if (failure != null) {
            thrown[level] = null;
            CallbackFailures.taken();
        }
        return failure;
    }

    private void grow() {
        thrown = Arrays.copyOf(thrown, 2 * level + 1);
        writing = Arrays.copyOf(writing, 2 * level + 1);
        working = Arrays.copyOf(working, 2 * level + 1);
        ids = Arrays.copyOf(ids, 2 * level);
    }
}
