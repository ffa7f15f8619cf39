package org.rocksdb;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.IdleIterator;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one thread after the other into a native iterator, until it is closed. An object of its own, which copies of an iterator share
 * that a mocking library makes field by field.
 */
/*
 * A call holds it by one atomic write, and closing waits for it. So a call need not enter the lifetime of the database, which closes its
 * iterators before itself.
 */
final class IteratorGuard {

    private static final long FREE = 0;
    private static final long CLOSED = -1;
    private static final long PAUSE_NANOS = 20_000;
    /** Bytes of a key or value that a move copies at most. */
    private static final long LARGEST_AHEAD = 4096;
    private static final VarHandle HOLDER;
    private static final VarHandle KEY;
    private static final VarHandle VALUE;
    private static final VarHandle MOVER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HOLDER = lookup.findVarHandle(IteratorGuard.class, "holder", long.class).withInvokeExactBehavior();
            KEY = lookup.findVarHandle(IteratorGuard.class, "copiedKey", byte[].class).withInvokeExactBehavior();
            VALUE = lookup.findVarHandle(IteratorGuard.class, "copiedValue", byte[].class).withInvokeExactBehavior();
            MOVER = lookup.findVarHandle(IteratorGuard.class, "mover", long.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Where RocksDB writes how long a key or value is. */
    final long length = IteratorWords.take();
    /** The native iterator. */
    long iterator;
    /** What it was made of, in case that it has to be made again: a native family, or 0 if it cannot be, and options or null. */
    private long family;
    private ReadOptions options;
    /** What the native iterator has pointers to; null if that is nothing. */
    private NativeSlice[] slices;
    /** Of the iterator that was given away to be in this one; null if there is none. */
    private IteratorGuard base;
    /** Whose guard this is, as long as it is one of {@link OpenIterators}; otherwise null. */
    AbstractRocksIterator<?> listed;
    /** The neighbours there, or null. */
    IteratorGuard older;
    IteratorGuard newer;
    /** Whether the iterator is at an entry. Each move finds out, and then nobody else needs to ask. */
    boolean isValid;
    /** What watches the order of the entries; null if no comparator can fail. */
    private OrderWatch order;
    /** What was wrong with the order when it was moved; null if nothing was. */
    private Throwable failure;
    /**
     * What the move to this entry has copied, because it was asked for at the entry before; null if it was not, or was taken. It saves the
     * thread that moves the iterator a call of its own for each, which begins and ends with an atomic write.
     */
    @SuppressWarnings("UnusedVariable") // read by its handle
    private byte[] copiedKey;
    @SuppressWarnings("UnusedVariable") // likewise
    private byte[] copiedValue;
    private boolean isKeyWanted;
    private boolean isValueWanted;
    /** Whether anybody has asked for one at all. */
    private boolean areKeysRead;
    private boolean areValuesRead;
    /** Where the native iterator goes when it is closed, and what it is there; null if it is freed. */
    private IdleIterators.OfFamily home;
    private IdleIterator idle;
    /** The id of the thread that has moved it and may take the copies; 0 from the next call on. */
    private long mover;
    /** The id of the thread that is inside a call, or one of the two constants. */
    private volatile long holder = FREE;

    IteratorGuard(long iterator) {
        this.iterator = iterator;
    }

    /** Keeps what the iterator was made of: options that are leased for it, and slices that are held. */
    void keep(long family, ReadOptions options, NativeSlice[] slices) {
        this.family = family;
        this.options = options;
        this.slices = slices;
    }

    /** The native iterator goes there when it is closed; null for nowhere. It was in use before, so it is known what will be read. */
    void setHome(IdleIterators.OfFamily where, IdleIterator what) {
        home = where;
        idle = what;
        isKeyWanted = what.readsKeys();
        isValueWanted = what.readsValues();
    }

    /** Called when it is closed: keeps the native iterator for the next user, or returns that it is to be freed. */
    boolean goHome() {
        if (home == null || !(isValid || isSound())) {
            return false;
        }
        idle.setReads(areKeysRead, areValuesRead);
        return home.keep(idle);
    }

    /** Whether nothing has failed: some failures stay. At an entry nothing has. */
    private boolean isSound() {
        try (Scratch scratch = Scratch.open()) {
            NativeIterator.error(iterator, Errors.place(scratch));
            if (scratch.word(0) == 0) {
                return true;
            }
            Errors.forget(scratch);
            return false;
        } catch (Throwable e) {
            // No memory to ask.
            return false;
        }
    }

    /** Called within a call for the key. */
    void keyIsRead() {
        isKeyWanted = true;
        areKeysRead = true;
    }

    /** Called within a call for the value. */
    void valueIsRead() {
        isValueWanted = true;
        areValuesRead = true;
    }

    /** Begins a call, in which the native iterator belongs to this thread until {@link #exit()}. */
    void enter() {
        // A stack that overflows inside must leave enough to exit: a closer would wait for ever.
        Headroom.require(Headroom.RELEASE);
        if (!(boolean) HOLDER.compareAndSet(this, FREE, Thread.currentThread().threadId()) && !await()) {
            throw closed();
        }
        mover = 0;
        copiedKey = null;
        copiedValue = null;
        if (order != null) {
            order.beginSearch();
        }
    }

    void watch(OrderWatch watch) {
        order = watch;
    }

    /**
     * Called within each call that moves the native iterator. One that has passed a comparison without an answer is at no entry: to turn
     * round there could end the process.
     */
    void moved() {
        failure = order == null ? null : order.searched();
        isValid = failure == null && NativeIterator.isValid(iterator);
    }

    /** Called within a call that has moved the native iterator to an entry. */
    void copyAhead() {
        byte[] key = isKeyWanted ? smallCopy(NativeIterator.key(iterator, length)) : null;
        byte[] value = isValueWanted ? smallCopy(NativeIterator.value(iterator, length)) : null;
        isKeyWanted = false;
        isValueWanted = false;
        // Release: who sees them sees whole arrays, and that nobody's copies were there before.
        KEY.setRelease(this, key);
        VALUE.setRelease(this, value);
        // Release: who sees itself sees its copies.
        MOVER.setRelease(this, Thread.currentThread().threadId());
    }

    /** A copy of what RocksDB has just told the length of; null if it is none, or so large that a call more does not matter. */
    private byte[] smallCopy(long address) {
        long size = NativeCalls.readLong(length);
        return size < 0 || size > LARGEST_AHEAD ? null : Natives.bytes(address, size);
    }

    /** The key that the calling thread's move has copied, once; null if there is none. */
    byte[] takeKey() {
        long self = Thread.currentThread().threadId();
        if (mover != self) {
            return null;
        }
        requireOpen();
        keyIsRead();
        // Acquire, as the look behind it: if another thread has moved the iterator meanwhile, the array is that thread's.
        byte[] copied = (byte[]) KEY.getAcquire(this);
        if (copied == null || (long) MOVER.getAcquire(this) != self) {
            return null;
        }
        copiedKey = null;
        return copied;
    }

    /** As {@link #takeKey}. */
    byte[] takeValue() {
        long self = Thread.currentThread().threadId();
        if (mover != self) {
            return null;
        }
        requireOpen();
        valueIsRead();
        // Acquire: as for keys.
        byte[] copied = (byte[]) VALUE.getAcquire(this);
        if (copied == null || (long) MOVER.getAcquire(this) != self) {
            return null;
        }
        copiedValue = null;
        return copied;
    }

    /** Throws if the order was wrong when it was moved, or is wrong now. */
    void requireOrder() throws RocksDBException {
        if (order != null) {
            order.require();
            if (failure != null) {
                throw OrderWatch.failure("The iterator is at no entry", failure,
                        "Seek a key that it can compare");
            }
        }
    }

    void exit() {
        HOLDER.setRelease(this, FREE);
    }

    void requireOpen() {
        if (holder == CLOSED) {
            throw closed();
        }
    }

    /** Whether the calling thread is inside a call, such as in a callback. */
    boolean isEnteredByCaller() {
        return holder == Thread.currentThread().threadId();
    }

    boolean canBeMadeAgain() {
        return family != 0;
    }

    /**
     * Goes on with a new native iterator of the same kind, which reads a snapshot; with the old one if RocksDB has none for this. Called
     * inside, and while both are in use.
     */
    void makeAgain(Scratch scratch, RocksDB database, Snapshot snapshot) throws RocksDBException {
        long copy = NativeReadOptions.create();
        try {
            ReadOptions.replay(scratch, Reads.options(database, options), copy);
            NativeReadOptions.setSnapshot(copy, snapshot.nativeHandle_);
            // This one could be refreshed, so it does not follow writes, whatever the options say by now; see tailsSnapshot there.
            NativeReadOptions.setTailing(copy, Natives.flag(false));
            if (slices != null) {
                ReadOptionParts.setSlices(copy, slices);
            }
            long next = NativeIterator.create(database.nativeHandle_, copy, family);
            NativeIterator.error(next, Errors.place(scratch));
            if (scratch.word(0) != 0) {
                NativeIterator.destroy(next);
                Errors.check(scratch);
            }
            NativeIterator.destroy(iterator);
            iterator = next;
            // It reads a snapshot, for good.
            home = null;
            isValid = false;
        } finally {
            NativeReadOptions.destroy(copy);
        }
    }

    /** Waits for the call that is running, then frees the native iterator. Does nothing if that was done before. */
    void close(Runnable free) {
        if (await()) {
            HOLDER.setRelease(this, CLOSED);
            free.run();
            IteratorWords.give(length);
            release();
        }
    }

    /** Waits for the call that is running and ends; the native iterator is the caller's then, and goes to another guard. */
    long giveAway() {
        if (!await()) {
            throw closed();
        }
        HOLDER.setRelease(this, CLOSED);
        IteratorWords.give(length);
        return iterator;
    }

    /** Keeps what an iterator has pointers to that was given away, and is in this one now. */
    void takeOver(IteratorGuard given) {
        base = given;
    }

    private void release() {
        if (slices != null) {
            ReadOptionParts.release(slices);
        }
        if (options != null) {
            options.release();
        }
        if (base != null) {
            base.release();
        }
    }

    /** Waits until no other thread is inside, and is inside then; false if the iterator is closed. */
    private boolean await() {
        boolean isInterrupted = false;
        long self = Thread.currentThread().threadId();
        long now;
        while ((now = (long) HOLDER.compareAndExchange(this, FREE, self)) != FREE && now != CLOSED) {
            if (now == self) {
                throw new IllegalStateException(
                        "The iterator cannot be used or closed from inside one of its own calls (a callback)");
            }
            LockSupport.parkNanos(this, PAUSE_NANOS);
            // An interrupt would turn parking into spinning; it is kept for the caller.
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return now == FREE;
    }

    static IllegalStateException closed() {
        return RocksObject.refusal("The iterator is closed");
    }
}
