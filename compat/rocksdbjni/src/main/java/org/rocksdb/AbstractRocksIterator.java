package org.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeIterator;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Walks over entries in order. Only one thread at a time uses it: calls from several threads run one after another.
 *
 * @param <P> what it walks over
 */
public abstract class AbstractRocksIterator<P extends RocksObject> extends RocksObject
        implements
            RocksIteratorInterface {

    final P parent_;
    final IteratorState guard;

    /**
     * For subclasses.
     *
     * @param parent       what it walks over
     * @param nativeHandle the address of the native iterator
     */
    @SuppressWarnings("this-escape") // closing comes later
    protected AbstractRocksIterator(P parent, long nativeHandle) {
        // Iterators of a database need only the guard.
        super(nativeHandle, !(parent instanceof RocksDB));
        parent_ = parent;
        callsJavaLike(parent);
        guard = new IteratorState(nativeHandle, new ExclusiveLifetime("iterator", this::free));
        if (parent instanceof RocksDB database) {
            guard.watch(database.state_.order());
        }
    }

    @Override
    public boolean isValid() {
        return hasEntry();
    }

    @Override
    public void seekToFirst() {
        try (Scratch _ = enterParent()) {
            toFirst();
        }
    }

    @Override
    public void seekToLast() {
        try (Scratch _ = enterParent()) {
            toLast();
        }
    }

    @Override
    public void seek(byte[] target) {
        try (Scratch _ = enterParent(); Scratch scratch = Scratch.open()) {
            to(NativeValues.key(scratch, target, 0, target.length), target.length);
        }
    }

    @Override
    public void seekForPrev(byte[] target) {
        try (Scratch _ = enterParent(); Scratch scratch = Scratch.open()) {
            toOrBefore(NativeValues.key(scratch, target, 0, target.length), target.length);
        }
    }

    /**
     * Moves to the first entry that is not before the key. The key is the bytes from position to limit; afterwards the position is at the
     * limit.
     */
    @Override
    public void seek(ByteBuffer target) {
        try (Scratch _ = enterParent(); Scratch scratch = Scratch.open()) {
            int size = target.remaining();
            to(NativeValues.key(scratch, target), size);
            target.position(target.limit());
        }
    }

    /**
     * Moves to the last entry that is not behind the key. The key is the bytes from position to limit; afterwards the position is at the
     * limit.
     */
    @Override
    public void seekForPrev(ByteBuffer target) {
        try (Scratch _ = enterParent(); Scratch scratch = Scratch.open()) {
            int size = target.remaining();
            toOrBefore(NativeValues.key(scratch, target), size);
            target.position(target.limit());
        }
    }

    @Override
    public void next() {
        try (Scratch _ = enterParent()) {
            forward();
        }
    }

    @Override
    public void prev() {
        try (Scratch _ = enterParent()) {
            backward();
        }
    }

    private void look() {
        if (parent_ instanceof RocksDB database) {
            database.state_.look();
        }
    }

    /**
     * Does the work of {@link #isValid()}. The next methods do the work of other public methods. Other kinds of iterators override them.
     */
    boolean hasEntry() {
        guard.requireOpen();
        return guard.isAtEntry();
    }

    void toFirst() {
        guard.enterToMove();
        try {
            NativeIterator.seekToFirst(guard.iterator());
            moved();
        } finally {
            guard.exit();
        }
    }

    void toLast() {
        guard.enterToMove();
        try {
            NativeIterator.seekToLast(guard.iterator());
            moved();
        } finally {
            guard.exit();
        }
    }

    void to(MemorySegment key, int size) {
        look();
        guard.enterToMove();
        try {
            NativeIterator.seek(guard.iterator(), key, size);
            moved();
        } finally {
            guard.exit();
        }
    }

    void toOrBefore(MemorySegment key, int size) {
        look();
        guard.enterToMove();
        try {
            NativeIterator.seekForPrev(guard.iterator(), key, size);
            moved();
        } finally {
            guard.exit();
        }
    }

    void forward() {
        guard.enterToMove();
        try {
            requireEntry();
            NativeIterator.next(guard.iterator());
            moved();
        } finally {
            guard.exit();
        }
    }

    void backward() {
        guard.enterToMove();
        try {
            requireEntry();
            NativeIterator.prev(guard.iterator());
            moved();
        } finally {
            guard.exit();
        }
    }

    /** Called within each call that moves the native iterator. */
    void moved() {
        guard.moved();
    }

    /** Throws if the iterator is at no entry. RocksDB itself does not check this, and ends the process. */
    final void requireEntry() {
        if (!guard.isAtEntry()) {
            throw atNoEntry();
        }
    }

    static IllegalStateException atNoEntry() {
        return new IllegalStateException("The iterator is at no entry: ask isValid() first");
    }

    @Override
    public void refresh() throws RocksDBException {
        try (Scratch _ = enterParent()) {
            renew();
        }
    }

    @Override
    public void refresh(Snapshot snapshot) throws RocksDBException {
        Objects.requireNonNull(snapshot, "snapshot");
        if (!(this instanceof RocksIterator iterator)) {
            // Such iterators cannot be refreshed at all, and throw an exception.
            try (Scratch _ = snapshot.use()) {
                refresh();
            }
            return;
        }
        RocksDB database = iterator.parent_;
        try (Scratch _ = database.use(); Scratch _ = snapshot.use(database)) {
            guard.enterToMove();
            try {
                guard.stayAway();
                iterator.refreshTo(snapshot);
            } finally {
                moved();
                guard.exit();
            }
        }
    }

    void renew() throws RocksDBException {
        try (Scratch scratch = Scratch.open()) {
            guard.enterToMove();
            try {
                NativeIterator.refresh(guard.iterator(), Errors.place(scratch));
                moved();
                Errors.check(scratch);
            } finally {
                guard.exit();
            }
        }
    }

    @Override
    public void status() throws RocksDBException {
        try (Scratch _ = enterParent()) {
            requireNoFailure();
        }
    }

    void requireNoFailure() throws RocksDBException {
        try (Scratch scratch = Scratch.open()) {
            guard.enter();
            try {
                NativeIterator.error(guard.iterator(), Errors.place(scratch));
                Errors.check(scratch);
            } finally {
                guard.exit();
            }
            guard.requireOrder();
        }
    }

    /**
     * Checks the stack, and enters the parent if it is a table file. Closing a database waits for this iterator anyway. Closing a batch takes
     * the lock of the batch, which calls of this iterator take too, and waits with it for the threads that have entered the batch.
     */
    final Scratch enterParent() {
        requireStackOfCallbacks();
        return parent_ instanceof SstFileReader file ? file.use() : null;
    }

    /** Frees the native iterator, unless closing the parent has freed it or is about to free it. */
    @Override
    protected void disposeInternal() {
        try (Scratch open = parent_.useIfOpen()) {
            if (open != null) {
                end();
                if (parent_ instanceof RocksDB database) {
                    database.state_.remove(this);
                } else if (this instanceof SstFileReaderIterator ofFile) {
                    ofFile.parent_.remove(ofFile);
                }
            }
        }
    }

    /** Ends the iterator. Called when no call of the database or reader is running any longer. */
    final void endWithParent() {
        disOwnNativeHandle();
        end();
    }

    private void end() {
        guard.lifetime.close();
    }

    private void free() {
        // Only iterators of other classes use the lifetime.
        guard.free(parent_ instanceof RocksDB
                ? () -> disposeInternal(guard.iterator())
                : () -> super.disposeInternal());
    }
}
