package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Platform and virtual threads share iterators, close them and their database, and keep segments too long. */
@Tag("verify")
class IteratorStressTest extends DatabaseTest {
    /** Exits with 0 if nothing happened that must not; a crash exits with something else. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding only makes more interleavings, nothing relies on it
    static final class Stress {
        private static final int KEYS = 300;
        private static final int ITERATORS = TestSize.choose("outcrop.stress.iterators", 120, 6000);
        private static final int USES = 60;
        private static final String CLOSED = "is closed";
        private static final String IN_USE = "is being used by another thread";
        private static final String FOREIGN_SEGMENTS = "it must call detach()";
        private static final String NOWHERE = "is at no entry";

        private final Path directory;
        private final AtomicLong uses = new AtomicLong();
        private final AtomicLong seen = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();
        private volatile KeyValueIterator current;
        private volatile boolean done;
        private volatile @Nullable Throwable failure;

        private Stress(Path directory, RocksDB db) {
            this.directory = directory;
            this.current = db.iterator();
        }

        static void main(String[] arguments) throws Exception {
            long seed = TestSize.seed(IteratorStressTest.class);
            Path directory = Path.of(arguments[0]);
            RocksDB db = open(directory);
            for (int i = 0; i < KEYS; i++) {
                write(db, i);
            }
            new Stress(directory, db).run(db, seed);
            System.exit(0);
        }

        private static RocksDB open(Path directory) {
            return RocksDB.open(directory, create().writeBufferSize(128 << 10));
        }

        private void run(RocksDB first, long seed) throws Exception {
            RocksDB db = first;
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
                    ExecutorService platform = Executors.newFixedThreadPool(2)) {
                for (int i = 0; i < 4; i++) {
                    Random own = new Random(seed + i);
                    (i < 2 ? platform : virtual).execute(() -> useUntilDone(own));
                }
                db = replaceIterators(db, new Random(seed));
            } finally {
                close(current);
                db.close();
            }
            RocksDB.open(directory).close();
            if (failure != null) {
                throw new IllegalStateException("A thread failed", failure);
            }
            System.out.println(uses + " uses, " + seen + " entries seen, " + refused + " refused");
        }

        private RocksDB replaceIterators(RocksDB first, Random random) {
            RocksDB db = first;
            try {
                for (int i = 0; i < ITERATORS && failure == null; i++) {
                    await(uses.get() + USES);
                    write(db, random.nextInt(KEYS));
                    KeyValueIterator before = current;
                    if (i % 50 == 25) {
                        // The iterator is used on for a while, and must be gone before the database can be opened again.
                        db.close();
                        await(uses.get() + USES);
                        close(before);
                        db = reopen();
                        current = db.iterator();
                    } else {
                        current = db.iterator();
                        close(before);
                    }
                }
            } catch (Throwable e) {
                failure = e;
            } finally {
                done = true;
            }
            return db;
        }

        private void await(long target) {
            while (uses.get() < target && failure == null) {
                Thread.yield();
            }
        }

        /** Another thread may be the one that closed the iterator, and not be through with it. */
        private RocksDB reopen() {
            while (true) {
                try {
                    return open(directory);
                } catch (RocksDBException e) {
                    if (!String.valueOf(e.getMessage()).contains("lock") || failure != null) {
                        throw e;
                    }
                    Thread.yield();
                }
            }
        }

        /** Closes an iterator as soon as no segments of it are in use. */
        private void close(KeyValueIterator entries) {
            while (failure == null) {
                try {
                    entries.close();
                    return;
                } catch (IllegalStateException e) {
                    require(e, FOREIGN_SEGMENTS);
                    Thread.yield();
                }
            }
        }

        private void useUntilDone(Random random) {
            try {
                KeyValueIterator mine = current;
                while (!done && failure == null) {
                    if (mine != current || random.nextInt(100) == 0) {
                        detach(mine);
                        mine = current;
                    }
                    try {
                        use(mine, random);
                    } catch (IllegalStateException e) {
                        require(e, CLOSED, IN_USE, FOREIGN_SEGMENTS, NOWHERE);
                        refused.incrementAndGet();
                    }
                    uses.incrementAndGet();
                    if (random.nextInt(8) == 0) {
                        Thread.yield();
                    }
                }
                detach(mine);
            } catch (Throwable e) {
                failure = e;
            }
        }

        /** Ends this thread's segments, if it has any. */
        private static void detach(KeyValueIterator entries) {
            while (true) {
                try {
                    entries.detach();
                    return;
                } catch (IllegalStateException e) {
                    require(e, CLOSED, IN_USE, FOREIGN_SEGMENTS);
                    if (!message(e).contains(IN_USE)) {
                        return;
                    }
                    Thread.yield();
                }
            }
        }

        private void use(KeyValueIterator entries, Random random) {
            byte[] key = key(random.nextInt(KEYS));
            switch (random.nextInt(16)) {
                case 0 -> entries.seekToFirst();
                case 1 -> entries.seekToLast();
                case 2 -> entries.seek(key);
                case 3 -> entries.seekForPrev(Bytes.inNative(key));
                case 4, 5, 6 -> entries.next();
                case 7, 8 -> entries.previous();
                case 9 -> entries.key(MemorySegment.ofArray(new byte[20]));
                case 10 -> entries.refresh();
                case 11 -> close(entries, random);
                default -> check(entries, random);
            }
        }

        private static void close(KeyValueIterator entries, Random random) {
            if (random.nextInt(20) == 0) {
                entries.close();
            } else {
                entries.isValid();
            }
        }

        /** No thread can move the iterator between these two, because there are segments; so they belong together. */
        private void check(KeyValueIterator entries, Random random) {
            MemorySegment key = entries.key();
            Thread.yield();
            MemorySegment value = entries.value();
            String name = new String(ReadForm.bytes(key), StandardCharsets.UTF_8);
            if (!Arrays.equals(ReadForm.bytes(value), value(Integer.parseInt(name.substring(3))))) {
                throw new AssertionError("wrong value of " + name);
            }
            seen.incrementAndGet();
            if (random.nextBoolean()) {
                detach(entries);
                try {
                    throw new AssertionError("read " + value.get(ValueLayout.JAVA_BYTE, 0) + " too late");
                } catch (IllegalStateException expected) {
                    seen.incrementAndGet();
                }
            }
        }

        private static void write(RocksDB db, int number) {
            db.put(key(number), value(number));
        }

        private static byte[] key(int number) {
            return Bytes.of("key" + number);
        }

        private static byte[] value(int number) {
            return Bytes.random(number, 1 + number * 7 % 2000);
        }

        private static String message(IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }

        private static void require(IllegalStateException e, String... messages) {
            if (Arrays.stream(messages).noneMatch(message(e)::contains)) {
                throw e;
            }
        }
    }

    @Test
    void nothingCrashesAndNoValueIsWrong() throws IOException, InterruptedException {
        String output = output(ChildJvm.withNativeAccess(), Stress.class, directory);
        System.out.println("IteratorStressTest: " + output);
        assertThat(output).contains("entries seen").doesNotContain(" 0 refused").doesNotContain(" 0 entries");
    }
}
