package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeComparator;
import java.nio.ByteBuffer;

/**
 * A comparator in native code. Subclasses return the address of a C++ {@code rocksdb::Comparator}, built with the same RocksDB, from {@link
 * #initializeNative}. Closing this object deletes the native comparator. Close this object after all options and databases that use it.
 */
public abstract class NativeComparatorWrapper extends AbstractComparator {

    /** For subclasses. */
    public NativeComparatorWrapper() {
    }

    @Override
    public final String name() {
        throw inNativeCode();
    }

    @Override
    public final int compare(ByteBuffer s1, ByteBuffer s2) {
        throw inNativeCode();
    }

    @Override
    public final void findShortestSeparator(ByteBuffer start, ByteBuffer limit) {
        throw inNativeCode();
    }

    @Override
    public final void findShortSuccessor(ByteBuffer key) {
        throw inNativeCode();
    }

    @Override
    Object kept() {
        if (!isOwningHandle()) {
            throw closed();
        }
        return this;
    }

    @Override
    protected void disposeInternal() {
        NativeComparator.destroy(nativeHandle_);
    }

    private static IllegalStateException inNativeCode() {
        return new IllegalStateException("The comparator is in native code, and cannot be called from Java");
    }
}
