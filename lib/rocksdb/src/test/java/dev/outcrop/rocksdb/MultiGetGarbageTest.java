package dev.outcrop.rocksdb;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.GarbageStarts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A reused request allocates nothing, once its code is compiled. */
class MultiGetGarbageTest extends DatabaseTest {
    private static final int KEYS = 50;
    private static final int EXECUTIONS = 400;
    /** The arena of an execution that returns segments, and its references: less than 4 bytes a key. */
    private static final long FOR_THE_ARENA = 160;

    /** In a JVM of its own: here the leak detector makes an object for each execution. */
    @ParameterizedTest
    @CsvSource({"1, pinned", "20, slab"})
    @Tag("nightly")
    void segmentsLeaveNothingForAKey(int families, String form) throws Exception {
        requireNoMore(FOR_THE_ARENA, "-XX:+DoEscapeAnalysis", families, form);
    }

    /** Runs without escape analysis, so inlining does not matter. */
    @ParameterizedTest
    @CsvSource({"1, pinned in place", "20, pinned in place", "20, slab in place", "1, copied"})
    @Tag("nightly")
    void nothingIsLeftWithoutSegments(int families, String form) throws Exception {
        requireNoMore(0, "-XX:-DoEscapeAnalysis", families, form);
    }

    @ParameterizedTest
    @CsvSource({"+, slab, 160", "-, slab in place, 0"})
    @Tag("verify")
    void littleIsLeft(char escapeAnalysis, String form, long most) throws Exception {
        requireNoMore(most, "-XX:" + escapeAnalysis + "DoEscapeAnalysis", 2, form);
    }

    private void requireNoMore(long most, String option, int families, String form) throws Exception {
        GarbageStarts.require(bytes -> bytes <= most,
                start -> bytesAnExecution(directory.resolve("start" + start), option, families, form));
    }

    private static long bytesAnExecution(Path files, String option, int families, String form) throws Exception {
        String output = output(ChildJvm.withNativeAccess().option("-Xbatch").option(option), Program.class, files,
                families, form);
        assertThat(output).startsWith("bytes an execution: ");
        return Long.parseLong(output.strip().substring("bytes an execution: ".length()));
    }

    /** Reads again and again; prints the least garbage of many rounds. */
    static final class Program {
        private final List<ColumnFamily> families = new ArrayList<>();
        private final List<MemorySegment> keys = new ArrayList<>();
        private final MultiGet request;
        private final MemorySegment slab;
        private final MemorySegment buffer;

        private Program(RocksDB db, Arena arena, int familyCount) {
            for (int f = 0; f < familyCount; f++) {
                ColumnFamily family = db.createColumnFamily("family" + f, new Options());
                for (int i = 0; i < KEYS; i++) {
                    family.put(Bytes.of("key" + i), Bytes.random(i, 1000));
                }
                family.flush();
                families.add(family);
            }
            for (int i = 0; i < KEYS; i++) {
                keys.add(arena.allocateFrom(ValueLayout.JAVA_BYTE, Bytes.of("key" + i)));
            }
            request = db.multiGet();
            slab = arena.allocate(1000L * KEYS);
            buffer = arena.allocate(1000);
        }

        public static void main(String[] args) {
            try (RocksDB db = RocksDB.open(Path.of(args[0]), create());
                    Arena arena = Arena.ofConfined()) {
                Program program = new Program(db, arena, Integer.parseInt(args[1]));
                long least = leastGarbage(program.form(args[2]));
                System.out.println("bytes an execution: " + least / EXECUTIONS);
                program.request.close();
            }
        }

        private LongSupplier form(String name) {
            return switch (name) {
                case "pinned" -> () -> {
                    addKeys();
                    try (MultiGetValues values = request.execute()) {
                        return sum(values);
                    }
                };
                case "slab" -> () -> {
                    addKeys();
                    try (MultiGetValues values = request.execute(slab)) {
                        return sum(values);
                    }
                };
                case "pinned in place" -> () -> {
                    addKeys();
                    try (MultiGetValues values = request.execute()) {
                        return sumInPlace(values);
                    }
                };
                case "slab in place" -> () -> {
                    addKeys();
                    try (MultiGetValues values = request.execute(slab)) {
                        return sumInPlace(values);
                    }
                };
                default -> () -> {
                    addKeys();
                    try (MultiGetValues values = request.execute()) {
                        return sumOfCopies(values);
                    }
                };
            };
        }

        private void addKeys() {
            request.clear();
            for (int i = 0; i < KEYS; i++) {
                request.add(families.get(i % families.size()), keys.get(i));
            }
        }

        private static long sum(MultiGetValues values) {
            long sum = 0;
            for (int i = 0; i < values.size(); i++) {
                MemorySegment value = values.get(i);
                if (value != null) {
                    sum += value.byteSize() + value.get(ValueLayout.JAVA_BYTE, 0);
                }
            }
            return sum;
        }

        private static long sumInPlace(MultiGetValues values) {
            long sum = 0;
            for (int i = 0; i < values.size(); i++) {
                sum += values.size(i) + values.get(i, ValueLayout.JAVA_BYTE, 0);
            }
            return sum;
        }

        private long sumOfCopies(MultiGetValues values) {
            long sum = 0;
            for (int i = 0; i < values.size(); i++) {
                sum += values.get(i, buffer) + buffer.get(ValueLayout.JAVA_BYTE, 0);
            }
            return sum;
        }

        /** Of many rounds, because compilation takes some. */
        private static long leastGarbage(LongSupplier execution) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long expected = execution.getAsLong();
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 150 && least >= EXECUTIONS; round++) {
                long sum = 0;
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < EXECUTIONS; i++) {
                    sum += execution.getAsLong();
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                if (sum != EXECUTIONS * expected || expected < 1000L * KEYS - 128L * KEYS) {
                    throw new AssertionError(sum + " instead of " + EXECUTIONS * expected);
                }
            }
            return least;
        }
    }
}
