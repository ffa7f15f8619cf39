package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** How Java's bytes and strings reach the C API, and how its errors and strings come back. */
final class Native {
    private Native() {
    }

    /** The word of scratch memory that holds the {@code char* *errptr} of a call. */
    static final int ERROR = 0;

    /**
     * The longest entry, key and value together: what RocksDB's FAQ names for a value. It accepts nearly 4 GiB for each, but adds both
     * up in 32 bits when it takes memory for an entry (db/memtable.cc), and then writes far beyond that memory.
     */
    static final long LONGEST_ENTRY = 3L << 30;

    /** The longest array that every JVM can make. */
    static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    /**
     * Loads RocksDB if that has not happened yet. Called before the first use of {@link CApi} in each place that can be a program's
     * first: what fails here is one clear exception each time, what fails in an initializer of a class is not.
     */
    static void requireLibrary() {
        NativeLibraries.rocksdbPath();
    }

    /** Scratch memory for a call that no object's lifetime guards, and that is rare enough to be linked when it is first made. */
    static Scratch scratch() {
        Headroom.require(CallbackGuard.WORKING);
        return Library.LIFETIME.enter();
    }

    /** Scratch memory for a call that no object's lifetime guards, whose caller knows that there is enough of the stack. */
    static Scratch scratchForCall() {
        return Library.LIFETIME.enter();
    }

    /**
     * The bytes as native memory that stays put during a call: a native segment itself, anything else as a copy in scratch memory.
     * A mapped file is copied too: if it is truncated meanwhile, Java reports an error where native code would end the JVM.
     *
     * @return starts with the bytes, and may be longer
     */
    static MemorySegment in(Scratch scratch, MemorySegment bytes) {
        return isDirect(bytes) ? bytes : scratch.allocate(bytes.byteSize(), 1).copyFrom(bytes);
    }

    /** As {@link #in(Scratch, MemorySegment)}, but a short copy goes to the first area, without an object for it. */
    static MemorySegment key(Scratch scratch, MemorySegment key) {
        requireSize(key.byteSize());
        if (isDirect(key)) {
            return key;
        }
        return keyCopy(scratch, key);
    }

    /** A copy of a key, in the first area if it is short. */
    static MemorySegment keyCopy(Scratch scratch, MemorySegment key) {
        requireSize(key.byteSize());
        long length = key.byteSize();
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(key, 0, copy, 0, length);
        return copy;
    }

    /** A key as native memory: in the first area if it is short. */
    static MemorySegment key(Scratch scratch, byte[] key) {
        MemorySegment copy = key.length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(key.length, 1);
        MemorySegment.copy(key, 0, copy, ValueLayout.JAVA_BYTE, 0, key.length);
        return copy;
    }

    /** A value as native memory: in the second area if it is short. */
    static MemorySegment value(Scratch scratch, byte[] value) {
        MemorySegment copy = value.length <= Scratch.AREA_BYTES
                ? scratch.secondArea()
                : scratch.allocate(value.length, 1);
        MemorySegment.copy(value, 0, copy, ValueLayout.JAVA_BYTE, 0, value.length);
        return copy;
    }

    /** Refuses an entry that is too long for RocksDB to handle safely; for a key alone, the entry it would be. */
    static void requireSize(long keyAndValue) {
        // Unsigned, because the sum of two lengths may overflow.
        if (Long.compareUnsigned(keyAndValue, LONGEST_ENTRY) > 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "Key and value have " + Long.toUnsignedString(keyAndValue) + " bytes together, more than the "
                            + LONGEST_ENTRY
                            + " that RocksDB can store as one entry; split the value over several keys");
        }
    }

    /** A string as the C API takes it: UTF-8, ended by a zero byte. */
    static MemorySegment in(Scratch scratch, String string) {
        return scratch.allocateFrom(string);
    }

    /** Whether native code may use the segment itself. An empty one may be at an address that is none, which comparators in Java would be given. */
    static boolean isDirect(MemorySegment bytes) {
        return bytes.isNative() && !bytes.isMapped() && bytes.byteSize() != 0;
    }

    /** An array for a key or value, or advice what to do if it is too long for one. */
    static byte[] newArray(long size, String advice) {
        if (size > LONGEST_ARRAY) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                    "The value has " + size + " bytes, more than a Java array can hold; " + advice);
        }
        return new byte[(int) size];
    }

    /** Checks that bytes may be written into a buffer. */
    static void requireWritable(MemorySegment buffer) {
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("The buffer is read-only: " + buffer);
        }
    }

    /** Checks that this thread may use a segment now. */
    static void requireAccessible(MemorySegment bytes) {
        if (!bytes.scope().isAlive()) {
            throw new IllegalStateException("The memory of the segment has been freed: " + bytes);
        }
        if (!bytes.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("The segment belongs to another thread: " + bytes);
        }
    }

    /** The address of a {@code char* *errptr}, emptied as the C API wants it. */
    static long error(Scratch scratch) {
        // What was thrown during a call that cannot report it is not the failure of the next one.
        CallbackFailures.forget();
        scratch.setWord(ERROR, 0);
        return scratch.wordAddress(ERROR);
    }

    /** As {@link #error(Scratch)}, for a function that tells of the failure of calls before. */
    static long lateError(Scratch scratch) {
        scratch.setWord(ERROR, 0);
        return scratch.wordAddress(ERROR);
    }

    /** Throws what a callback threw during the call, or what the C API left in the {@code errptr}, if anything. */
    static void check(Scratch scratch) {
        Status status = status(scratch);
        if (status != null) {
            throw failure(new RocksDBException(status));
        }
        CallbackFailures.rethrow();
    }

    /** As {@link #error(Scratch)}, for a call of an object that only one thread may use, which is inside. */
    static long error(ExclusiveLifetime entered) {
        entered.setWord(ERROR, 0);
        return entered.wordAddress(ERROR);
    }

    /** As {@link #check(Scratch)}, for a call of an object that only one thread may use, which is inside. */
    static void check(ExclusiveLifetime entered) {
        if (entered.word(ERROR) != 0) {
            throw failure(new RocksDBException(Status.parse(takeString(entered.word(ERROR)))));
        }
        CallbackFailures.rethrow();
    }

    /** As {@link #check(Scratch)}, with a message that begins with what was tried. */
    static void check(Scratch scratch, String attempt) {
        requireDone(scratch, attempt);
        CallbackFailures.rethrow();
    }

    /**
     * Throws if RocksDB has not done what was tried. If it has, what a callback threw meanwhile waits for
     * {@link CallbackFailures#rethrow()}, until what was made is where it belongs.
     */
    static void requireDone(Scratch scratch, String attempt) {
        Status status = status(scratch);
        if (status != null) {
            throw failure(new RocksDBException(status, attempt + ": " + status));
        }
    }

    /** As {@link #check(Scratch)}, after a call that has made something, which is freed if a callback has thrown. */
    static void check(Scratch scratch, String attempt, long made, LongConsumer free) {
        try {
            check(scratch, attempt);
        } catch (Throwable e) {
            if (made != 0) {
                free.accept(made);
            }
            throw e;
        }
    }

    /** What to throw when RocksDB reports a failure: what a callback threw during the call, if anything, or else that. */
    static RocksDBException failure(RocksDBException failure) {
        CallbackFailures.rethrow(failure);
        return failure;
    }

    /** What the C API left in the {@code errptr}; null if nothing. */
    static @Nullable Status status(Scratch scratch) {
        return scratch.word(ERROR) == 0 ? null : Status.parse(takeString(scratch.word(ERROR)));
    }

    /** The loaded library, which lives as long as the process. */
    private static final class Library {
        private static final Lifetime LIFETIME = new Lifetime(Native.class, "RocksDB library", () -> {
        });
    }

    /** Reads a string of a known length that the C API allocated, and frees it. */
    static String takeString(long address, long length) {
        byte[] string = NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE);
        CApi.rocksdb_free(address);
        return new String(string, StandardCharsets.UTF_8);
    }

    /** Reads an array of strings. */
    static List<String> strings(long array, long count) {
        MemorySegment addresses = NativeCalls.view(array, count * Long.BYTES);
        return LongStream.range(0, count).mapToObj(i -> NativeCalls
                .view(addresses.getAtIndex(ValueLayout.JAVA_LONG, i), Long.MAX_VALUE).getString(0)).toList();
    }

    /** Reads a string that the C API allocated, and frees it. */
    static String takeString(long address) {
        String string = NativeCalls.view(address, Long.MAX_VALUE).getString(0);
        CApi.rocksdb_free(address);
        return string;
    }
}
