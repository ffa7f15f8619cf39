package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdbjni.NativeMethods;

/**
 * Receives a trace of the calls of a database, for {@link RocksDB#startTrace}. The threads that use the database call the writer, one at a
 * time. Inside the writer, calls of the database that could be recorded are refused, because RocksDB would wait for itself. Exceptions are
 * logged and become statuses. RocksDB goes on, and {@link RocksDB#endTrace} reports the statuses.
 */
public abstract class AbstractTraceWriter extends RocksCallbackObject implements TraceWriter {

    /** Makes a trace writer. */
    public AbstractTraceWriter() {
        super();
    }

    /** Makes no native object: each trace gets one. */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        return keepWithoutNative(this, nativeParameterHandles);
    }

    /** Makes the native object of a trace. The trace owns it. */
    long newTrace() {
        kept();
        NativeMethods.require("Java_org_rocksdb_AbstractTraceWriter_createNewTraceWriter");
        JniCallback.claim("A trace writer", "22AbstractTraceWriterJni21getWriteProxyMethodIdEP7JNIEnv_");
        AbstractTraceWriter trace = new Trace(this);
        return trace.createNewTraceWriter();
    }

    private native long createNewTraceWriter();

    /** Receives a record. Called by native code. */
    @SuppressWarnings("unused") // through JNI
    private short writeProxy(long record) {
        return result(() -> {
            byte[] bytes = NativeValues.bytes(NativeCalls.readLong(record), NativeCalls.readLong(record + Long.BYTES));
            write(Slice.unowned(bytes));
        });
    }

    /** Receives the end of the trace. Called by native code. */
    @SuppressWarnings("unused") // through JNI
    private short closeWriterProxy() {
        return result(this::closeWriter);
    }

    /** Makes a call, and returns a code and a sub-code. */
    short result(JniCallback.Call call) {
        throw new IllegalStateException("Only a trace is called by native code");
    }

    private static short number(Status.Code code, Status.SubCode subCode) {
        return (short) (code.getValue() << Byte.SIZE | subCode.getValue());
    }

    /** The receiver of one trace. Native code calls it. */
    private static final class Trace extends AbstractTraceWriter {

        private final AbstractTraceWriter writer;
        private final JniCallback callback;

        Trace(AbstractTraceWriter writer) {
            this.writer = writer;
            callback = new JniCallback(this, writer, CallbackKind.TRACE_WRITER);
        }

        @Override
        public void write(Slice record) throws RocksDBException {
            writer.write(record);
        }

        @Override
        public void closeWriter() throws RocksDBException {
            writer.closeWriter();
        }

        /** Called by native code before each record. */
        @Override
        public long getFileSize() {
            long[] size = new long[1];
            Throwable _ = callback.call(() -> size[0] = writer.getFileSize());
            return size[0];
        }

        @Override
        short result(JniCallback.Call call) {
            Throwable thrown = callback.call(call);
            if (thrown == null) {
                return number(Status.Code.Ok, Status.SubCode.None);
            }
            Status status = thrown instanceof RocksDBException failure ? failure.getStatus() : null;
            return number(status == null || status.getCode() == null ? Status.Code.IOError : status.getCode(),
                    status == null || status.getSubCode() == null ? Status.SubCode.None : status.getSubCode());
        }
    }
}
