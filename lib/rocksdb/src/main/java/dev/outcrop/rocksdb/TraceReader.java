package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a trace of {@link Tracing#start reads and writes}, one after another.
 *
 * <p>Only one thread at a time may use it, but threads may take turns. Each method throws {@link IllegalStateException} if it is closed or
 * another thread is using it.
 */
public final class TraceReader implements AutoCloseable {
    private final Path file;
    private final Env env = Env.defaultEnv();
    private final long reader;
    private final ExclusiveLifetime lifetime;

    /**
     * Opens a trace.
     *
     * @param file where it is
     * @throws RocksDBException if it cannot be opened
     */
    public TraceReader(Path file) {
        Objects.requireNonNull(file, "file");
        NativeCalls.requireAccess();
        this.file = OsPath.require(file);
        EnvOptions options = new EnvOptions();
        try (Scratch scratch = ApiCall.scratch()) {
            this.reader = CApi.rocksdb_trace_reader_create(env.address(), options.use(),
                    OsPath.in(scratch, this.file), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot open the trace " + this.file);
        } finally {
            Reference.reachabilityFence(options);
        }
        this.lifetime = new ExclusiveLifetime(this, "reader of the trace " + this.file, this::free);
    }

    /**
     * Reads the next record.
     *
     * @return its bytes in RocksDB's own format: 8 bytes of time in microseconds, a byte for its type, 4 bytes for the length of the
     *         rest, and the rest; or null at the end
     * @throws RocksDBException if the file is damaged or cannot be read
     */
    public byte @Nullable [] read() {
        lifetime.enter();
        try (Scratch scratch = ApiCall.scratch()) {
            long record = CApi.rocksdb_trace_reader_read(reader, scratch.wordAddress(1), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot read the trace " + file);
            if (record == 0) {
                return null;
            }
            byte[] bytes = NativeCalls.view(record, scratch.word(1)).toArray(ValueLayout.JAVA_BYTE);
            NativeHeap.free(record);
            return bytes;
        } finally {
            lifetime.exit();
        }
    }

    /** Goes back to the first record. */
    public void reset() {
        lifetime.enter();
        try (Scratch scratch = ApiCall.scratch()) {
            CApi.rocksdb_trace_reader_reset(reader, ApiCall.error(scratch));
            ApiCall.check(scratch);
        } finally {
            lifetime.exit();
        }
    }

    /** Closes the trace. Does nothing if it was closed before. */
    @Override
    public void close() {
        lifetime.close();
    }

    private void free() {
        try {
            // Destroying closes the file as well.
            CApi.rocksdb_trace_reader_destroy(reader);
        } finally {
            Reference.reachabilityFence(env);
        }
    }

    /** The reader's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
