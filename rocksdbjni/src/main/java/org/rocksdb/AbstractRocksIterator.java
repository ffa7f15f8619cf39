package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * Walks over entries in their order. It is used by one thread at a time; calls of several are done one after another.
 *
 * @param <P> what it walks over
 */
public abstract class AbstractRocksIterator<P extends RocksObject> extends RocksObject
        implements
            RocksIteratorInterface {

    final P parent_;

    /**
     * For subclasses.
     *
     * @param parent       what it walks over
     * @param nativeHandle the address of the native iterator
     */
    protected AbstractRocksIterator(P parent, long nativeHandle) {
        super(nativeHandle);
        parent_ = parent;
    }

    @Override
    public synchronized boolean isValid() {
        try (Scratch _ = parent_.use(); Scratch _ = use()) {
            return CApi.rocksdb_iter_valid(nativeHandle_) != 0;
        }
    }

    @Override
    public void seekToFirst() {
        move(CApi::rocksdb_iter_seek_to_first);
    }

    @Override
    public void seekToLast() {
        move(CApi::rocksdb_iter_seek_to_last);
    }

    @Override
    public synchronized void seek(byte[] target) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            CApi.rocksdb_iter_seek(nativeHandle_, Natives.copy(scratch, target), target.length);
        }
    }

    @Override
    public synchronized void seekForPrev(byte[] target) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            CApi.rocksdb_iter_seek_for_prev(nativeHandle_, Natives.copy(scratch, target), target.length);
        }
    }

    @Override
    public synchronized void seek(ByteBuffer target) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            MemorySegment key = copyAndConsume(scratch, target);
            CApi.rocksdb_iter_seek(nativeHandle_, key, key.byteSize());
        }
    }

    @Override
    public synchronized void seekForPrev(ByteBuffer target) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            MemorySegment key = copyAndConsume(scratch, target);
            CApi.rocksdb_iter_seek_for_prev(nativeHandle_, key, key.byteSize());
        }
    }

    private static MemorySegment copyAndConsume(Scratch scratch, ByteBuffer target) {
        byte[] key = new byte[target.remaining()];
        target.get(key);
        return Natives.copy(scratch, key).asSlice(0, key.length);
    }

    @Override
    public void next() {
        moveFromEntry(CApi::rocksdb_iter_next);
    }

    @Override
    public void prev() {
        moveFromEntry(CApi::rocksdb_iter_prev);
    }

    private synchronized void move(LongConsumer move) {
        try (Scratch _ = parent_.use(); Scratch _ = use()) {
            move.accept(nativeHandle_);
        }
    }

    private synchronized void moveFromEntry(LongConsumer move) {
        try (Scratch _ = parent_.use(); Scratch _ = use()) {
            requireEntry();
            move.accept(nativeHandle_);
        }
    }

    /** RocksDB itself does not look, and ends the process. */
    final void requireEntry() {
        if (CApi.rocksdb_iter_valid(nativeHandle_) == 0) {
            throw new IllegalStateException("The iterator is at no entry: ask isValid() first");
        }
    }

    @Override
    public synchronized void refresh() throws RocksDBException {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            CApi.rocksdb_iter_refresh(nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    @Override
    public void refresh(Snapshot snapshot) throws RocksDBException {
        throw Unsupported.method("AbstractRocksIterator.refresh(Snapshot)");
    }

    @Override
    public synchronized void status() throws RocksDBException {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            CApi.rocksdb_iter_get_error(nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    /** Frees the native iterator, unless the closing of what it walks over has done so or is about to. */
    @Override
    protected void disposeInternal() {
        try (Scratch open = parent_.useIfOpen()) {
            if (open != null) {
                if (parent_ instanceof RocksDB database) {
                    database.parts_.remove(this);
                }
                super.disposeInternal();
            }
        }
    }

    /** Called when no call of the database is running any longer. */
    final void endWithDatabase() {
        owningHandle_.set(false);
        super.disposeInternal();
    }
}
