package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Converts arguments for the C API, and its errors and strings for Java. */
public class NativeCall {
    /** For a class of an API, which adds methods with its own exceptions. */
    protected NativeCall() {
    }

    /** The word of scratch memory that holds the {@code char* *errptr} of a call. */
    public static final int ERROR = 0;

    /**
     * The longest entry, key and value together: the limit for values in RocksDB's FAQ. RocksDB accepts nearly 4 GiB for each. But when it
     * allocates an entry, it adds both in 32 bits (db/memtable.cc), and then writes far beyond the allocated memory.
     */
    public static final long LONGEST_ENTRY = 3L << 30;

    /** For longer entries, this class checks that there is enough memory. Otherwise RocksDB would end the process. */
    private static final long LARGE_ENTRY = 16L << 20;
    /** The copies of an entry until it is written: here, in RocksDB's batch, and in the memtable. */
    private static final int COPIES = 3;

    /**
     * Loads RocksDB if it is not loaded yet. Called where a program may begin to use {@link CApi}: a failure here is a clear exception each
     * time, but a failure in the initializer of a class is not.
     */
    public static void requireLibrary() {
        NativeLibraries.rocksdbPath();
    }

    /** Opens scratch memory for a rare call that no object's lifetime guards. The call is linked when it is first made. */
    public static Scratch scratch() {
        CallbackGuard.requireToWork();
        return Library.LIFETIME.enter();
    }

    /** Opens scratch memory for a call that no object's lifetime guards; the caller knows that enough of the stack is left. */
    public static Scratch scratchForCall() {
        return Library.LIFETIME.enter();
    }

    /**
     * Returns bytes as native memory for a call: a native segment itself, any other segment as a copy in scratch memory. A mapped file is
     * copied too, because the JVM would end if the file is truncated while native code reads it.
     *
     * @return memory that starts with the bytes, and may be longer
     */
    public static MemorySegment in(Scratch scratch, MemorySegment bytes) {
        return isDirect(bytes) ? bytes : scratch.allocate(bytes.byteSize(), 1).copyFrom(bytes);
    }

    /** Does the same as {@link #in(Scratch, MemorySegment)}, but puts a short copy into the first area, without an object. */
    public static MemorySegment key(Scratch scratch, MemorySegment key) {
        return isDirect(key) ? key : keyCopy(scratch, key);
    }

    /** Copies a key, to the first area if it is short. */
    public static MemorySegment keyCopy(Scratch scratch, MemorySegment key) {
        long length = key.byteSize();
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(key, 0, copy, 0, length);
        return copy;
    }

    /** Does the same as {@link #key(Scratch, MemorySegment)}, for a value: a short copy goes to the second area. */
    public static MemorySegment value(Scratch scratch, MemorySegment value) {
        if (isDirect(value)) {
            return value;
        }
        long length = value.byteSize();
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.secondArea() : scratch.allocate(length, 1);
        MemorySegment.copy(value, 0, copy, 0, length);
        return copy;
    }

    /** Copies a key, to the first area if it is short. */
    public static MemorySegment key(Scratch scratch, byte[] key) {
        return key(scratch, key, 0, key.length);
    }

    public static MemorySegment key(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /** Copies a value, to the second area if it is short. */
    public static MemorySegment value(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.secondArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /**
     * Returns why RocksDB cannot handle an entry of a length safely, or null.
     *
     * @param keyAndValue the sum of both lengths as an unsigned number; for a key alone, its length
     */
    public static @Nullable NativeStatus sizeProblem(long keyAndValue) {
        return Long.compareUnsigned(keyAndValue, LARGE_ENTRY) <= 0 ? null : largeSizeProblem(keyAndValue);
    }

    private static @Nullable NativeStatus largeSizeProblem(long keyAndValue) {
        if (Long.compareUnsigned(keyAndValue, LONGEST_ENTRY) > 0) {
            return new NativeStatus(NativeStatus.INVALID_ARGUMENT, NativeStatus.NONE,
                    "Key and value have " + Long.toUnsignedString(keyAndValue) + " bytes together, more than the "
                            + LONGEST_ENTRY
                            + " that RocksDB can store as one entry; split the value over several keys");
        }
        if (!NativeHeap.hasRoom(COPIES * keyAndValue)) {
            return new NativeStatus(NativeStatus.ABORTED, NativeStatus.MEMORY_LIMIT,
                    "There is no native memory for an entry of " + keyAndValue + " bytes, of which RocksDB makes "
                            + COPIES + " copies: give the process more address space (ulimit -v), or split the value");
        }
        return null;
    }

    /** Returns whether RocksDB can handle an entry safely; if not, leaves the reason in the scratch memory, as RocksDB does. */
    public static boolean fits(Scratch scratch, long keyAndValue) {
        NativeStatus problem = sizeProblem(keyAndValue);
        if (problem != null) {
            scratch.setWord(ERROR, NativeHeap.string(problem.toString()));
        }
        return problem == null;
    }

    /** Returns a C string, see {@link NativeText}. */
    public static MemorySegment in(Scratch scratch, String string) {
        return NativeText.in(scratch, string);
    }

    /**
     * Returns whether native code may use the segment itself. It must not use an empty segment: its address may be invalid, and comparators
     * in Java would get it.
     */
    public static boolean isDirect(MemorySegment bytes) {
        return bytes.isNative() && !bytes.isMapped() && bytes.byteSize() != 0;
    }

    /** Checks that a buffer is writable. */
    public static void requireWritable(MemorySegment buffer) {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("The buffer is read-only: " + buffer);
        }
    }

    /** Checks that this thread may use a segment now. */
    public static void requireAccessible(MemorySegment bytes) {
        if (!bytes.scope().isAlive()) {
            throw new IllegalStateException("The memory of the segment has been freed: " + bytes);
        }
        if (!bytes.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("The segment belongs to another thread: " + bytes);
        }
    }

    /** Returns the address of an empty {@code char* *errptr}. */
    public static long error(Scratch scratch) {
        // An earlier call may have left an exception that it could not report. This exception is not the failure of the new call.
        CallbackFailures.forget();
        scratch.setWord(ERROR, 0);
        return scratch.wordAddress(ERROR);
    }

    /** Does the same as {@link #error(Scratch)}, for a function that reports the failure of earlier calls. */
    public static long lateError(Scratch scratch) {
        scratch.setWord(ERROR, 0);
        return scratch.wordAddress(ERROR);
    }

    /** Does the same as {@link #error(Scratch)}, for an entered object that only one thread may use. */
    public static long error(ExclusiveLifetime entered) {
        entered.setWord(ERROR, 0);
        return entered.wordAddress(ERROR);
    }

    /**
     * Throws the exception of a callback during the call, if there is one; otherwise returns the failure that RocksDB reports. If the
     * database was stopped because its comparator failed, the comparator's failure becomes the cause.
     *
     * @param code of the failure's status
     */
    public static <X extends RuntimeException> X failure(int code, X failure) {
        CallbackFailures.rethrow(failure);
        Throwable cause = code == NativeStatus.SHUTDOWN_IN_PROGRESS
                ? RunningCallbacks.ofThread().changeFailure()
                : null;
        if (cause != null && failure.getCause() == null) {
            failure.initCause(cause);
        }
        return failure;
    }

    /** Returns the error that the C API left, or null. */
    public static @Nullable NativeStatus nativeStatus(Scratch scratch) {
        return scratch.word(ERROR) == 0 ? null : NativeStatus.parse(takeString(scratch.word(ERROR)));
    }

    /** Frees the error that the C API may have left. Needs no memory. */
    static void forgetError(Scratch scratch) {
        NativeHeap.free(scratch.word(ERROR));
    }

    /** Does the same as {@link #nativeStatus(Scratch)}, for an entered object that only one thread may use. */
    public static @Nullable NativeStatus nativeStatus(ExclusiveLifetime entered) {
        return entered.word(ERROR) == 0 ? null : NativeStatus.parse(takeString(entered.word(ERROR)));
    }

    /** The loaded library, which lives as long as the process. */
    private static final class Library {
        static {
            // If the stack runs out while a class is initialized, the class cannot be used again. So frequent calls must not start an
            // initialization.
            for (Class<?> each : List.of(PointReads.class, PointWrites.class, NativeIterator.class, NativeStatus.class,
                    CallbackFailures.class)) {
                try {
                    MethodHandles.lookup().ensureInitialized(each);
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }

        private static final Lifetime LIFETIME = new Lifetime(NativeCall.class, "RocksDB library", () -> {
        });
    }

    /** Reads and frees a string of a known length that the C API allocated. */
    public static String takeString(long address, long length) {
        return NativeText.string(takeBytes(address, length));
    }

    /** Reads and frees bytes that the C API allocated. */
    public static byte[] takeBytes(long address, long length) {
        byte[] bytes = NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE);
        NativeHeap.free(address);
        return bytes;
    }

    /** Reads an array of strings. */
    public static List<String> strings(long array, long count) {
        MemorySegment addresses = NativeCalls.view(array, count * Long.BYTES);
        return LongStream.range(0, count)
                .mapToObj(i -> NativeText.string(addresses.getAtIndex(ValueLayout.JAVA_LONG, i))).toList();
    }

    /** Does the same as {@link #takeString(long)}, but returns null for NULL. */
    public static @Nullable String takeStringOrNull(long address) {
        return address == 0 ? null : takeString(address);
    }

    /** Reads and frees a string that the C API allocated. */
    public static String takeString(long address) {
        String string = NativeText.string(address);
        NativeHeap.free(address);
        return string;
    }
}
