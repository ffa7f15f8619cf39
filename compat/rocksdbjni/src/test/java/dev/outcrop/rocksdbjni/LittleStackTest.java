package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractImmutableNativeReference;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;

/** Objects that cannot be closed for lack of stack stay open, and are closed by a later call. */
class LittleStackTest extends DatabaseTest {
    private static final long STACK_BYTES = 512 << 10;
    /** Frames from one attempt to the next; each round begins one frame deeper. */
    private static final int STEP = 8;

    @Test
    void closingAtAnyDepthClosesOrChangesNothing() throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB db = RocksDB.open(options, path());
                WriteBatchWithIndex batch = new WriteBatchWithIndex()) {
            db.put(new byte[]{1}, new byte[]{2});
            for (int round = 0; round < STEP; round++) {
                Map<String, AbstractImmutableNativeReference> objects = Map
                        .<String, AbstractImmutableNativeReference>of("iterator", db.newIterator(),
                                "iterator of a batch", batch.newIteratorWithBase(db.newIterator()), "read options",
                                new ReadOptions(), "batch", new WriteBatch(), "indexed batch",
                                new WriteBatchWithIndex(),
                                "options", new Options(), "cache", new LRUCache(1 << 20));
                for (Map.Entry<String, AbstractImmutableNativeReference> object : objects.entrySet()) {
                    Attempts attempts = new Attempts(object.getValue(), round);
                    Thread thread = new Thread(null, attempts::descend, "little stack", STACK_BYTES);
                    thread.start();
                    thread.join();
                    assertThat(attempts.isLost).as(object.getKey()).isFalse();
                    assertThat(object.getValue().isOwningHandle()).as(object.getKey()).isFalse();
                }
            }
        }
    }

    /** Closes an object at the end of the stack, and again in frames above until that has succeeded. */
    private static final class Attempts {
        private final AbstractImmutableNativeReference object;
        private int depth;
        private boolean isClosed;
        private boolean isLost;

        Attempts(AbstractImmutableNativeReference object, int round) {
            this.object = object;
            this.depth = round;
        }

        @SuppressWarnings("InfiniteRecursion") // Until the stack ends.
        void descend() {
            boolean tries = depth++ % STEP == 0;
            try {
                descend();
            } catch (StackOverflowError e) {
                // Here, or in a frame below.
            }
            if (tries && !isClosed) {
                isLost |= !object.isOwningHandle();
                object.close();
                isClosed = true;
            }
        }
    }
}
