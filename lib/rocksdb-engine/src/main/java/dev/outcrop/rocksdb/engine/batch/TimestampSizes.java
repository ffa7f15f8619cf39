package dev.outcrop.rocksdb.engine.batch;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collection;

/**
 * The callback by which RocksDB asks for the size of a column family's timestamps: {@code size_t get_ts_size(void *state, uint32_t id)}.
 * The state is a table in native memory: the number of families, then the id and the size of each family, all in words of 8 bytes.
 */
public final class TimestampSizes implements Upcall {
    private TimestampSizes() {
    }

    /** Writes the table; returns its address, valid until the scratch is closed. */
    public static long write(Scratch scratch, Collection<? extends FamilyHandle> families) {
        MemorySegment table = scratch.allocate(Long.BYTES * (1 + 2L * families.size()), Long.BYTES);
        table.setAtIndex(ValueLayout.JAVA_LONG, 0, families.size());
        int next = 1;
        for (FamilyHandle family : families) {
            table.setAtIndex(ValueLayout.JAVA_LONG, next++, Integer.toUnsignedLong(family.id));
            table.setAtIndex(ValueLayout.JAVA_LONG, next++, family.timestampSize);
        }
        return table.address();
    }

    /** The function pointer. */
    public static MemorySegment callback() {
        return Stub.FUNCTION;
    }

    @SuppressWarnings("unused") // native code calls it
    private static long size(MemorySegment state, int id) {
        long table = state.address();
        long families = NativeCalls.readLong(table);
        for (long i = 0; i < families; i++) {
            long entry = table + Long.BYTES * (1 + 2 * i);
            if (NativeCalls.readLong(entry) == Integer.toUnsignedLong(id)) {
                return NativeCalls.readLong(entry + Long.BYTES);
            }
        }
        // RocksDB takes this for "unknown".
        return -1;
    }

    /** Made when first needed; lives as long as the process. */
    private static final class Stub {
        private static final MemorySegment FUNCTION;

        static {
            try {
                FUNCTION = NativeCalls.callback(
                        MethodHandles.lookup().findStatic(TimestampSizes.class, "size",
                                MethodType.methodType(long.class, MemorySegment.class, int.class)),
                        FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                        Arena.global());
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }
}
