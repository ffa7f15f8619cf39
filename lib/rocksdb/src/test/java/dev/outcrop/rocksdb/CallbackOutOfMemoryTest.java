package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A callback that runs out of memory where the JIT compiler had done without its objects: it has to make them after all when it gives the
 * compiled code up, in the middle of a method, and throws away all frames of that compiled code if it cannot.
 */
class CallbackOutOfMemoryTest {
    private static final int MOST_RUNS = 40;

    @TempDir
    private Path directory;

    /** A comparator and a merge operator, compiled while there is memory, and then used in a new way while there is none. */
    static final class Program {
        private static final int KEYS = 2000;
        private static final int WARMING_READS = 100_000;
        private static final int READS = 3;
        /** Kept, because an unreachable logger forgets its level. */
        private static final Logger LOG = Logger.getLogger(RocksDB.class.getPackageName());

        @SuppressWarnings("UnusedVariable") // it is there to be kept
        private static @Nullable Object ballast;
        private static volatile boolean isFull;
        private static int calls;
        private static @Nullable Object seen;

        private Program() {
        }

        /** With objects that never leave it, until it does for the first time what the compiled code cannot do. */
        private static int compare(MemorySegment a, MemorySegment b) {
            int[] lengths = {(int) a.byteSize(), (int) b.byteSize()};
            surprise(lengths);
            long at = a.mismatch(b);
            return at < 0
                    ? 0
                    : at == lengths[0] || at == lengths[1]
                            ? Integer.compare(lengths[0], lengths[1])
                            : Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
        }

        private static void surprise(int[] lengths) {
            if (isFull && calls++ % 20 == 19) {
                seen = lengths;
            }
        }

        /** Makes no value of its own: what is kept is the operand. */
        private static final class Latest implements MergeFunction {
            @Override
            public String name() {
                return "test.Latest";
            }

            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
                surprise(new int[]{operands.size(), (int) key.byteSize()});
                result.write(operands.getLast());
            }
        }

        private static void fill() {
            @Nullable
            Object[] chain = new Object[1];
            for (int length = 1 << 12; length > 0; length /= 2) {
                try {
                    while (true) {
                        @Nullable
                        Object[] more = new Object[length];
                        more[0] = chain;
                        chain = more;
                    }
                } catch (OutOfMemoryError e) {
                    // This is what it is for.
                }
            }
            ballast = chain;
        }

        static void main(String[] arguments) throws IOException {
            LOG.setLevel(Level.OFF);
            boolean merges = arguments[1].equals("merges");
            Options options = new Options().createIfMissing(true).writeBufferSize(64 << 10).mergeOperator(new Latest());
            if (!merges) {
                options.comparator(KeyComparator.of("test.Bytes", Program::compare));
            }
            Path path = Path.of(arguments[0]);
            RocksDB db = RocksDB.open(path, options);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment key = arena.allocate(16, 8);
                MemorySegment value = arena.allocate(16, 8);
                for (int i = 0; i < 3 * KEYS; i++) {
                    write(db, set(key, i), value, merges);
                }
                for (int i = 0; i < WARMING_READS; i++) {
                    db.get(set(key, i), value);
                }
                // Everything that is needed later was needed once.
                db.compact();
                write(db, set(key, 0), value, merges);
                int failures = 0;
                isFull = true;
                fill();
                for (int i = 0; i < READS; i++) {
                    try {
                        db.get(set(key, i), value);
                    } catch (Throwable e) {
                        failures++;
                    }
                }
                try {
                    write(db, set(key, 0), value, merges);
                    // With a merge operator it calls a function of it for the first time, which the JDK had to link before.
                    db.compact();
                } catch (Throwable e) {
                    failures++;
                }
                ballast = null;
                isFull = false;
                System.out.println("failures " + failures + (seen == null ? "" : ", surprised") + ".");
            } catch (OutOfMemoryError e) {
                ballast = null;
                throw e;
            }
            db.close();
            try (RocksDB again = RocksDB.open(path, options)) {
                int[] found = {0};
                again.scan((_, _) -> ++found[0] > 0);
                System.out.println("found " + found[0]);
            }
        }

        private static MemorySegment set(MemorySegment key, int i) {
            key.set(ValueLayout.JAVA_LONG, 0, Long.reverseBytes(i * 7919L % KEYS));
            return key;
        }

        private static void write(RocksDB db, MemorySegment key, MemorySegment value, boolean merges) {
            if (merges) {
                db.merge(key, value);
            } else {
                db.put(key, value);
            }
        }
    }

    private void run(String what) throws IOException, InterruptedException {
        boolean isMet = false;
        // In some runs no call happens to lack memory.
        for (int run = 0; !isMet; run++) {
            assertThat(run).as("runs in which nothing failed").isLessThan(MOST_RUNS);
            ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Xmx16m").option("-XX:+UseSerialGC")
                    .run(Program.class, directory.resolve(what + run), what);

            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).contains("found " + Program.KEYS);
            isMet = !result.output().contains("failures 0");
        }
    }

    @Test
    @Tag("nightly")
    void aComparatorThatRunsOutOfMemoryIsAnException() throws Exception {
        run("compares");
    }

    @Test
    @Tag("verify")
    void aMergeOperatorThatRunsOutOfMemoryIsAnException() throws Exception {
        run("merges");
    }
}
