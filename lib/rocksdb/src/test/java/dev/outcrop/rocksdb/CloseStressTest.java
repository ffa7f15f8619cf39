package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Platform and virtual threads read and write in every way while another thread closes the database, again and again. */
@Tag("verify")
class CloseStressTest extends DatabaseTest {
    /** Exits with 0 if nothing happened that must not; a crash exits with something else. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding only makes more interleavings, nothing relies on it
    static final class Stress {
        private static final int CLOSES = TestSize.choose("outcrop.stress.closes", 15, 1000);
        private static final int MOST_CLOSES = 100 * CLOSES;
        private static final int KEYS = 50;
        private static final int[] SIZES = {10, 1000, 5000, 100_000};
        private static final byte[][] VALUES = IntStream.range(0, KEYS)
                .mapToObj(number -> Bytes.random(number, SIZES[number % SIZES.length])).toArray(byte[][]::new);

        private final Path directory;
        private final AtomicLong operations = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();
        private volatile @Nullable RocksDB current;
        private volatile boolean done;
        private volatile @Nullable Throwable failure;

        private Stress(Path directory) {
            this.directory = directory;
        }

        static void main(String[] arguments) throws Exception {
            long seed = TestSize.seed(CloseStressTest.class);
            new Stress(Path.of(arguments[0])).run(seed);
            System.exit(0);
        }

        private void run(long seed) throws Exception {
            current = open();
            for (int i = 0; i < 2 * KEYS; i++) {
                write(Objects.requireNonNull(current), i % KEYS, 3);
            }
            try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
                    ExecutorService platform = Executors.newFixedThreadPool(3)) {
                for (int i = 0; i < 12; i++) {
                    Random random = new Random(seed + i);
                    (i < 3 ? platform : virtual).execute(() -> useUntilDone(random));
                }
                // More, where no other thread was in the middle of a call.
                for (int i = 0; i < CLOSES || (i < MOST_CLOSES && refused.get() == 0); i++) {
                    if (failure != null) {
                        break;
                    }
                    long target = operations.get() + 50;
                    while (operations.get() < target && failure == null) {
                        Thread.yield();
                    }
                    Objects.requireNonNull(current).close();
                    current = open();
                }
                done = true;
            }
            try (RocksDB db = Objects.requireNonNull(current)) {
                if (failure == null && db.pinnedBytes() != 0) {
                    throw new IllegalStateException(db.pinnedBytes() + " bytes are still pinned");
                }
            }
            if (failure != null) {
                throw new IllegalStateException("A thread failed", failure);
            }
            System.out.println(operations + " operations, " + refused + " refused");
        }

        /** Opens again; pinned slices that are still open may keep the lock for a while. */
        private RocksDB open() {
            while (true) {
                try {
                    return RocksDB.open(directory, create().mergeOperator(MergeOperator.MAX).pinBudget(300_000)
                            .writeBufferSize(4 << 20));
                } catch (RocksDBException e) {
                    if (!String.valueOf(e.getMessage()).contains("lock") || failure != null) {
                        throw e;
                    }
                    Thread.yield();
                }
            }
        }

        private void useUntilDone(Random random) {
            try {
                while (!done && failure == null) {
                    RocksDB db = Objects.requireNonNull(current);
                    try {
                        use(db, random);
                        operations.incrementAndGet();
                    } catch (IllegalStateException e) {
                        if (!("The database " + directory + " is closed").equals(e.getMessage())) {
                            throw e;
                        }
                        refused.incrementAndGet();
                        // Leaves the processor to the thread that opens the database again.
                        LockSupport.parkNanos(1_000_000);
                    }
                    // Virtual threads are not preempted; without this some would never run, and one of them may be inside a call.
                    Thread.yield();
                }
            } catch (Throwable e) {
                failure = e;
            }
        }

        private void use(RocksDB db, Random random) {
            int number = random.nextInt(KEYS);
            switch (random.nextInt(13)) {
                case 0 -> write(db, number, random.nextInt(4));
                case 1 -> check(db.get(key(number)), number);
                case 2, 3 -> pin(db, number);
                case 4 -> check(db.<byte[]>getPinned(MemorySegment.ofArray(key(number)), ReadForm::bytes), number);
                case 5 -> hybrid(db, number);
                case 6 -> into(db, number, 200_000);
                case 7 -> into(db, number, 100);
                case 8 -> intoHeap(db, number);
                case 9 -> scan(db, random.nextInt(10));
                case 10 -> iterate(db, number, random.nextInt(10));
                case 11 -> flush(db, random.nextInt(100));
                default -> db.property("rocksdb.num-snapshots");
            }
        }

        private static void write(RocksDB db, int number, int form) {
            byte[] key = key(number);
            byte[] value = VALUES[number];
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment nativeKey = arena.allocateFrom(ValueLayout.JAVA_BYTE, key);
                MemorySegment nativeValue = arena.allocateFrom(ValueLayout.JAVA_BYTE, value);
                switch (form) {
                    case 0 -> db.put(key, value);
                    case 1 -> db.put(nativeKey, nativeValue);
                    case 2 -> db.merge(ByteBuffer.wrap(key), ByteBuffer.wrap(value));
                    default -> db.put(MemorySegment.ofArray(key), nativeValue);
                }
            }
        }

        private static void flush(RocksDB db, int choice) {
            switch (choice) {
                case 0 -> db.flush();
                case 1 -> db.compact();
                default -> db.deleteRange(Bytes.of("l"), Bytes.of("m"));
            }
        }

        /** Reads the slice at its end, when the database may have been closed long ago. */
        private static void pin(RocksDB db, int number) {
            try (PinnedSlice slice = Objects.requireNonNull(db.getPinned(key(number)))) {
                Thread.yield();
                check(ReadForm.bytes(slice.segment()), number);
            }
        }

        private static void hybrid(RocksDB db, int number) {
            try (Arena arena = Arena.ofConfined();
                    PinnedSlice slice = Objects.requireNonNull(
                            db.getHybrid(MemorySegment.ofArray(key(number)), arena.allocate(4096)))) {
                check(ReadForm.bytes(slice.segment()), number);
            }
        }

        private static void into(RocksDB db, int number, int room) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment buffer = arena.allocate(room);
                long size = db.get(arena.allocateFrom(ValueLayout.JAVA_BYTE, key(number)), buffer);
                if (size <= room) {
                    check(ReadForm.bytes(buffer.asSlice(0, size)), number);
                }
            }
        }

        private static void intoHeap(RocksDB db, int number) {
            byte[] buffer = new byte[100_000];
            int size = (int) db.get(key(number), buffer);
            check(Arrays.copyOf(buffer, size), number);
        }

        private static void scan(RocksDB db, int most) {
            int[] seen = {0};
            db.scan((key, value) -> {
                String name = new String(ReadForm.bytes(key), StandardCharsets.UTF_8);
                check(ReadForm.bytes(value), Integer.parseInt(name.substring(3)));
                return seen[0]++ < most;
            });
        }

        /** Goes on when the database may have been closed long ago. */
        private static void iterate(RocksDB db, int number, int most) {
            try (KeyValueIterator entries = db.iterator()) {
                Thread.yield();
                entries.seek(key(number));
                for (int i = 0; entries.isValid() && i < most; i++, entries.next()) {
                    String name = new String(ReadForm.bytes(entries.key()), StandardCharsets.UTF_8);
                    check(ReadForm.bytes(entries.value()), Integer.parseInt(name.substring(3)));
                }
            }
        }

        private static byte[] key(int number) {
            return Bytes.of("key" + number);
        }

        private static void check(byte @Nullable [] value, int number) {
            if (!Arrays.equals(value, VALUES[number])) {
                throw new AssertionError("wrong value of key " + number);
            }
        }
    }

    @Test
    void nothingCrashesAndNoValueIsWrong() throws IOException, InterruptedException {
        String output = output(ChildJvm.withNativeAccess(), Stress.class, directory);
        System.out.println("CloseStressTest: " + output);
        assertThat(output).contains("operations").doesNotContain(" 0 refused");
    }
}
