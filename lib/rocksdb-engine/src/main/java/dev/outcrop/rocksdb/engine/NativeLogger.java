package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;

/**
 * A native logger. RocksDB does not tell when it no longer needs a logger that calls Java. The caller that passes its address to RocksDB
 * keeps this object reachable as long as messages are wanted. Later messages are lost.
 */
public final class NativeLogger implements Upcall {
    private static final MemorySegment LOG = Callbacks.stub(MethodHandles.lookup(), "log",
            CCallbacks.ROCKSDB_LOGGER_CREATE_CALLBACK_LOGGER_CALLBACK);

    private final NativeObject owned;

    /** Receives messages, on any thread. RocksDB's headers arrive at every level, as INFO. */
    public interface Receiver {
        /** Receives a message with RocksDB's number of its level. */
        void log(int level, String message);
    }

    /** A logger that calls Java; the owner is the user's object. */
    public NativeLogger(int level, Receiver receiver, Object owner) {
        long id = Callbacks.register(receiver, owner, CallbackKind.LOGGER, "");
        this.owned = new NativeObject(this, create(level, id), address -> {
            destroy(address);
            Callbacks.remove(id);
        });
    }

    /** A logger that writes to the standard error stream. The prefix is a C string. */
    public NativeLogger(int level, MemorySegment prefix) {
        this.owned = new NativeObject(this, createForStandardError(level, prefix), NativeLogger::destroy);
    }

    private NativeLogger(long logger) {
        this.owned = new NativeObject(this, logger, NativeLogger::destroy);
    }

    /** Shares the logger of native options. */
    public static NativeLogger ofOptions(long options) {
        return new NativeLogger(CApi.rocksdb_options_get_info_log(options));
    }

    /** Valid while this object is reachable. */
    public long address() {
        return owned.address();
    }

    /** Makes a native logger that calls a registered {@link Receiver}. */
    public static long create(int level, long id) {
        return CApi.rocksdb_logger_create_callback_logger(level, LOG, id);
    }

    /** Makes a native logger; the prefix is a C string or NULL. */
    public static long createForStandardError(int level, MemorySegment prefix) {
        return CApi.rocksdb_logger_create_stderr_logger(level, prefix);
    }

    public static void destroy(long logger) {
        CApi.rocksdb_logger_destroy(logger);
    }

    static void log(RunningCallbacks running, long id, int level, long message, long length) {
        // After the end of the logger the message is lost.
        if (Callbacks.isThere(id)) {
            try {
                byte[] bytes = NativeCalls.view(message, length).toArray(ValueLayout.JAVA_BYTE);
                ((Receiver) Callbacks.of(id).target).log(level, new String(bytes, StandardCharsets.UTF_8));
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
            }
        }
    }
}
