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
                    attempts.run();
                    assertThat(attempts.isLost).as(object.getKey()).isFalse();
                    assertThat(object.getValue().isOwningHandle()).as(object.getKey()).isFalse();
                }
            }
        }
    }

    /** Closes an object at the end of the stack, and again in frames above until that has succeeded. */
    private static final class Attempts extends StackEnd {
        private final AbstractImmutableNativeReference object;
        private boolean isClosed;
        private boolean isLost;

        Attempts(AbstractImmutableNativeReference object, int round) {
            super(STEP, round);
            this.object = object;
        }

        @Override
        void attempt() {
            if (!isClosed) {
                isLost |= !object.isOwningHandle();
                object.close();
                isClosed = true;
            }
        }
    }
}
