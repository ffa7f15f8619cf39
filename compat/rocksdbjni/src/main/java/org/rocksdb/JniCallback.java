package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An object of a program that the library calls through JNI, because C has no such callback. The library keeps the ids of methods in static
 * variables. So only the first class loader of the process can use such callbacks.
 */
final class JniCallback implements Upcall {

    /** The system property that names the class loader. */
    private static final String OWNER = "dev.outcrop.rocksdbjni.callbacks";
    private static final String SELF = JniCallback.class.getClassLoader() + ", " + UUID.randomUUID();
    private static final Set<String> USED = new HashSet<>();

    private final long id;

    /**
     * Registers an object.
     *
     * @param bridge the object that the library holds as long as it calls
     * @param user   the program's object
     */
    JniCallback(Object bridge, RocksCallbackObject user, CallbackKind kind) {
        id = Callbacks.register(user, kind, user.getClass().getName());
        NativeObject _ = new NativeObject(bridge, id, Callbacks::remove);
    }

    /** A call of the program's object. */
    interface Call {
        void run() throws RocksDBException;
    }

    /**
     * Calls the program's object. Returns the exception that it has thrown, or null. Logs exceptions other than {@link RocksDBException}.
     */
    Throwable call(Call call) {
        try {
            RunningCallbacks running = RunningCallbacks.enter(id);
            try {
                call.run();
                return null;
            } catch (RocksDBException e) {
                return e;
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
                return e;
            } finally {
                running.exit();
            }
        } catch (Throwable e) {
            return e; // no stack or memory is left to log it
        }
    }

    /**
     * Makes sure that the library has the method ids of this class loader, or no ids yet.
     *
     * @param what   the class
     * @param method the library's function that keeps an id, as the linker names it
     */
    static synchronized void claim(String what, String method) {
        Object owner = System.getProperties().putIfAbsent(OWNER, SELF);
        if (owner != null && !owner.equals(SELF)) {
            throw new IllegalStateException(refusal(what, owner.toString()));
        }
        Optional<MemorySegment> guard = NativeLibraries.rocksdb().find("_ZGVZN7rocksdb" + method + "E3mid");
        // This is the compiler's guard of a static variable. Its first byte says whether the variable is set.
        if (guard.isPresent() && !USED.contains(method)
                && NativeCalls.view(guard.get().address(), 1).get(ValueLayout.JAVA_BYTE, 0) != 0) {
            throw new IllegalStateException(refusal(what, "one with the published jar"));
        }
        USED.add(method);
    }

    private static String refusal(String what, String other) {
        return what + " cannot be used here, because another class loader has used one first: " + other
                + ". RocksDB's library keeps the methods of that one's classes for the whole process. Load org.rocksdb in one class"
                + " loader that is a parent of all that use it";
    }
}
