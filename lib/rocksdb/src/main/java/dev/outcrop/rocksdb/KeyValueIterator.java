package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.EntrySegments;
import dev.outcrop.rocksdb.engine.GuardedIterator;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Goes over entries in the order of their keys, forward and backward.
 *
 * <pre>{@code
 * try (KeyValueIterator entries = db.iterator()) {
 *     for (entries.seek(key); entries.isValid(); entries.next()) {
 *         … entries.key(), entries.value() …
 *     }
 * }
 * }</pre>
 *
 * <p>An iterator sees the database as it was when the iterator was made or {@linkplain #refresh() refreshed}. Every method that moves the
 * iterator returns whether it is then at an entry, and throws {@link RocksDBException} if RocksDB failed to find out; so false always means
 * the end. After a failure, {@link #isValid()} throws the same exception until a seek moves the iterator elsewhere.
 *
 * <p>Keys and values are RocksDB's own memory: segments that end when the iterator moves. Afterwards, every access to such a segment throws
 * {@link IllegalStateException}. {@link #key(MemorySegment)} and {@link #value(MemorySegment)} copy instead, and make no garbage.
 *
 * <p>Only one thread at a time may use an iterator, but threads may take turns; a second thread at the same moment gets an {@link
 * IllegalStateException}. Segments belong to the thread that asked for them: this thread must call {@link #detach()} before another thread
 * uses the iterator. Close iterators soon, because RocksDB keeps all files that they can see. They stay usable after their database was
 * closed.
 *
 * <p>An iterator of a {@link Transaction} or a {@link WriteBatchWithIndex} may only be used by one thread at a time, together with its
 * owner. A write to the owner ends the current entry: move the iterator before reading on. Emptying or ending the owner closes the
 * iterator.
 */
public final class KeyValueIterator implements AutoCloseable {
    private final GuardedIterator entries;
    private final EntrySegments segments;
    private final ExclusiveLifetime lifetime;
    private final @Nullable Owner owner;
    private final Family family;
    /** Whether the owner was changed since the iterator moved; the entry may lie elsewhere then. Used inside only. */
    private boolean isStale;

    /** The owner of an iterator, such as a transaction: it changes, and only one thread at a time may use it. */
    interface Owner {
        /** Starts a use; the iterator is used only between this call and {@link #exit()}. */
        void enter();

        void exit();

        /** Called inside. */
        void opened(KeyValueIterator iterator);

        /** Called inside. */
        void closed(KeyValueIterator iterator);
    }

    /**
     * Takes over a native iterator.
     *
     * @param family   what it reads
     * @param iterator the {@code rocksdb_iterator_t *}; if this constructor throws, the caller still owns it
     * @param options  kept reachable until the native iterator is destroyed, because RocksDB keeps pointers into options
     * @param release  runs once, when the native iterator has been destroyed, for example to give back leases
     * @param owner    the owner, or null; the caller has entered it
     */
    KeyValueIterator(Family family, long iterator, Object options, Runnable release, @Nullable Owner owner) {
        this.family = family;
        this.owner = owner;
        this.lifetime = new ExclusiveLifetime(this, family.iteratorName, () -> {
            try {
                NativeIterator.destroy(iterator);
            } finally {
                Reference.reachabilityFence(options);
            }
            release.run();
        });
        this.entries = new GuardedIterator(iterator, lifetime);
        this.segments = new EntrySegments(entries);
        if (owner != null) {
            owner.opened(this);
        }
    }

    /**
     * Returns whether the iterator is at an entry.
     *
     * @return false before the first move, behind the last entry and before the first entry
     * @throws RocksDBException if the iterator is at no entry because RocksDB failed
     */
    public boolean isValid() {
        enter();
        try {
            return entries.isAtEntry() || failIfBroken();
        } finally {
            exit();
        }
    }

    /**
     * Moves to the first entry.
     *
     * @return whether there is one
     * @throws RocksDBException if RocksDB fails
     */
    public boolean seekToFirst() {
        enterToMove();
        try {
            NativeIterator.seekToFirst(entries.iterator());
            return moved();
        } finally {
            exit();
        }
    }

    /**
     * Moves to the last entry.
     *
     * @return whether there is one
     * @throws RocksDBException if RocksDB fails, or cannot do this with the options (tailing)
     */
    public boolean seekToLast() {
        enterToMove();
        try {
            NativeIterator.seekToLast(entries.iterator());
            return moved();
        } finally {
            exit();
        }
    }

    /**
     * Moves to the first entry whose key is not before a given one.
     *
     * @param key the key; may be this iterator's own {@link #key()}, except with {@link ReadOptions#iterStartTs(byte[])}
     * @return whether there is such an entry
     * @throws RocksDBException if RocksDB fails
     */
    public boolean seek(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return seek(NativeIterator::seek, key);
    }

    /**
     * Moves to the first entry whose key is not before a given one.
     *
     * @param key the key
     * @return whether there is such an entry
     * @throws RocksDBException if RocksDB fails
     */
    public boolean seek(byte[] key) {
        Objects.requireNonNull(key, "key");
        return seek(NativeIterator::seek, key);
    }

    /**
     * Moves to the first entry whose key is not before a given one.
     *
     * @param key the key, from position to limit; the position stays where it is
     * @return whether there is such an entry
     * @throws RocksDBException if RocksDB fails
     */
    public boolean seek(ByteBuffer key) {
        Objects.requireNonNull(key, "key");
        return seek(MemorySegment.ofBuffer(key));
    }

    /**
     * Moves to the last entry whose key is not behind a given one.
     *
     * @param key the key; may be this iterator's own {@link #key()}, except with {@link ReadOptions#iterStartTs(byte[])}
     * @return whether there is such an entry
     * @throws RocksDBException if RocksDB fails, or cannot do this with the options (tailing)
     */
    public boolean seekForPrev(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return seek(NativeIterator::seekForPrev, key);
    }

    /**
     * Moves to the last entry whose key is not behind a given one.
     *
     * @param key the key
     * @return whether there is such an entry
     * @throws RocksDBException if RocksDB fails, or cannot do this with the options (tailing)
     */
    public boolean seekForPrev(byte[] key) {
        Objects.requireNonNull(key, "key");
        return seek(NativeIterator::seekForPrev, key);
    }

    /**
     * Moves to the last entry whose key is not behind a given one.
     *
     * @param key the key, from position to limit; the position stays where it is
     * @return whether there is such an entry
     * @throws RocksDBException if RocksDB fails, or cannot do this with the options (tailing)
     */
    public boolean seekForPrev(ByteBuffer key) {
        Objects.requireNonNull(key, "key");
        return seekForPrev(MemorySegment.ofBuffer(key));
    }

    /**
     * Moves to the next entry.
     *
     * @return whether there is one
     * @throws RocksDBException      if RocksDB fails
     * @throws IllegalStateException if the iterator is at no entry
     */
    public boolean next() {
        enterToMove();
        try {
            requireEntry();
            NativeIterator.next(entries.iterator());
            return moved();
        } finally {
            exit();
        }
    }

    /**
     * Moves to the previous entry.
     *
     * @return whether there is one
     * @throws RocksDBException      if RocksDB fails, or cannot do this with the options (tailing)
     * @throws IllegalStateException if the iterator is at no entry
     */
    public boolean previous() {
        enterToMove();
        try {
            requireEntry();
            NativeIterator.prev(entries.iterator());
            return moved();
        } finally {
            exit();
        }
    }

    /**
     * Returns the key of the current entry, without a copy.
     *
     * @return its bytes, read-only; valid in this thread until the iterator moves
     * @throws IllegalStateException if the iterator is at no entry, or another thread has segments of it
     */
    public MemorySegment key() {
        MemorySegment made = segments.key();
        if (made != null) {
            return made;
        }
        enter();
        try {
            requireReadable();
            return segments.makeKey();
        } finally {
            exit();
        }
    }

    /**
     * Returns the value of the current entry, without a copy.
     *
     * @return its bytes, read-only; valid in this thread until the iterator moves
     * @throws IllegalStateException if the iterator is at no entry, or another thread has segments of it
     */
    public MemorySegment value() {
        MemorySegment made = segments.value();
        if (made != null) {
            return made;
        }
        enter();
        try {
            requireReadable();
            return segments.makeValue();
        } finally {
            exit();
        }
    }

    /**
     * Returns the timestamp of the current entry, in a column family with timestamps, without a copy.
     *
     * @return its bytes, read-only; valid in this thread until the iterator moves
     * @throws RocksDBException      with {@link Status.Code#NOT_SUPPORTED} if the column family has no timestamps
     * @throws IllegalStateException if the iterator is at no entry, or another thread has segments of it
     */
    public MemorySegment timestamp() {
        enter();
        try {
            requireReadable();
            long address = NativeIterator.timestamp(entries.iterator(), entries.lengthWord);
            long size = NativeCalls.readLong(entries.lengthWord);
            if (size == 0) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                        "The " + lifetime + " has no timestamps, because the column family's comparator has none");
            }
            return NativeCalls.readOnlyView(address, size, segments.arena());
        } finally {
            exit();
        }
    }

    /**
     * Copies the key of the current entry into the caller's memory, if it fits. Makes no garbage.
     *
     * @param buffer where the key goes, from its first byte on; native or a heap array
     * @return the key's size in bytes; if it is greater than {@code buffer.byteSize()}, nothing was copied
     * @throws IllegalArgumentException if the buffer is read-only
     * @throws IllegalStateException    if the iterator is at no entry
     */
    public long key(MemorySegment buffer) {
        Objects.requireNonNull(buffer, "buffer");
        ApiCall.requireWritable(buffer);
        enter();
        try {
            requireReadable();
            return copy(entries.key(), buffer);
        } finally {
            exit();
        }
    }

    /**
     * Copies the value of the current entry into the caller's memory, if it fits. Makes no garbage.
     *
     * @param buffer where the value goes, from its first byte on; native or a heap array
     * @return the value's size in bytes; if it is greater than {@code buffer.byteSize()}, nothing was copied
     * @throws IllegalArgumentException if the buffer is read-only
     * @throws IllegalStateException    if the iterator is at no entry
     */
    public long value(MemorySegment buffer) {
        Objects.requireNonNull(buffer, "buffer");
        ApiCall.requireWritable(buffer);
        enter();
        try {
            requireReadable();
            return copy(entries.value(), buffer);
        } finally {
            exit();
        }
    }

    /**
     * Copies the current entry to the heap.
     *
     * @return the entry
     * @throws RocksDBException      with {@link Status.Code#NOT_SUPPORTED} if key or value is longer than an array can be
     * @throws IllegalStateException if the iterator is at no entry
     */
    public KeyValue entry() {
        enter();
        try {
            requireReadable();
            byte[] key = bytes(entries.key());
            return new KeyValue(key, bytes(entries.value()));
        } finally {
            exit();
        }
    }

    /**
     * Makes the iterator see the database as it is now, even if it was made for a snapshot. Afterwards the iterator is at no entry, unless
     * this method throws. Cheaper than a new iterator if nothing was flushed or compacted meanwhile.
     *
     * @throws RocksDBException if RocksDB fails, or cannot do this: the database was opened for reading, or the iterator is tailing and
     *                          sees new entries anyway
     */
    public void refresh() {
        enterToMove();
        try {
            NativeIterator.refresh(entries.iterator(), ApiCall.error(lifetime));
            entries.findEntry();
            ApiCall.check(lifetime);
        } finally {
            exit();
        }
    }

    /**
     * Ends the segments that the calling thread has of the current entry, so that another thread may use the iterator. The iterator stays
     * where it is. Not needed if there are no segments of the current entry, for example because the iterator has moved since.
     *
     * @throws IllegalStateException if the segments belong to another thread
     */
    public void detach() {
        enterToMove();
        exit();
    }

    /**
     * Ends the iterator and its segments. Waits for a running call on another thread. Does nothing if it was closed before.
     *
     * @throws IllegalStateException if another thread has segments of it and has not called {@link #detach()}; or if the caller is a
     *                               callback from one of the iterator's own calls
     */
    @Override
    public void close() {
        family.database.requireMayClose();
        if (owner == null) {
            lifetime.close(segments::end);
        } else if (!lifetime.isClosed()) {
            owner.enter();
            try {
                lifetime.close(segments::end);
                owner.closed(this);
            } finally {
                owner.exit();
            }
        }
    }

    /** Called by the owner, inside, before it changes: the current entry is not readable until the iterator moves. */
    void ownerChanges() {
        segments.end();
        isStale = true;
    }

    /** Called by the owner, inside, when it ends. */
    void ownerEnds() {
        lifetime.close(segments::end);
    }

    /** The iterator's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }

    /** The shape of the C functions that seek. */
    private interface Seek {
        void call(long iterator, MemorySegment key, long keyLength);
    }

    private boolean seek(Seek function, MemorySegment key) {
        try (Scratch scratch = ApiCall.scratchForCall()) {
            enter();
            try {
                // The key may be a segment of the current entry, which ends here.
                MemorySegment nativeKey = segments.areMade()
                        ? ApiCall.keyCopy(scratch, key)
                        : ApiCall.key(scratch, key);
                segments.end();
                function.call(entries.iterator(), nativeKey, key.byteSize());
                return moved();
            } finally {
                exit();
            }
        }
    }

    /** As with a segment, but without an object for the array. */
    private boolean seek(Seek function, byte[] key) {
        try (Scratch scratch = ApiCall.scratchForCall()) {
            enter();
            try {
                MemorySegment nativeKey = ApiCall.key(scratch, key);
                segments.end();
                function.call(entries.iterator(), nativeKey, key.length);
                return moved();
            } finally {
                exit();
            }
        }
    }

    private void enter() {
        if (family.guard.isNeeded()) {
            family.guard.move(family);
        }
        if (owner != null) {
            enterOwner(owner);
        } else {
            lifetime.enter();
        }
    }

    private void enterOwner(Owner entered) {
        if (lifetime.isClosed()) {
            // For the message: the owner may be closed too.
            lifetime.enter();
        }
        entered.enter();
        try {
            lifetime.enter();
        } catch (Throwable e) {
            entered.exit();
            throw e;
        }
    }

    private void exit() {
        lifetime.exit();
        if (owner != null) {
            owner.exit();
        }
    }

    private void enterToMove() {
        enter();
        CallbackFailures.forget();
        try {
            segments.end();
        } catch (Throwable e) {
            exit();
            throw e;
        }
    }

    private boolean moved() {
        isStale = false;
        if (!entries.findEntry()) {
            return failIfBroken();
        }
        CallbackFailures.rethrow();
        return true;
    }

    /** Throws the error that keeps the iterator from being at an entry; returns false if there is none. */
    private boolean failIfBroken() {
        NativeIterator.error(entries.iterator(), ApiCall.error(lifetime));
        ApiCall.check(lifetime);
        return false;
    }

    private void requireEntry() {
        if (!entries.isAtEntry()) {
            failIfBroken();
            throw new IllegalStateException("The " + lifetime + " is at no entry; seek one, and look at what seeking,"
                    + " next() and previous() return");
        }
    }

    private void requireReadable() {
        requireEntry();
        if (isStale) {
            throw new IllegalStateException("What the " + lifetime
                    + " reads was written to since it moved; move it before reading an entry");
        }
    }

    private long copy(long address, MemorySegment buffer) {
        long size = entries.length();
        if (size > 0 && size <= buffer.byteSize()) {
            NativeCalls.copy(address, size, buffer);
        }
        return size;
    }

    private byte[] bytes(long address) {
        byte[] copy = ApiCall.newArray(entries.length(), "read it with value(), whose segment has no such limit");
        NativeCalls.copy(address, copy.length, MemorySegment.ofArray(copy));
        return copy;
    }
}
