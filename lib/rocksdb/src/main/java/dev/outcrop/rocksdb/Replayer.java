package dev.outcrop.rocksdb;

import static dev.outcrop.rocksdb.engine.batch.BatchFormat.BYTE;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.INT;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.LONG;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.Family.EnteredFamilies;
import dev.outcrop.rocksdb.OpenDatabaseWriter.BatchCheck;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replays a {@link Tracing#start recorded trace} against a database. See {@link Tracing#replayer(Path)}.
 *
 * <p>Only one thread at a time may use it, but threads may take turns. Each method throws {@link IllegalStateException} if it is closed or
 * another thread is using it. The database stays open inside RocksDB until the replayer is closed.
 */
public final class Replayer implements AutoCloseable {
    private final OpenDatabase database;
    private final List<Family> families;
    private final long replayer;
    private final ExclusiveLifetime lifetime;

    Replayer(OpenDatabase database, Path file, List<Family> families) {
        if (families.isEmpty()) {
            throw new IllegalArgumentException("There is no column family to replay to");
        }
        this.database = database;
        this.families = families;
        OsPath.require(file);
        try (Scratch scratch = database.enterForRead(); EnteredFamilies entered = EnteredFamilies.all(families)) {
            database.requireWritable("changed");
            database.requireNoTimes("a trace");
            Tracing.requireEnded(file);
            new TraceCheck(file, database, families).check();
            MemorySegment handles = Family.handles(scratch, families);
            long defaultEnv = 0;
            long defaultOptions = 0;
            this.replayer = CApi.rocksdb_new_default_replayer(database.db, handles.address(), families.size(),
                    defaultEnv,
                    defaultOptions, OsPath.in(scratch, file), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot open the trace " + file, replayer, CApi::rocksdb_replayer_destroy);
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
        try (Scratch scratch = ApiCall.scratch()) {
            CApi.rocksdb_replayer_prepare(replayer, ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot read the beginning of the trace");
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Returns the time at which the trace was started.
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
     * Replays the whole trace, at the recorded pace or another one, and waits until the replay is done. Call {@link #reset()} before
     * another replay.
     *
     * @param options how fast, and with how many threads
     * @throws RocksDBException      if the trace is damaged, or was replayed before
     * @throws IllegalStateException if the database is closed or a column family dropped; closing and dropping wait until this
     *                               returns
     */
    public void replay(ReplayOptions options) {
        lifetime.enter();
        // Entered, so that they cannot be dropped meanwhile: RocksDB would treat writes to them as a failure of the whole database.
        try (Scratch scratch = database.enterForAdmin(); EnteredFamilies _ = EnteredFamilies.all(families)) {
            CApi.rocksdb_replayer_replay(replayer, options.use(), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot replay the trace");
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
        return lifetime + " to the " + database;
    }

    /**
     * Checks a trace before it is replayed. RocksDB replays a trace without checks: it writes the batches as they are, cuts the text at
     * positions that it did not find, takes memory for as many keys as the trace names, and sleeps until the times of the trace come
     * (trace_replay/trace_replay.cc, utilities/trace/replayer_impl.cc).
     *
     * <pre>
     *   record    :=  time: 8 bytes   type: 1 byte   length: 4 bytes   payload        numbers are little-endian
     *   write     :=  2: 8 bytes   length: varint   batch                             of type 3; before version 0.2, the batch alone
     *   multi-get :=  parts: 8 bytes   count: 4 bytes   …                             of type 13
     * </pre>
     */
    private static final class TraceCheck {
        private static final int TYPE = 8;
        private static final int PAYLOAD = 8 + 1 + 4;
        private static final byte WRITE = 3;
        private static final byte MULTI_GET = 13;
        private static final long BATCH_ALONE = 2;
        private static final Pattern HEADER = Pattern
                .compile("feedcafedeadbeef\\tTrace Version: (\\d{1,3})\\.(\\d{1,3})"
                        + "\\tRocksDB Version: \\d{1,5}\\.\\d{1,5}\\t.*", Pattern.DOTALL);

        private final Path file;
        private final OpenDatabase database;
        private final List<Family> families;
        private boolean hasParts;
        private long begin;

        /** Checks a trace for these families, which are entered. */
        TraceCheck(Path file, OpenDatabase database, List<Family> families) {
            this.file = file;
            this.database = database;
            this.families = families;
        }

        void check() {
            try (TraceReader reader = new TraceReader(file)) {
                checkHeader(reader.read());
                int number = 1;
                for (byte[] record = next(reader); record != null; record = next(reader)) {
                    try {
                        check(MemorySegment.ofArray(record));
                    } catch (RocksDBException e) {
                        throw bad(e.status().code(),
                                "Cannot replay record " + number + " of the trace " + file + ": " + e.getMessage());
                    }
                    number++;
                }
            }
        }

        private void checkHeader(byte @Nullable [] header) {
            String text = header == null || header.length < PAYLOAD
                    ? ""
                    : new String(header, PAYLOAD, header.length - PAYLOAD, StandardCharsets.ISO_8859_1);
            Matcher matcher = HEADER.matcher(text);
            if (header == null || !matcher.matches()) {
                throw bad(Status.Code.CORRUPTION,
                        "The file " + file + " is not a trace of RocksDB: it does not begin like one");
            }
            begin = MemorySegment.ofArray(header).get(LONG, 0);
            // RocksDB, too, reads the digits as one number.
            hasParts = Integer.parseInt(matcher.group(1) + matcher.group(2)) >= 2;
        }

        /** Returns the next record; null at the end. */
        private static byte @Nullable [] next(TraceReader reader) {
            try {
                return reader.read();
            } catch (RocksDBException e) {
                // The trace is cut off here, and replaying it will fail.
                return null;
            }
        }

        private void check(MemorySegment record) {
            if (Long.compareUnsigned(record.get(LONG, 0), begin) < 0) {
                throw bad(Status.Code.CORRUPTION, "Its time is before that of the trace");
            }
            MemorySegment payload = record.asSlice(PAYLOAD);
            switch (record.get(BYTE, TYPE)) {
                case WRITE -> checkWrite(hasParts ? batch(payload) : payload);
                case MULTI_GET -> {
                    if (payload.byteSize() >= 12 && Integer.toUnsignedLong(payload.get(INT, 8)) > payload.byteSize()) {
                        throw bad(Status.Code.CORRUPTION, "It has fewer keys than it says");
                    }
                }
                default -> {
                }
            }
        }

        private static MemorySegment batch(MemorySegment payload) {
            int at = Long.BYTES;
            long length = 0;
            int shift = 0;
            boolean isMore = payload.byteSize() > at && payload.get(LONG, 0) == BATCH_ALONE;
            while (isMore && shift < 35 && at < payload.byteSize()) {
                byte next = payload.get(BYTE, at++);
                length |= (next & 0x7fL) << shift;
                shift += 7;
                isMore = next < 0;
            }
            if (shift == 0 || isMore || length != payload.byteSize() - at) {
                throw bad(Status.Code.CORRUPTION, "It holds no complete write batch");
            }
            return payload.asSlice(at);
        }

        private void checkWrite(MemorySegment data) {
            WriteBatch batch = WriteBatch.of(data);
            BatchReader record = new BatchReader(data);
            while (ApiCall.next(record)) {
                int id = record.family();
                if (id != 0 && families.stream().noneMatch(family -> family.id == id)) {
                    throw bad(Status.Code.INVALID_ARGUMENT, "It writes to a column family with the id "
                            + Integer.toUnsignedString(id) + ", which is not among those to replay to");
                }
            }
            try (BatchCheck check = new BatchCheck(database, database.defaultFamily().family(), batch, false)) {
                check.check(batch.data(), batch.kinds());
            }
        }

        private static RocksDBException bad(Status.Code code, String message) {
            return RocksDBException.of(code, message);
        }
    }
}
