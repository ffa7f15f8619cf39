package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CMemory;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** How Java's bytes and strings reach the C API, and how its errors and strings come back. */
public class NativeCall {
    /** Not for objects: each API has a class of the same methods that knows its own exceptions. */
    protected NativeCall() {
    }

    /** The word of scratch memory that holds the {@code char* *errptr} of a call. */
    public static final int ERROR = 0;

    /**
     * The longest entry, key and value together: what RocksDB's FAQ names for a value. It accepts nearly 4 GiB for each, but adds both
     * up in 32 bits when it takes memory for an entry (db/memtable.cc), and then writes far beyond that memory.
     */
    public static final long LONGEST_ENTRY = 3L << 30;

    /** Longer entries are worth a look at whether there is memory for them, without which RocksDB ends the process. */
    private static final long LARGE_ENTRY = 16L << 20;
    /** What is made of an entry until it is written: here, in RocksDB's batch, and in the memtable. */
    private static final int COPIES = 3;

    /**
     * Loads RocksDB if that has not happened yet. Called before the first use of {@link CApi} in each place that can be a program's
     * first: what fails here is one clear exception each time, what fails in an initializer of a class is not.
     */
    public static void requireLibrary() {
        NativeLibraries.rocksdbPath();
    }

    /** Scratch memory for a call that no object's lifetime guards, and that is rare enough to be linked when it is first made. */
    public static Scratch scratch() {
        CallbackGuard.requireToWork();
        return Library.LIFETIME.enter();
    }

    /** Scratch memory for a call that no object's lifetime guards, whose caller knows that there is enough of the stack. */
    public static Scratch scratchForCall() {
        return Library.LIFETIME.enter();
    }

    /**
     * The bytes as native memory that stays put during a call: a native segment itself, anything else as a copy in scratch memory.
     * A mapped file is copied too: if it is truncated meanwhile, Java reports an error where native code would end the JVM.
     *
     * @return starts with the bytes, and may be longer
     */
    public static MemorySegment in(Scratch scratch, MemorySegment bytes) {
        return isDirect(bytes) ? bytes : scratch.allocate(bytes.byteSize(), 1).copyFrom(bytes);
    }

    /** As {@link #in(Scratch, MemorySegment)}, but a short copy goes to the first area, without an object for it. */
    public static MemorySegment key(Scratch scratch, MemorySegment key) {
        return isDirect(key) ? key : keyCopy(scratch, key);
    }

    /** A copy of a key, in the first area if it is short. */
    public static MemorySegment keyCopy(Scratch scratch, MemorySegment key) {
        long length = key.byteSize();
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(key, 0, copy, 0, length);
        return copy;
    }

    /** As {@link #key(Scratch, MemorySegment)}, for a value: a short copy goes to the second area. */
    public static MemorySegment value(Scratch scratch, MemorySegment value) {
        if (isDirect(value)) {
            return value;
        }
        long length = value.byteSize();
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.secondArea() : scratch.allocate(length, 1);
        MemorySegment.copy(value, 0, copy, 0, length);
        return copy;
    }

    /** A key as native memory: in the first area if it is short. */
    public static MemorySegment key(Scratch scratch, byte[] key) {
        return key(scratch, key, 0, key.length);
    }

    public static MemorySegment key(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /** A value as native memory: in the second area if it is short. */
    public static MemorySegment value(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.secondArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /**
     * Why RocksDB cannot handle an entry of a length safely; null if it can. For a key alone: the entry that it would be.
     *
     * @param keyAndValue the sum of both lengths, which may overflow: it is taken as unsigned
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
        if (!CMemory.isThere(COPIES * keyAndValue)) {
            return new NativeStatus(NativeStatus.ABORTED, NativeStatus.MEMORY_LIMIT,
                    "There is no native memory for an entry of " + keyAndValue + " bytes, of which RocksDB makes "
                            + COPIES + " copies: give the process more address space (ulimit -v), or split the value");
        }
        return null;
    }

    /** Whether RocksDB can handle an entry safely; if not, the reason is in the scratch memory, as if RocksDB had given it. */
    public static boolean fits(Scratch scratch, long keyAndValue) {
        NativeStatus problem = sizeProblem(keyAndValue);
        if (problem != null) {
            scratch.setWord(ERROR, CMemory.string(problem.toString()));
        }
        return problem == null;
    }

    /** A string as the C API takes it: UTF-8, or the bytes that it stands for, ended by a zero byte. */
    public static MemorySegment in(Scratch scratch, String string) {
        return NativeText.in(scratch, string);
    }

    /**
     * Whether native code may use the segment itself. An empty one may be at an address that is none, which comparators in Java would be
     * given.
     */
    public static boolean isDirect(MemorySegment bytes) {
        return bytes.isNative() && !bytes.isMapped() && bytes.byteSize() != 0;
    }

    /** Checks that bytes may be written into a buffer. */
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

    /** The address of a {@code char* *errptr}, emptied as the C API wants it. */
    public static long error(Scratch scratch) {
        // What was thrown during a call that cannot report it is not the failure of the next one.
        CallbackFailures.forget();
        scratch.setWord(ERROR, 0);
        return scratch.wordAddress(ERROR);
    }

    /** As {@link #error(Scratch)}, for a function that tells of the failure of calls before. */
    public static long lateError(Scratch scratch) {
        scratch.setWord(ERROR, 0);
        return scratch.wordAddress(ERROR);
    }

    /** As {@link #error(Scratch)}, for a call of an object that only one thread may use, which is inside. */
    public static long error(ExclusiveLifetime entered) {
        entered.setWord(ERROR, 0);
        return entered.wordAddress(ERROR);
    }

    /**
     * What to throw when RocksDB reports a failure: what a callback threw during the call, if anything, or else that. Where the database
     * was stopped meanwhile because the order of its keys is broken, it has the reason as its cause.
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

    /** What the C API left in the {@code errptr}; null if nothing. */
    public static @Nullable NativeStatus nativeStatus(Scratch scratch) {
        return scratch.word(ERROR) == 0 ? null : NativeStatus.parse(takeString(scratch.word(ERROR)));
    }

    /** As {@link #nativeStatus(Scratch)}, for a call of an object that only one thread may use, which is inside. */
    public static @Nullable NativeStatus nativeStatus(ExclusiveLifetime entered) {
        return entered.word(ERROR) == 0 ? null : NativeStatus.parse(takeString(entered.word(ERROR)));
    }

    /** The loaded library, which lives as long as the process. */
    private static final class Library {
        static {
            // A class whose initialization meets the end of the stack cannot be used again, so frequent calls must not start it.
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

    /** Reads a string of a known length that the C API allocated, and frees it. */
    public static String takeString(long address, long length) {
        return NativeText.string(takeBytes(address, length));
    }

    /** Reads bytes that the C API allocated, and frees them. */
    public static byte[] takeBytes(long address, long length) {
        byte[] bytes = NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE);
        CMemory.free(address);
        return bytes;
    }

    /** Reads an array of strings. */
    public static List<String> strings(long array, long count) {
        MemorySegment addresses = NativeCalls.view(array, count * Long.BYTES);
        return LongStream.range(0, count)
                .mapToObj(i -> NativeText.string(addresses.getAtIndex(ValueLayout.JAVA_LONG, i))).toList();
    }

    /** As {@link #takeString(long)}; null for C's NULL. */
    public static @Nullable String takeStringOrNull(long address) {
        return address == 0 ? null : takeString(address);
    }

    /** Reads a string that the C API allocated, and frees it. */
    public static String takeString(long address) {
        String string = NativeText.string(address);
        CMemory.free(address);
        return string;
    }
}
