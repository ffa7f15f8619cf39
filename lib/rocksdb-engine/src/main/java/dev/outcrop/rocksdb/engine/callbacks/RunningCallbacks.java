package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.StackCheck;
import dev.outcrop.memory.Upcall;
import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The callbacks that are running on a thread, one inside another, and their exceptions for the Java methods that called RocksDB.
 *
 * <p>Level 0 is outside of all callbacks, level 1 is inside the outermost callback, and so on. A callback at level n + 1 belongs to a
 * native call at level n; on RocksDB's own threads, no Java method makes the call at level 0.
 */
/*
 * A callback only makes a thread-local look-up and two plain stores of numbers here: storing references would cost write barriers of the
 * collector. There are few levels, so the arrays hardly ever grow.
 */
public final class RunningCallbacks implements Upcall {
    private static final int FIRST_LEVELS = 4;
    /** The stack that the walk itself takes, as for {@link Upcall#isRunning()}. */
    private static final int WALKING_KIB = 16;
    /** One in this many calls is checked: a check takes as long as some ten comparisons. */
    private static final int SAMPLE = 512;
    /** One in this many comparisons is always checked, because a call may never return. A power of two. */
    private static final int ROUND = 1 << 16;
    /** A search makes some dozens of comparisons. */
    private static final int MOST_IN_A_SEARCH = 5_000;
    @SuppressWarnings("StaticAssignmentOfThrowable") // it has no stack trace
    private static final RuntimeException WARMED_UP = new WarmedUp();
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final ThreadLocal<RunningCallbacks> OF_THREAD = ThreadLocal.withInitial(RunningCallbacks::new);

    /** Ends the first call of a function pointer. */
    private static final class WarmedUp extends RuntimeException {
        private static final long serialVersionUID = 1;

        WarmedUp() {
            super("the first call of a function pointer", null, false, false);
        }
    }

    /** The numbers of the callbacks. */
    private long[] ids = new long[FIRST_LEVELS];
    /** Exceptions of callbacks, by the level of the method that gets them. */
    private @Nullable Throwable[] thrown = new Throwable[FIRST_LEVELS + 1];
    /** Whether the last call at a level is a write. */
    private boolean[] writing = new boolean[FIRST_LEVELS + 1];
    /** Whether the last call at a level does work that RocksDB's own threads usually do. */
    private boolean[] working = new boolean[FIRST_LEVELS + 1];
    private int jobs;
    private int level;
    /** The number of calls of RocksDB that this thread has begun. */
    private int calls;
    /**
     * Whether comparisons are checked. All comparisons of one call in {@link #SAMPLE} are checked, and all on RocksDB's own threads and in
     * jobs, because these write files that no log could restore.
     */
    public boolean isSample;
    /** Whether this thread of RocksDB has waited in vain for its database to be stopped. */
    public boolean hasWaited;
    /** The number of the listener of the database for which this thread writes a file; 0 for none. */
    private long writingFor;
    /** Whether comparators repeat comparisons, see {@link ComparatorFailure#checkAgain()}. */
    boolean isCheckingAgain;
    /** The number of comparisons of this thread outside of checked calls. */
    private int comparisons;
    /** The exception of an unanswered comparison since {@link #forgetUnanswered()}. */
    private @Nullable Throwable unanswered;
    /** The number of answers in this search that were not the comparator's; negative outside of searches. */
    private int astray = -1;
    /** The failure of the database that is being changed, or was changed last. */
    private @Nullable ComparatorFailure changing;
    private final boolean isRocksdbThread;

    private RunningCallbacks() {
        // If the stack ran out, the stack walker would throw an InternalError.
        StackCheck.require(WALKING_KIB);
        // The only Java frames of RocksDB's own threads are those of callbacks.
        this.isRocksdbThread = STACK.walk(frames -> frames.reduce((_, next) -> next)).map(StackFrame::getDeclaringClass)
                .map(Upcall.class::isAssignableFrom).orElse(false);
        this.isSample = isRocksdbThread;
    }

    /** Returns the callbacks of the calling thread. */
    public static RunningCallbacks ofThread() {
        return OF_THREAD.get();
    }

    /** Begins a callback on the calling thread. */
    public static RunningCallbacks enter(long id) {
        if (id == Callbacks.WARM_UP) {
            // The rest, including the method, is linked inside the handler, where linking may fail.
            throw WARMED_UP;
        }
        RunningCallbacks running = ofThread();
        if (running.level == running.ids.length) {
            running.grow();
        }
        running.ids[running.level++] = id;
        return running;
    }

    /** Ends the innermost callback. */
    public void exit() {
        // Drops the exceptions of the callback's own calls.
        CallbackFailures.forget(this);
        level--;
    }

    /** Begins a call at this level. */
    public void begin(boolean isWrite) {
        writing[level] = isWrite;
        isSample = isRocksdbThread || jobs > 0 || ++calls % SAMPLE == 0;
        astray = 0;
        changing = null;
    }

    /** Does the same as {@link #begin}, for a call that may meet a failure of background work caused by a comparator. */
    public void beginChange(boolean isWrite, ComparatorFailure order) {
        begin(isWrite);
        changing = order;
    }

    /** Ends a call that {@link #beginChange} began, for callers that do not begin the next call. */
    public void endChange() {
        end();
        endSearch();
        changing = null;
    }

    /** Returns the failure of the database that is being changed, or was changed last, or null. */
    @Nullable
    public Throwable changeFailure() {
        return changing == null ? null : changing.cause();
    }

    /** Begins a search, for callers that do not call {@link #begin}. {@link #endSearch()} ends the search. */
    public void beginSearch() {
        forgetUnanswered();
        astray = 0;
    }

    /** Ends a search. */
    public void endSearch() {
        astray = -1;
    }

    /** Begins a write at this level that makes files, as RocksDB's own threads do. {@link #endJob()} ends the write. */
    public void beginJob() {
        writing[level] = true;
        working[level] = true;
        jobs++;
        isSample = true;
    }

    /**
     * Notes that this thread begins to write a file for a flush or a compaction. It does not hold the lock of the database then. Called by
     * the listener of the database.
     */
    public void beginFileOfJob() {
        writingFor = ids[level - 1];
        hasWaited = false;
    }

    /** Notes that this thread does not write a file for a flush or a compaction. */
    public void endFileOfJob() {
        writingFor = Callbacks.WARM_UP;
    }

    /**
     * Returns whether this thread writes a file for a flush or a compaction. Only databases with a listener tell. RocksDB sends no event for
     * the end if the database is stopped meanwhile; then the listener ends with the database.
     */
    boolean isWritingFile() {
        return writingFor != Callbacks.WARM_UP && Callbacks.isThere(writingFor);
    }

    public void endJob() {
        working[level] = false;
        jobs--;
        end();
    }

    /** Begins to add entries to a file without a database: all comparisons are checked until {@link #end()}. */
    public void beginFile() {
        forgetUnanswered();
        checkAll();
    }

    /** Checks all comparisons until another call begins or this one ends. */
    public void checkAll() {
        isSample = true;
    }

    /** Ends the last call at this level, for callers that do not begin the next one. */
    public void end() {
        writing[level] = false;
        isSample = isRocksdbThread || jobs > 0;
    }

    /** Returns whether the callback at a level was called in a write that a Java method made. */
    public boolean isInWrite(int which) {
        return hasJavaCaller(which) && writing[which - 1];
    }

    void leaveUnanswered(Throwable failure) {
        unanswered = failure;
    }

    public void forgetUnanswered() {
        unanswered = null;
    }

    /** Returns the exception of an unanswered comparison on this thread since {@link #forgetUnanswered()}. */
    @Nullable
    public Throwable unanswered() {
        return unanswered;
    }

    /** Counts a comparison; returns whether it is checked. */
    boolean isRoundNumber() {
        return (++comparisons & (ROUND - 1)) == 0;
    }

    /**
     * Counts an answer that is not the comparator's. Returns whether one search had so many of them that RocksDB loops: an iterator that
     * has passed some entries in vain seeks, and if the order differs from the order of the files, it may get to the same place again and
     * again.
     */
    boolean isAstray() {
        return astray >= 0 && ++astray > MOST_IN_A_SEARCH;
    }

    /** Returns a pseudo-random answer after {@link #isAstray()}. Such answers end any loop sooner or later. */
    int anyAnswer() {
        return Integer.remainderUnsigned(astray * 0x9E3779B9, 3) - 1;
    }

    /** Returns how many callbacks are running, one inside another. */
    public int level() {
        return level;
    }

    /** Returns the callback at a level, from 1 on. */
    public Callback at(int which) {
        return Callbacks.of(ids[which - 1]);
    }

    /** Returns whether the innermost callback has a Java method below RocksDB. */
    public boolean hasJavaCaller() {
        return hasJavaCaller(level);
    }

    /** Returns whether the callback at a level has a Java method below RocksDB. */
    public boolean hasJavaCaller(int which) {
        return which > 1 || !isRocksdbThread;
    }

    /** Returns whether files depend on the innermost callback: it runs on a thread of RocksDB, or on a thread that does RocksDB's work. */
    public boolean isInJob() {
        return !hasJavaCaller() || working[level - 1];
    }

    /** Keeps an exception of the innermost callback for the method that called RocksDB, unless another exception is kept already. */
    public boolean keep(Throwable failure) {
        if (level == 0 || !hasJavaCaller() || thrown[level - 1] != null) {
            return false;
        }
        thrown[level - 1] = failure;
        return true;
    }

    /** Returns and removes the exception of a callback for the calling method. */
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
