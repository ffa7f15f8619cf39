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
 * The Java objects that RocksDB calls back. The C API takes a {@code void *state} for each; here that is a number, by which the
 * one function pointer of a callback type finds the object. An object stays in the table, and with it reachable, until RocksDB says
 * by the callback's destructor that it will not call it again.
 */
public final class Callbacks implements Upcall {
    /** Stands for no object: with it each function pointer is called once, when it is made. */
    public static final long REHEARSAL = 0;

    /** By index, the lower half of a number. Volatile: what reads the table in native code's threads sees what was put into it. */
    private static volatile Callback[] table = firstTable();
    private static final ArrayDeque<Integer> FREE = new ArrayDeque<>();
    private static int used = 1;
    /** The upper half of the last number: no number comes twice, so that a late call cannot reach another object. */
    private static int last;

    /** RocksDB is done with a callback object. One function pointer for all types, because they all have it. */
    public static final MemorySegment DESTRUCTOR = plainStub("destroyed",
            CCallbacks.ROCKSDB_COMPARATOR_CREATE_DESTRUCTOR);
    /** RocksDB asks for the name of a callback object; likewise for all types. */
    public static final MemorySegment NAME = plainStub("name", CCallbacks.ROCKSDB_COMPARATOR_CREATE_NAME);

    private Callbacks() {
    }

    private static Callback[] firstTable() {
        Callback[] first = new Callback[16];
        first[(int) REHEARSAL] = new Callback(REHEARSAL, "nothing", "nothing", CallbackKind.LOGGER, "");
        return first;
    }

    /**
     * Puts an object into the table.
     *
     * @param target what is called
     * @param owner  the user's object, which options name
     * @param kind   what it is
     * @param name   the name that RocksDB knows it by
     * @return the number to give to RocksDB as {@code void *state}
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

    /** As {@link #register(Object, Object, CallbackKind, String)}, for an object of the user's that is called itself. */
    public static long register(Object target, CallbackKind kind, String name) {
        return register(target, target, kind, name);
    }

    /** Takes an object out of the table; for callback types without a destructor. */
    public static synchronized void remove(long id) {
        Callback[] callbacks = table;
        int index = (int) id;
        if (callbacks[index].id == id && id != REHEARSAL) {
            callbacks[index] = Callback.NONE;
            table = callbacks;
            FREE.push(index);
        }
    }

    /** What a number stands for. */
    public static Callback of(long id) {
        Callback callback = table[(int) id];
        if (callback.id != id) {
            throw new IllegalStateException("RocksDB called a Java object that it has given up before");
        }
        return callback;
    }

    /** Whether a number stands for an object, and not for one that was taken out of the table. */
    public static boolean isThere(long id) {
        return table[(int) id].id == id;
    }

    /** How many objects are in the table. */
    public static synchronized int count() {
        return used - 1 - FREE.size();
    }

    /**
     * Makes a function pointer to a method that answers 0, false or NULL when it cannot be carried out.
     *
     * @param lookup     of the class with the method
     * @param method     the name of a static method that takes {@link RunningCallbacks} and what the C signature has
     * @param descriptor the C signature, which begins with {@code void *state}
     * @return lives as long as the process
     */
    public static MemorySegment stub(MethodHandles.Lookup lookup, String method, FunctionDescriptor descriptor) {
        return stub(opaque(body(lookup, method, descriptor)), descriptor,
                MethodHandles.empty(descriptor.toMethodType()));
    }

    /**
     * Makes a function pointer to a method that has another one answer when it cannot be carried out.
     *
     * @param lookup     of the class with the methods
     * @param method     the name of a static method that takes {@link RunningCallbacks} and what the C signature has
     * @param lost       the name of the method of {@link LostAnswers} that answers for it
     * @param descriptor the C signature, which begins with {@code void *state}
     * @return lives as long as the process
     */
    public static MemorySegment stub(MethodHandles.Lookup lookup, String method, String lost,
            FunctionDescriptor descriptor) {
        return stub(opaque(body(lookup, method, descriptor)), descriptor,
                Frames.lost(lost, descriptor));
    }

    /**
     * As {@link #stub(MethodHandles.Lookup, String, String, FunctionDescriptor)}, for a method that calls the user's object in another one
     * which is longer than what HotSpot inlines, 325 bytecodes: a call of that costs 10 ns less than one through a handle.
     */
    public static MemorySegment stubOfLong(MethodHandles.Lookup lookup, String method, String lost,
            FunctionDescriptor descriptor) {
        return stub(body(lookup, method, descriptor), descriptor, Frames.lost(lost, descriptor));
    }

    /*
     * From the outside inwards: whatever happens, an answer; the callback is put on the list of those that run on the thread, and taken
     * off; a call that the JIT compiler cannot see through; the method.
     *
     * That call is what saves the process when memory runs out. The compiler does without objects that do not leave a compiled method, with
     * what is inlined there. When it has to give that method up half-way, it makes them after all; if there is no memory for them, it
     * throws away all frames of the method, with their handlers, and throws the error where the method was called. So the handler must not
     * be in the same compiled method as the user's code.
     */
    private static MemorySegment stub(MethodHandle body, FunctionDescriptor descriptor, MethodHandle lost) {
        Class<?> result = descriptor.toMethodType().returnType();
        MethodHandle listed = MethodHandles.foldArguments(MethodHandles.tryFinally(body, Frames.leaving(result)),
                Frames.ENTER);
        MethodHandle answering = MethodHandles.foldArguments(MethodHandles.dropArguments(lost, 0, Throwable.class),
                Frames.LOST);
        return rehearsed(MethodHandles.catchException(listed, Throwable.class, answering), descriptor);
    }

    /**
     * Makes the function pointer, and calls it once as RocksDB would, with the number of no object and with addresses and lengths of 0. The
     * JDK links it then, for which it needs memory before any handler of ours is there; RocksDB may call when there is none.
     */
    private static MemorySegment rehearsed(MethodHandle target, FunctionDescriptor descriptor) {
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

    /** Calls of a function pointer that is called rarely, and only with the number of an object. */
    private static MemorySegment plainStub(String method, FunctionDescriptor descriptor) {
        return rehearsed(find(MethodHandles.lookup(), method, descriptor.toMethodType()), descriptor);
    }

    private static MethodHandle find(MethodHandles.Lookup lookup, String method, MethodType type) {
        try {
            return lookup.findStatic(lookup.lookupClass(), method, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("There is no " + method + type, e);
        }
    }

    /**
     * A method, in a field that is not final on purpose: what it calls is no constant for the JIT compiler, which therefore does not inline
     * it.
     */
    private static final class Body {
        @SuppressWarnings({"unused", "FieldMayBeFinal"}) // through BODY
        private MethodHandle method;

        Body(MethodHandle method) {
            this.method = method;
        }
    }

    /** The handles that each function pointer is put together from. */
    private static final class Frames {
        private static final MethodHandle BODY;
        private static final MethodHandle ENTER;
        private static final MethodHandle EXIT;
        private static final MethodHandle LOST;

        static {
            try {
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                // Before the handles are made, so that they need not check it: see LostAnswers.
                for (Class<?> used : List.of(RunningCallbacks.class, CallbackFailures.class, LostAnswers.class)) {
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

        static MethodHandle lost(String method, FunctionDescriptor descriptor) {
            try {
                return MethodHandles.lookup().findStatic(LostAnswers.class, method, descriptor.toMethodType());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("There is no answer " + method + descriptor.toMethodType(), e);
            }
        }

        /** What {@link MethodHandles#tryFinally} calls at the end: takes the callback off the list, and leaves the result as it is. */
        static MethodHandle leaving(Class<?> result) {
            if (result == void.class) {
                return MethodHandles.dropArguments(EXIT, 0, Throwable.class);
            }
            MethodHandle same = MethodHandles.dropArguments(MethodHandles.identity(result), 0, Throwable.class);
            return MethodHandles.foldArguments(MethodHandles.dropArguments(same, 2, RunningCallbacks.class), 2, EXIT);
        }
    }

    /** Native memory of a call's caller, read-only, until the arena of the call is closed. */
    public static MemorySegment view(long address, long length, Arena call) {
        return NativeCalls.readOnlyView(address, length, call);
    }

    public static void destroyed(long id) {
        try {
            remove(id);
        } catch (Throwable e) {
            // No memory left for the list of free places: one place stays taken.
        }
    }

    public static long name(long id) {
        // The object is there as long as RocksDB asks, and nothing here allocates.
        return of(id).cName;
    }
}
