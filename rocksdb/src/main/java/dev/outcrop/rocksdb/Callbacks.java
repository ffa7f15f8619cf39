package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The Java objects that RocksDB calls back. The C API takes a {@code void *state} for each; here that is a number, by which the
 * one function pointer of a callback type finds the object. An object stays in the table, and with it reachable, until RocksDB says
 * by the callback's destructor that it will not call it again.
 */
final class Callbacks implements Upcall {
    /** Is kept by options, and with them by open databases, that have callback objects of any type. */
    static final Object IN_USE = new Object();

    /** RocksDB is done with a callback object. One function pointer for all types, because they all have it. */
    static final MemorySegment DESTRUCTOR = stub(MethodHandles.lookup(), "destroyed",
            CCallbacks.ROCKSDB_COMPARATOR_CREATE_DESTRUCTOR);
    /** RocksDB asks for the name of a callback object; likewise for all types. */
    static final MemorySegment NAME = stub(MethodHandles.lookup(), "name", CCallbacks.ROCKSDB_COMPARATOR_CREATE_NAME);

    /** By index, the lower half of a number. Volatile: who reads the table in native code's threads sees what was put into it. */
    private static volatile Callback[] table = new Callback[16];
    private static final ArrayDeque<Integer> FREE = new ArrayDeque<>();
    private static int used;
    /** The upper half of the last number: no number comes twice, so that a late call cannot reach another object. */
    private static int last;

    private Callbacks() {
    }

    /**
     * Puts an object into the table.
     *
     * @param what what it is, for messages, for example "comparator"
     * @param name the name that RocksDB knows it by
     * @return the number to give to RocksDB as {@code void *state}
     */
    static synchronized long register(Object target, String what, String name) {
        Exit.prepare();
        int index = FREE.isEmpty() ? used++ : FREE.pop();
        Callback[] callbacks = index < table.length ? table : Arrays.copyOf(table, 2 * table.length);
        Callback callback = new Callback(((long) ++last << Integer.SIZE) | index, target, what, name);
        callbacks[index] = callback;
        table = callbacks;
        return callback.id;
    }

    /** Takes an object out of the table; for callback types without a destructor. */
    static synchronized void remove(long id) {
        Callback[] callbacks = table;
        int index = (int) id;
        if (callbacks[index].id == id) {
            callbacks[index] = Callback.NONE;
            table = callbacks;
            FREE.push(index);
        }
    }

    /** What a number stands for. */
    static Callback of(long id) {
        Callback callback = table[(int) id];
        if (callback.id != id) {
            throw new IllegalStateException("RocksDB called a Java object that it has given up before");
        }
        return callback;
    }

    /** How many objects are in the table. */
    static synchronized int count() {
        return used - FREE.size();
    }

    /**
     * Makes a function pointer that lives as long as the process.
     *
     * @param lookup     of the class with the method; an exception that leaves the method ends the JVM
     * @param method     the name of a static method with the types of the signature
     * @param descriptor its C signature
     */
    static MemorySegment stub(MethodHandles.Lookup lookup, String method, FunctionDescriptor descriptor) {
        try {
            return NativeCalls.callback(
                    lookup.findStatic(lookup.lookupClass(), method, descriptor.toMethodType()), descriptor,
                    Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("There is no " + method + descriptor.toMethodType(), e);
        }
    }

    /** Native memory of a call's caller, read-only, until the arena of the call is closed. */
    static MemorySegment view(long address, long length, Arena call) {
        return NativeCalls.readOnlyView(address, length, call);
    }

    static void destroyed(long id) {
        try {
            remove(id);
        } catch (Throwable e) {
            // No memory left for the list of free places: one place stays taken.
        }
    }

    static long name(long id) {
        // The object is there as long as RocksDB asks, and nothing here allocates.
        return of(id).cName;
    }

    /** An object in the table. */
    static final class Callback {
        /** Stands in each free place that was used before. */
        static final Callback NONE = new Callback(-1, "nothing", "nothing", "");

        final long id;
        final Object target;
        private final String what;
        /** Holds the name as C wants it, for as long as this object is reachable. */
        private final MemorySegment nameMemory;
        final long cName;
        /** How many calls have failed; only for the rate of log messages, so it may miss some. */
        int failures;

        Callback(long id, Object target, String what, String name) {
            this.id = id;
            this.target = target;
            this.what = name.isEmpty() ? what : what + " " + name;
            this.nameMemory = Arena.ofAuto().allocateFrom(name);
            this.cName = nameMemory.address();
        }

        @Override
        public String toString() {
            return what;
        }
    }
}
