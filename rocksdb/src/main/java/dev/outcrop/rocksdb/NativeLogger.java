package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.NativeObject;
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
import java.util.Objects;

/**
 * A logger of RocksDB's. RocksDB shares it, but does not say when it is done with one in Java: the caller that gives its address to RocksDB
 * keeps this object reachable for as long as messages are wanted. Later ones are lost.
 */
final class NativeLogger implements Upcall {
    private static final MemorySegment LOG = Callbacks.stub(MethodHandles.lookup(), "log",
            CCallbacks.ROCKSDB_LOGGER_CREATE_CALLBACK_LOGGER_CALLBACK);

    private final NativeObject owned;

    /** A Java logger. */
    NativeLogger(InfoLogger logger, InfoLogLevel least) {
        int level = least.value();
        long id = Callbacks.register(new Filtered(Objects.requireNonNull(logger, "logger"), level), logger,
                CallbackKind.LOGGER, "");
        this.owned = new NativeObject(this, CApi.rocksdb_logger_create_callback_logger(level, LOG, id), address -> {
            CApi.rocksdb_logger_destroy(address);
            Callbacks.remove(id);
        });
    }

    /** The process's standard error stream, written by RocksDB itself. */
    NativeLogger(String prefix, InfoLogLevel least) {
        try (Scratch scratch = Native.scratch()) {
            this.owned = new NativeObject(this,
                    CApi.rocksdb_logger_create_stderr_logger(least.value(),
                            OptionValues.text("The prefix", prefix, scratch)),
                    CApi::rocksdb_logger_destroy);
        }
    }

    /** Valid while this object is reachable. */
    long address() {
        return owned.address();
    }

    /** RocksDB sends its headers whatever the level, as INFO. */
    private record Filtered(InfoLogger logger, int least) {
        void log(int level, long message, long length) {
            if (level >= least) {
                byte[] bytes = NativeCalls.view(message, length).toArray(ValueLayout.JAVA_BYTE);
                logger.log(InfoLogLevel.of(level), new String(bytes, StandardCharsets.UTF_8));
            }
        }
    }

    static void log(RunningCallbacks running, long id, int level, long message, long length) {
        // After the logger's end there is no such object, and the message is lost.
        if (Callbacks.isThere(id)) {
            try {
                ((Filtered) Callbacks.of(id).target).log(level, message, length);
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
            }
        }
    }
}
