package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * The Java objects that RocksDB calls back. Each callback type has a single function pointer, which finds the object by a number, the
 * {@code void *state} of the C API. An object stays in the table, and so reachable, until RocksDB calls its destructor.
 */
public final class Callbacks implements Upcall {
    /** A number that no object has. The first call of each function pointer, when the pointer is made, uses it. */
    public static final long WARM_UP = 0;

    /** The objects by index, which is the lower half of a number. Volatile, because RocksDB's threads read it. */
    private static volatile Callback[] table = firstTable();
    private static final ArrayDeque<Integer> FREE = new ArrayDeque<>();
    private static int used = 1;
    /** The upper half of the last number: numbers are unique, so a late call cannot reach another object. */
    private static int last;

    /** The destructor of all callback types. */
    public static final MemorySegment DESTRUCTOR = plainStub("destroyed",
            CCallbacks.ROCKSDB_COMPARATOR_CREATE_DESTRUCTOR);
    /** Returns the name of a callback, for all types. */
    public static final MemorySegment NAME = plainStub("name", CCallbacks.ROCKSDB_COMPARATOR_CREATE_NAME);

    private Callbacks() {
    }

    private static Callback[] firstTable() {
        Callback[] first = new Callback[16];
        first[(int) WARM_UP] = new Callback(WARM_UP, "nothing", "nothing", CallbackKind.LOGGER, "");
        return first;
    }

    /**
     * Puts an object into the table.
     *
     * @param target the object that is called
     * @param owner  the user's object
     * @param kind   of callback
     * @param name   for RocksDB
     * @return the {@code void *state} for RocksDB
     */
    public static synchronized long register(Object target, Object owner, CallbackKind kind, String name) {
        ProcessEnd.prepare();
        int index = FREE.isEmpty() ? used++ : FREE.pop();
        Callback[] callbacks = index < table.length ? table : Arrays.copyOf(table, 2 * table.length);
        Callback callback = new Callback(((long) ++last << Integer.SIZE) | index, target, owner, kind, name);
        callbacks[index] = callback;
        table = callbacks;
        return callback.id;
    }

    /** Does the same as {@link #register(Object, Object, CallbackKind, String)}, for a user's object that RocksDB calls directly. */
    public static long register(Object target, CallbackKind kind, String name) {
        return register(target, target, kind, name);
    }

    /** Removes an object from the table, for callback types without a destructor. */
    public static synchronized void remove(long id) {
        Callback[] callbacks = table;
        int index = (int) id;
        if (callbacks[index].id == id && id != WARM_UP) {
            callbacks[index] = Callback.NONE;
            table = callbacks;
            FREE.push(index);
        }
    }

    /** Returns the object with a number. */
    public static Callback of(long id) {
        Callback callback = table[(int) id];
        if (callback.id != id) {
            throw new IllegalStateException("RocksDB called a Java object that it has given up before");
        }
        return callback;
    }

    /** Returns whether there is an object with a number. */
    public static boolean isThere(long id) {
        return table[(int) id].id == id;
    }

    /** Returns the number of objects in the table. */
    public static synchronized int count() {
        return used - 1 - FREE.size();
    }

    /**
     * Makes a function pointer to a method. If the call fails for lack of stack or memory, the answer is 0, false or NULL.
     *
     * @param lookup     of the class with the method
     * @param method     the name of a static method that takes {@link RunningCallbacks} and the parameters of the C signature
     * @param descriptor the C signature, which begins with {@code void *state}
     * @return the function pointer, which lives as long as the process
     */
    public static MemorySegment stub(MethodHandles.Lookup lookup, String method, FunctionDescriptor descriptor) {
        return stub(opaque(body(lookup, method, descriptor)), descriptor,
                MethodHandles.empty(descriptor.toMethodType()));
    }

    /**
     * Does the same as {@link #stub(MethodHandles.Lookup, String, FunctionDescriptor)}, for a virtual function of C++, which gets the
     * object instead of the state.
     *
     * @param number turns the address of the C++ object into the number of the Java object, and 0 into {@link #WARM_UP}
     */
    public static MemorySegment stub(MethodHandles.Lookup lookup, String method, FunctionDescriptor descriptor,
            MethodHandle number) {
        return warmedUp(guarded(opaque(body(lookup, method, descriptor)), descriptor,
                MethodHandles.empty(descriptor.toMethodType()), number), descriptor);
    }

    /**
     * Makes a function pointer to a method with a fallback for calls that fail for lack of stack or memory.
     *
     * @param lookup     of the class with the methods
     * @param method     the name of a static method that takes {@link RunningCallbacks} and the parameters of the C signature
     * @param fallback   the name of a method of {@link CallbackFallbacks}
     * @param descriptor the C signature, which begins with {@code void *state}
     * @return the function pointer, which lives as long as the process
     */
    public static MemorySegment stub(MethodHandles.Lookup lookup, String method, String fallback,
            FunctionDescriptor descriptor) {
        return stub(opaque(body(lookup, method, descriptor)), descriptor,
                Frames.fallback(fallback, descriptor));
    }

    /**
     * Does the same as {@link #stub(MethodHandles.Lookup, String, String, FunctionDescriptor)}, for a method that calls the user's object
     * in a method of more than 325 bytecodes. HotSpot does not inline such a method. Such a call costs 10 ns less than a call through a
     * handle.
     */
    public static MemorySegment stubOfLong(MethodHandles.Lookup lookup, String method, String fallback,
            FunctionDescriptor descriptor) {
        return stub(body(lookup, method, descriptor), descriptor, Frames.fallback(fallback, descriptor));
    }

    private static MemorySegment stub(MethodHandle body, FunctionDescriptor descriptor, MethodHandle lost) {
        return warmedUp(guarded(body, descriptor, lost, MethodHandles.identity(long.class)), descriptor);
    }

    /*
     * From the outside inwards: the fallback; the thread's list of running callbacks; a call that the JIT compiler cannot see through; the
     * method.
     *
     * The opaque call saves the process when memory runs out. The compiler removes objects that do not leave a compiled method. When it
     * deoptimizes that method half-way, it makes these objects after all. Without memory for them it drops all frames of the method, with
     * their handlers, and throws the error where the method was called. So the handler must not be in the same compiled method as the
     * user's code.
     */
    private static MethodHandle guarded(MethodHandle body, FunctionDescriptor descriptor, MethodHandle lost,
            MethodHandle number) {
        Class<?> result = descriptor.toMethodType().returnType();
        MethodHandle listed = MethodHandles.foldArguments(MethodHandles.tryFinally(body, Frames.leaving(result)),
                Frames.ENTER);
        MethodHandle answering = MethodHandles.foldArguments(MethodHandles.dropArguments(lost, 0, Throwable.class),
                Frames.LOST);
        return MethodHandles.catchException(MethodHandles.filterArguments(listed, 0, number), Throwable.class,
                MethodHandles.filterArguments(answering, 1, number));
    }

    /**
     * Makes the function pointer, and calls it once as RocksDB does, with a number that no object has, and addresses and lengths of 0. The
     * JDK links the pointer during this call, and needs memory for that before our handler begins. RocksDB may call when no memory is left.
     */
    private static MemorySegment warmedUp(MethodHandle target, FunctionDescriptor descriptor) {
        MemorySegment pointer = NativeCalls.callback(target, descriptor, Arena.global());
        MethodHandle call = NativeCalls.link(pointer, descriptor);
        List<Object> nothing = descriptor.argumentLayouts().stream().map(Callbacks::zero).toList();
        try {
            Object _ = call.invokeWithArguments(nothing);
        } catch (Throwable e) {
            throw new IllegalStateException("A function pointer of type " + descriptor + " cannot be called", e);
        }
        return pointer;
    }

    private static Object zero(MemoryLayout layout) {
        Class<?> type = ((ValueLayout) layout).carrier();
        return Array.get(Array.newInstance(type, 1), 0);
    }

    private static MethodHandle body(MethodHandles.Lookup lookup, String method, FunctionDescriptor descriptor) {
        return find(lookup, method, descriptor.toMethodType().insertParameterTypes(0, RunningCallbacks.class));
    }

    private static MethodHandle opaque(MethodHandle body) {
        return MethodHandles.foldArguments(MethodHandles.exactInvoker(body.type()),
                Frames.BODY.bindTo(new Body(body)));
    }

    /** Makes a function pointer that is called rarely, and never throws. */
    private static MemorySegment plainStub(String method, FunctionDescriptor descriptor) {
        return warmedUp(find(MethodHandles.lookup(), method, descriptor.toMethodType()), descriptor);
    }

    private static MethodHandle find(MethodHandles.Lookup lookup, String method, MethodType type) {
        try {
            return lookup.findStatic(lookup.lookupClass(), method, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("There is no " + method + type, e);
        }
    }

    /**
     * Has a method in a field that is not final on purpose: then the handle is no constant for the JIT compiler, so the compiler does not
     * inline it.
     */
    private static final class Body {
        @SuppressWarnings({"unused", "FieldMayBeFinal"}) // through BODY
        private MethodHandle method;

        Body(MethodHandle method) {
            this.method = method;
        }
    }

    /** The handles that function pointers consist of. */
    private static final class Frames {
        private static final MethodHandle BODY;
        private static final MethodHandle ENTER;
        private static final MethodHandle EXIT;
        private static final MethodHandle LOST;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                // Initialized before the handles are made, so the handles need not check that: see CallbackFallbacks.
                for (Class<?> used : List.of(RunningCallbacks.class, CallbackFailures.class, CallbackFallbacks.class)) {
                    lookup.ensureInitialized(used);
                }
                BODY = lookup.findGetter(Body.class, "method", MethodHandle.class);
                ENTER = lookup.findStatic(RunningCallbacks.class, "enter",
                        MethodType.methodType(RunningCallbacks.class, long.class));
                LOST = lookup.findStatic(CallbackFailures.class, "lost",
                        MethodType.methodType(void.class, Throwable.class, long.class));
                EXIT = lookup.findVirtual(RunningCallbacks.class, "exit", MethodType.methodType(void.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static MethodHandle fallback(String method, FunctionDescriptor descriptor) {
            try {
                return MethodHandles.lookup().findStatic(CallbackFallbacks.class, method, descriptor.toMethodType());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("There is no answer " + method + descriptor.toMethodType(), e);
            }
        }

        /** Returns the end of {@link MethodHandles#tryFinally}: removes the callback from the list, and returns the result. */
        static MethodHandle leaving(Class<?> result) {
            if (result == void.class) {
                return MethodHandles.dropArguments(EXIT, 0, Throwable.class);
            }
            MethodHandle same = MethodHandles.dropArguments(MethodHandles.identity(result), 0, Throwable.class);
            return MethodHandles.foldArguments(MethodHandles.dropArguments(same, 2, RunningCallbacks.class), 2, EXIT);
        }
    }

    /** Returns native memory of the caller, read-only, until the arena of the call is closed. */
    public static MemorySegment view(long address, long length, Arena call) {
        return NativeCalls.readOnlyView(address, length, call);
    }

    public static void destroyed(long id) {
        try {
            remove(id);
        } catch (Throwable e) {
            // If there is no memory for the list of free places, one place stays taken.
        }
    }

    public static long name(long id) {
        // The object exists while RocksDB asks, and nothing here allocates.
        return of(id).cName;
    }
}
