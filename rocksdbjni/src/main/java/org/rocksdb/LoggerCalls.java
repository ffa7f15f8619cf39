package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;

/** Brings messages of native code to loggers. */
final class LoggerCalls implements Upcall {

    static final MemorySegment LOG = Callbacks.stub(MethodHandles.lookup(), "log",
            CCallbacks.ROCKSDB_LOGGER_CREATE_CALLBACK_LOGGER_CALLBACK);

    private LoggerCalls() {
    }

    static void log(RunningCallbacks running, long id, int level, long message, long length) {
        // A closed logger is not there any longer, and the message is lost.
        if (Callbacks.isThere(id)) {
            try {
                byte[] bytes = NativeCalls.view(message, length).toArray(ValueLayout.JAVA_BYTE);
                ((Logger) Callbacks.of(id).target).receive((byte) level, new String(bytes, StandardCharsets.UTF_8));
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
            }
        }
    }
}
