package dev.outcrop.rocksdb.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * The native half of an object that users need not close, such as options or a cache. It is freed when the Java half is unreachable. Other
 * users, such as an open database, keep one of the halves alive themselves.
 */
public final class NativeObject {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Peer peer;

    /** Frees the native object; it must not know the Java one. */
    private static final class Peer implements Runnable {
        private final LongConsumer destroy;
        /** The objects that the native object points to without owning them, by use. They are freed after it. */
        private final Map<String, Object> kept = new ConcurrentHashMap<>();
        private volatile long address;

        Peer(long address, LongConsumer destroy) {
            this.address = address;
            this.destroy = destroy;
        }

        @Override
        public void run() {
            destroy.accept(address);
        }
    }

    public NativeObject(Object owner, long address, LongConsumer destroy) {
        this.peer = new Peer(address, destroy);
        CLEANER.register(owner, peer);
    }

    /**
     * Returns the address, valid while the Java half is reachable: put a reachability fence after the native call that uses the address.
     */
    public long address() {
        return peer.address;
    }

    /** Replaces the native object, and frees the old one. */
    public void replace(long address) {
        long old = peer.address;
        peer.address = address;
        peer.destroy.accept(old);
    }

    /**
     * Keeps another object reachable until this one is freed, and replaces the object kept for the same use before. The other object must
     * not know the Java half of this one.
     */
    public void keep(String use, Object other) {
        peer.kept.put(use, other);
    }

    /** Copies bytes for the native object to point to; keeps the copy as {@link #keep} does. */
    public MemorySegment keepCopy(String use, byte[] bytes) {
        // At least one byte, because the C API takes a null pointer for no bytes at all.
        MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
        keep(use, copy);
        return copy;
    }

    /** Returns all kept objects, for a copy of the native object that may outlive this one. */
    public Map<String, Object> kept() {
        return Map.copyOf(peer.kept);
    }
}
