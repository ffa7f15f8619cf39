package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Does to a database what was done to one while {@link Tracing#start a trace} was recorded. See {@link Tracing#replayer(Path)}.
 *
 * <p>Only one thread may use it at a time; threads may take turns. Each method throws {@link IllegalStateException} if it is closed
 * or another thread is using it. The database stays open inside RocksDB until it is closed.
 */
public final class Replayer implements AutoCloseable {
    private final Store store;
    private final List<Family> families;
    private final long replayer;
    private final ExclusiveLifetime lifetime;

    Replayer(Store store, Path file, List<Family> families) {
        if (families.isEmpty()) {
            throw new IllegalArgumentException("There is no column family to replay to");
        }
        this.store = store;
        this.families = families;
        OsPath.require(file);
        try (Scratch scratch = store.enterToLook(); EnteredFamilies entered = EnteredFamilies.all(families)) {
            store.requireWritable("changed");
            store.requireNoTimes("a trace");
            Tracing.requireEnded(file);
            new TraceCheck(file, store, families).check();
            MemorySegment handles = scratch.allocate(ValueLayout.JAVA_LONG, families.size());
            for (int i = 0; i < families.size(); i++) {
                handles.setAtIndex(ValueLayout.JAVA_LONG, i, families.get(i).handle);
            }
            long defaultEnv = 0;
            long defaultOptions = 0;
            this.replayer = CApi.rocksdb_new_default_replayer(store.db, handles.address(), families.size(), defaultEnv,
                    defaultOptions, OsPath.in(scratch, file), Native.error(scratch));
            Native.check(scratch, "Cannot open the trace " + file, replayer, CApi::rocksdb_replayer_destroy);
            entered.lease(families, DatabaseChild.REPLAYER);
        }
        this.lifetime = new ExclusiveLifetime(this, "replayer of the trace " + file, this::free);
        prepare();
    }

    private void prepare() {
        try {
            reset();
        } catch (Throwable e) {
            lifetime.close();
            throw e;
        }
    }

    /**
     * Goes back to the beginning of the trace.
     *
     * @throws RocksDBException if the trace is damaged or cannot be read
     */
    public void reset() {
        lifetime.enter();
        try (Scratch scratch = Native.scratch()) {
            CApi.rocksdb_replayer_prepare(replayer, Native.error(scratch));
            Native.check(scratch, "Cannot read the beginning of the trace");
        } finally {
            lifetime.exit();
        }
    }

    /**
     * When the trace was started.
     *
     * @return its own time, to the microsecond
     */
    public Instant headerTimestamp() {
        lifetime.enter();
        try {
            long micros = CApi.rocksdb_replayer_get_header_timestamp(replayer);
            return Instant.EPOCH.plusNanos(TimeUnit.MICROSECONDS.toNanos(micros));
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Does all that the trace has recorded, at the pace at which it was recorded or another, and waits until that is done. Use
     * {@link #reset()} before doing it again.
     *
     * @param options how fast, and with how many threads
     * @throws RocksDBException      if the trace is damaged, or was replayed before
     * @throws IllegalStateException if the database is closed or a column family dropped; closing and dropping wait until this
     *                               returns
     */
    public void replay(ReplayOptions options) {
        lifetime.enter();
        // Entered, so that they are dropped afterwards: RocksDB would take the writes to them for a failure of the whole database.
        try (Scratch scratch = store.enterToWork(); EnteredFamilies _ = EnteredFamilies.all(families)) {
            CApi.rocksdb_replayer_replay(replayer, options.use(), Native.error(scratch));
            Native.check(scratch, "Cannot replay the trace");
        } finally {
            Reference.reachabilityFence(options);
            lifetime.exit();
        }
    }

    /** Closes the replayer. Does nothing if it was closed before. */
    @Override
    public void close() {
        lifetime.close();
    }

    private void free() {
        CApi.rocksdb_replayer_destroy(replayer);
        families.forEach(family -> family.lifetime.release(DatabaseChild.REPLAYER));
    }

    /** The replayer's name, for messages. */
    @Override
    public String toString() {
        return lifetime + " to the " + store;
    }
}
