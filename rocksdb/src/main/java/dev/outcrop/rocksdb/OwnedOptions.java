package dev.outcrop.rocksdb;

import java.lang.ref.Cleaner;
import java.util.function.LongConsumer;

/**
 * The native half of an options object. It is freed when the Java half is unreachable: options are small, nothing waits for their
 * end, and so users have nothing to close.
 */
final class OwnedOptions {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Peer peer;

    /** What the cleaner frees; it must not know the Java object. */
    private static final class Peer implements Runnable {
        private final LongConsumer destroy;
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

    OwnedOptions(Object owner, long address, LongConsumer destroy) {
        this.peer = new Peer(address, destroy);
        CLEANER.register(owner, peer);
    }

    long address() {
        return peer.address;
    }

    /** Puts another native object in the place of this one, which is freed. */
    void replace(long address) {
        long old = peer.address;
        peer.address = address;
        peer.destroy.accept(old);
    }
}
