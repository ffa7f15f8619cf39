package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Walks over the entries of a table file. */
public class SstFileReaderIterator extends AbstractRocksIterator<SstFileReader> {

    /**
     * For subclasses.
     *
     * @param reader       the reader
     * @param nativeHandle the address of the native iterator
     */
    protected SstFileReaderIterator(SstFileReader reader, long nativeHandle) {
        super(reader, nativeHandle);
        guard.watch(reader.order());
    }

    /**
     * Reads the key of the entry.
     *
     * @return a copy
     */
    public byte[] key() {
        try (Scratch _ = enterParent()) {
            guard.enter();
            try {
                requireEntry();
                long address = guard.key();
                return NativeValues.bytes(address, guard.length());
            } finally {
                guard.exit();
            }
        }
    }

    /**
     * Copies the key of the entry, or as much of it as there is room for; the buffer's limit is where it ends.
     *
     * @param key where it goes
     * @return the size of the whole key
     */
    public int key(ByteBuffer key) {
        try (Scratch _ = enterParent()) {
            guard.enter();
            try {
                requireEntry();
                long address = guard.key();
                return NativeValues.copy(address, guard.length(), key);
            } finally {
                guard.exit();
            }
        }
    }

    /**
     * Reads the value of the entry.
     *
     * @return a copy
     */
    public byte[] value() {
        try (Scratch _ = enterParent()) {
            guard.enter();
            try {
                requireEntry();
                long address = guard.value();
                return NativeValues.bytes(address, guard.length());
            } finally {
                guard.exit();
            }
        }
    }

    /**
     * Copies the value of the entry, or as much of it as there is room for; the buffer's limit is where it ends.
     *
     * @param value where it goes
     * @return the size of the whole value
     */
    public int value(ByteBuffer value) {
        try (Scratch _ = enterParent()) {
            guard.enter();
            try {
                requireEntry();
                long address = guard.value();
                return NativeValues.copy(address, guard.length(), value);
            } finally {
                guard.exit();
            }
        }
    }

    @Override
    void toLast() {
        parent_.requireBackward();
        super.toLast();
    }

    @Override
    void toOrBefore(MemorySegment key, int size) {
        parent_.requireBackward();
        super.toOrBefore(key, size);
    }

    @Override
    void backward() {
        parent_.requireStepBack();
        super.backward();
    }

    @Override
    protected final void disposeInternal(long handle) {
        boolean _ = JniWrappers.close(handle, SstFileReaderIterator::disposeInternalJni);
    }

    private static native void disposeInternalJni(long iterator);
}
