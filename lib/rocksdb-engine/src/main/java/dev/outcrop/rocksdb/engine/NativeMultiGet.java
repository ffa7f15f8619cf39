package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Keys that RocksDB looks up in one call, and its copies of their values, which {@link #close()} frees. */
public final class NativeMultiGet implements AutoCloseable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    // C arrays in a row.
    private static final int FAMILIES = 0;
    private static final int KEYS = 1;
    private static final int KEY_LENGTHS = 2;
    private static final int VALUES = 3;
    private static final int VALUE_LENGTHS = 4;
    private static final int ERRORS = 5;
    private static final int ARRAYS = 6;

    private final Scratch scratch;
    private final int count;
    private final MemorySegment words;

    public NativeMultiGet(Scratch scratch, int count) {
        this.scratch = scratch;
        this.count = count;
        this.words = scratch.allocate((long) ARRAYS * Long.BYTES * Math.max(1, count), Long.BYTES).fill((byte) 0);
    }

    /** Sets a key to a copy. */
    public void setKey(int index, long family, byte[] key) {
        MemorySegment copy = scratch.allocate(Math.max(1, key.length), 1);
        MemorySegment.copy(key, 0, copy, ValueLayout.JAVA_BYTE, 0, key.length);
        set(FAMILIES, index, family);
        set(KEYS, index, copy.address());
        set(KEY_LENGTHS, index, key.length);
    }

    /** The shape of the C functions that look up many keys. */
    @FunctionalInterface
    public interface LookUp {
        void call(long reader, long readOptions, long families, long count, long keys, long keyLengths, long values,
                long valueLengths, long errors);
    }

    /** Looks up the keys. The first error goes to the scratch memory. */
    public void lookUp(LookUp function, long reader, long readOptions) {
        long _ = NativeCall.error(scratch);
        function.call(reader, readOptions, array(FAMILIES), count, array(KEYS), array(KEY_LENGTHS), array(VALUES),
                array(VALUE_LENGTHS), array(ERRORS));
        for (int i = 0; i < count; i++) {
            long error = get(ERRORS, i);
            if (scratch.word(NativeCall.ERROR) == 0) {
                scratch.setWord(NativeCall.ERROR, error);
            } else {
                NativeHeap.free(error);
            }
        }
    }

    /** Returns the address of a value; 0 if there is none. */
    public long address(int index) {
        return get(VALUES, index);
    }

    public long length(int index) {
        return get(VALUE_LENGTHS, index);
    }

    private long array(int which) {
        return words.address() + (long) which * Long.BYTES * count;
    }

    private long get(int array, int index) {
        return words.getAtIndex(LONG, (long) array * count + index);
    }

    private void set(int array, int index, long value) {
        words.setAtIndex(LONG, (long) array * count + index, value);
    }

    /** Frees the values. */
    @Override
    public void close() {
        for (int i = 0; i < count; i++) {
            NativeHeap.free(get(VALUES, i));
        }
    }
}
