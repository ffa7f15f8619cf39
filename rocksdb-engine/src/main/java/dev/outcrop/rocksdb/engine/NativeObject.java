package dev.outcrop.rocksdb.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * The native half of an object that users need not close, such as options or a cache. It is freed when the Java half is unreachable:
 * nothing waits for its end, and whatever else uses it, such as an open database, keeps either half alive itself.
 */
public final class NativeObject {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Peer peer;

    /** What the cleaner frees; it must not know the Java object. */
    private static final class Peer implements Runnable {
        private final LongConsumer destroy;
        /** What the native object points to without owning it, by what it is used for. Here, so that it is freed after it. */
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

    /** Its address, valid while the Java half is reachable: put a fence behind the native call that uses it. */
    public long address() {
        return peer.address;
    }

    /** Puts another native object in the place of this one, which is freed. */
    public void replace(long address) {
        long old = peer.address;
        peer.address = address;
        peer.destroy.accept(old);
    }

    /**
     * Keeps another object reachable until this one is freed, in place of what was kept for the same use before. It must not know
     * this one's Java half.
     */
    public void keep(String use, Object other) {
        peer.kept.put(use, other);
    }

    /** A copy of the bytes that the native object may point to; kept as any other object. */
    public MemorySegment keepCopy(String use, byte[] bytes) {
        // At least a byte, because the C API takes a null pointer for none.
        MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
        keep(use, copy);
        return copy;
    }

    /** Everything that is kept, for a caller that copies the native object and may outlive this one. */
    public Map<String, Object> kept() {
        return Map.copyOf(peer.kept);
    }
}
