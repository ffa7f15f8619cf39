package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Walks over the entries of a database or column family. */
public class RocksIterator extends AbstractRocksIterator<RocksDB> {

    /**
     * For subclasses.
     *
     * @param rocksDB      the database
     * @param nativeHandle the address of the native iterator
     */
    protected RocksIterator(RocksDB rocksDB, long nativeHandle) {
        super(rocksDB, nativeHandle);
    }

    /**
     * The key of the entry.
     *
     * @return a copy
     */
    public synchronized byte[] key() {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            return Natives.bytes(keyAddress(scratch), scratch.word(0));
        }
    }

    /**
     * Copies the key of the entry, or as much of it as there is room for.
     *
     * @param key where it goes
     * @return the size of the whole key
     */
    public int key(byte[] key) {
        return key(key, 0, key.length);
    }

    /**
     * Copies the key of the entry, or as much of it as there is room for.
     *
     * @param key    where it goes
     * @param offset from where on
     * @param len    how much room there is
     * @return the size of the whole key
     */
    public synchronized int key(byte[] key, int offset, int len) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            return copy(keyAddress(scratch), scratch.word(0), key, offset, len);
        }
    }

    /**
     * Copies the key of the entry, or as much of it as there is room for; the buffer's limit is where it ends.
     *
     * @param key where it goes
     * @return the size of the whole key
     */
    public synchronized int key(ByteBuffer key) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            return copy(keyAddress(scratch), scratch.word(0), key);
        }
    }

    /**
     * The value of the entry.
     *
     * @return a copy
     */
    public synchronized byte[] value() {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            return Natives.bytes(valueAddress(scratch), scratch.word(0));
        }
    }

    /**
     * Copies the value of the entry, or as much of it as there is room for.
     *
     * @param value where it goes
     * @return the size of the whole value
     */
    public int value(byte[] value) {
        return value(value, 0, value.length);
    }

    /**
     * Copies the value of the entry, or as much of it as there is room for.
     *
     * @param value  where it goes
     * @param offset from where on
     * @param len    how much room there is
     * @return the size of the whole value
     */
    public synchronized int value(byte[] value, int offset, int len) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            return copy(valueAddress(scratch), scratch.word(0), value, offset, len);
        }
    }

    /**
     * Copies the value of the entry, or as much of it as there is room for; the buffer's limit is where it ends.
     *
     * @param value where it goes
     * @return the size of the whole value
     */
    public synchronized int value(ByteBuffer value) {
        try (Scratch scratch = parent_.use(); Scratch _ = use()) {
            return copy(valueAddress(scratch), scratch.word(0), value);
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        CApi.rocksdb_iter_destroy(handle);
    }

    private long keyAddress(Scratch scratch) {
        requireEntry();
        return CApi.rocksdb_iter_key(nativeHandle_, scratch.wordAddress(0));
    }

    private long valueAddress(Scratch scratch) {
        requireEntry();
        return CApi.rocksdb_iter_value(nativeHandle_, scratch.wordAddress(0));
    }

    private static int copy(long from, long size, byte[] to, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, to.length);
        int copied = (int) Math.min(size, length);
        if (copied > 0) {
            MemorySegment.copy(NativeCalls.view(from, copied), ValueLayout.JAVA_BYTE, 0, to, offset, copied);
        }
        return Math.toIntExact(size);
    }

    private static int copy(long from, long size, ByteBuffer to) {
        int copied = (int) Math.min(size, to.remaining());
        to.limit(to.position() + copied);
        if (copied > 0) {
            MemorySegment.ofBuffer(to).copyFrom(NativeCalls.view(from, copied));
        }
        return Math.toIntExact(size);
    }
}
