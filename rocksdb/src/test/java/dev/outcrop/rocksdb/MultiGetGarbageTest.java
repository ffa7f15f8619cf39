package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request that is used again leaves nothing for the collector, once its code is compiled. */
class MultiGetGarbageTest {
    private static final int KEYS = 50;
    private static final int EXECUTIONS = 400;

    @TempDir
    private Path directory;
    private final List<ColumnFamily> families = new ArrayList<>();

    @BeforeEach
    void fill() {
        try (RocksDB db = RocksDB.open(directory, new Options().createIfMissing(true))) {
            for (int f = 0; f < 20; f++) {
                ColumnFamily family = db.createColumnFamily("family" + f, new Options());
                for (int i = 0; i < KEYS; i++) {
                    family.put(Bytes.of("key" + i), Bytes.random(i, 1000));
                }
                family.flush();
            }
        }
    }

    @Test
    void pinnedValuesOfOneFamily() {
        check(1, Form.PINNED);
    }

    @Test
    void pinnedValuesOfManyFamilies() {
        check(20, Form.PINNED);
    }

    @Test
    void valuesInOneSegment() {
        check(20, Form.SLAB);
    }

    private enum Form {
        PINNED, SLAB
    }

    private void check(int familyCount, Form form) {
        try (RocksDB db = RocksDB.open(directory);
                Arena arena = Arena.ofConfined();
                MultiGet request = db.multiGet()) {
            for (int f = 0; f < familyCount; f++) {
                families.add(db.columnFamily("family" + f));
            }
            List<MemorySegment> keys = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                keys.add(arena.allocateFrom(ValueLayout.JAVA_BYTE, Bytes.of("key" + i)));
            }
            MemorySegment slab = arena.allocate(1 << 20);
            long least = leastGarbage(form == Form.PINNED
                    ? () -> pinned(request, keys)
                    : () -> copied(request, keys, slab));
            assertThat(least / EXECUTIONS).as("bytes an execution").isZero();
        }
    }

    private long pinned(MultiGet request, List<MemorySegment> keys) {
        add(request, keys);
        try (MultiGetValues values = request.execute()) {
            return sum(values);
        }
    }

    private long copied(MultiGet request, List<MemorySegment> keys, MemorySegment slab) {
        add(request, keys);
        try (MultiGetValues values = request.execute(slab)) {
            return sum(values);
        }
    }

    private void add(MultiGet request, List<MemorySegment> keys) {
        request.clear();
        for (int i = 0; i < keys.size(); i++) {
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

    /** Of many rounds, because compilation takes some and allocates now and then in the same thread. */
    private static long leastGarbage(LongSupplier execution) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long expected = execution.getAsLong();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 100 && least >= EXECUTIONS; round++) {
            long sum = 0;
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < EXECUTIONS; i++) {
                sum += execution.getAsLong();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            assertThat(sum).isEqualTo(EXECUTIONS * expected);
        }
        return least;
    }
}
