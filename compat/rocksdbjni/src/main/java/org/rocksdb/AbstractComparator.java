package org.rocksdb;

import java.nio.ByteBuffer;

/**
 * An order of keys in Java. RocksDB calls the comparator from any thread, in the middle of reads and writes. So the comparator must be
 * fast, always order the same two keys in the same way, and not use the database that calls it. It must not throw. If it throws during a
 * change, or on a thread of RocksDB, the database refuses all further changes. If it throws during a read, the exception is logged, and the
 * result of the read is undefined.
 *
 * <p>A closed comparator cannot be set in further options. The native comparator lives while options or an open database use it.
 */
public abstract class AbstractComparator extends RocksCallbackObject {

    /** Set while the constructor of the superclass runs. */
    private boolean direct;

    /** For comparators that make their native object elsewhere. */
    AbstractComparator() {
    }

    /**
     * For subclasses. {@link #name()} is called before the fields of the subclass are set.
     *
     * @param comparatorOptions how keys are shown
     */
    protected AbstractComparator(ComparatorOptions comparatorOptions) {
        super(comparatorOptions.nativeHandle_, comparatorOptions.useDirectBuffer() ? 1 : 0);
    }

    /**
     * Makes the native comparator.
     *
     * @param nativeParameterHandles arguments of the constructor
     * @return its address
     */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        if (nativeParameterHandles.length == 0) {
            throw new IllegalStateException("A wrapper of a native comparator must override initializeNative");
        }
        direct = nativeParameterHandles[1] != 0;
        ComparatorCallback callback = new ComparatorCallback(this, name(), direct);
        keep(callback);
        return callback.address();
    }

    /** {@return the name, which RocksDB stores with a database and compares when it is opened again} */
    public abstract String name();

    /**
     * Compares two keys. Each buffer holds a key from position to limit, and is read-only. When this method returns, the buffers get other
     * keys or become invalid.
     *
     * @param a a key
     * @param b another key
     * @return negative if {@code a} comes before {@code b}, 0 if they are the same key, positive if it comes after
     */
    public abstract int compare(ByteBuffer a, ByteBuffer b);

    /**
     * Shortens a key for an index. Never called here, because the C API of RocksDB has no such callback. So indexes hold whole keys.
     *
     * @param start the key to shorten
     * @param limit a key that must stay behind it
     */
    public void findShortestSeparator(ByteBuffer start, ByteBuffer limit) {
        // The key stays as it is.
    }

    /**
     * Shortens the last key of an index. Never called here, like {@link #findShortestSeparator}.
     *
     * @param key the key to shorten
     */
    public void findShortSuccessor(ByteBuffer key) {
        // The key stays as it is.
    }

    /** {@return whether keys are passed in direct buffers; otherwise in arrays} */
    public final boolean usingDirectBuffers() {
        return direct;
    }
}
