package dev.outcrop.rocksdb;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Recording, reading and replaying traces. */
class TracingTest extends DatabaseTest {
    private static final byte WRITE = 3;
    private static final byte MULTI_GET = 13;

    @Test
    void aRecordedTraceIsReplayed() {
        Path file = directory.resolve("trace");
        Instant before = Instant.now().minusSeconds(5);
        try (RocksDB db = open("recorded")) {
            ColumnFamily users = db.createColumnFamily("users", new Options());
            db.put(Bytes.of("before"), Bytes.of("0"));
            db.tracing().start(file, new TraceOptions());
            db.put(Bytes.of("a"), Bytes.of("1"));
            users.put(Bytes.of("b"), Bytes.of("2"));
            db.delete(Bytes.of("before"));
            assertThat(db.get(Bytes.of("a"))).isNotNull();
            db.tracing().end();
            db.put(Bytes.of("after"), Bytes.of("3"));
            refused(db.tracing()::end);
            refused(() -> db.tracing().start(file, new TraceOptions()));
        }
        TraceReader closed;
        try (TraceReader reader = new TraceReader(file)) {
            byte[] header = Objects.requireNonNull(reader.read());
            assertThat(new String(header, StandardCharsets.ISO_8859_1)).contains("Trace Version");
            int records = 1;
            while (reader.read() != null) {
                records++;
            }
            assertThat(records).as("header, three writes, a read, footer").isEqualTo(6);
            assertThat(reader.read()).isNull();
            reader.reset();
            assertThat(reader.read()).isEqualTo(header);
            closed = reader;
        }
        closed.close();
        assertThatIllegalStateException().isThrownBy(closed::read).withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(closed::reset);
        RocksDB db = open("replayed");
        ColumnFamily users = db.createColumnFamily("users", new Options());
        db.put(Bytes.of("before"), Bytes.of("0"));
        Replayer replayer = db.tracing().replayer(file, List.of(db.defaultColumnFamily(), users));
        assertThat(replayer.headerTimestamp()).isAfter(before).isBefore(Instant.now().plusSeconds(5));
        replayer.replay(new ReplayOptions().numThreads(1).fastForward(1000));
        assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("1"));
        assertThat(users.get(Bytes.of("b"))).isEqualTo(Bytes.of("2"));
        assertThat(db.get(Bytes.of("before"))).isNull();
        assertThat(db.get(Bytes.of("after"))).isNull();
        db.delete(Bytes.of("a"));
        replayer.reset();
        replayer.replay(new ReplayOptions().numThreads(2).fastForward(1000));
        assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("1"));
        replayer.reset();
        db.close();
        // A closed database must not change.
        assertThatIllegalStateException().isThrownBy(() -> replayer.replay(new ReplayOptions()))
                .withMessageContaining("closed");
        replayer.close();
        replayer.close();
        assertThatIllegalStateException().isThrownBy(() -> replayer.replay(new ReplayOptions()));
        assertThatIllegalStateException().isThrownBy(replayer::headerTimestamp);
        assertThatIllegalStateException().isThrownBy(() -> db.tracing().replayer(file));
        RocksDB again = closeLater(open("replayed"));
        assertThat(again.get(Bytes.of("a"))).isEqualTo(Bytes.of("1"));
    }

    @Test
    void otherFilesThanTracesAreRefused() throws IOException {
        Path garbage = Files.write(directory.resolve("garbage"), Bytes.random(5, 100));
        Path empty = Files.createFile(directory.resolve("empty"));
        RocksDB db = closeLater(open("db"));
        for (Path file : List.of(garbage, empty, directory.resolve("missing"))) {
            refused(() -> db.tracing().replayer(file));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> db.tracing().replayer(garbage, List.of()));
        refused(() -> new TraceReader(directory.resolve("missing")).close());
    }

    @Test
    void impossibleWritesAreNotReplayed() throws IOException {
        Path recorded = directory.resolve("recorded trace");
        WriteBatch inUsers = new WriteBatch();
        try (RocksDB db = open("recorded")) {
            db.tracing().start(recorded, new TraceOptions());
            db.tracing().end();
            inUsers.in(db.createColumnFamily("users", new Options())).put(Bytes.of("b"), Bytes.of("2"));
        }
        byte[] header;
        try (TraceReader reader = new TraceReader(recorded)) {
            header = Objects.requireNonNull(reader.read());
        }
        WriteBatch good = new WriteBatch();
        good.put(Bytes.of("a"), Bytes.of("1"));
        WriteBatch merge = new WriteBatch();
        merge.merge(Bytes.of("a"), Bytes.of("1"));
        WriteBatch range = new WriteBatch();
        range.deleteRange(Bytes.of("b"), Bytes.of("a"));
        byte[] cut = Arrays.copyOf(bytes(good), bytes(good).length - 1);
        RocksDB db = closeLater(open("replayed"));
        ColumnFamily users = db.createColumnFamily("users",
                new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
        refused(db, users, trace(header, 1, WRITE, written(bytes(inUsers))), "shorter than a timestamp");
        refused(db, db.defaultColumnFamily(), trace(header, 1, WRITE, written(bytes(inUsers))), "with the id 1");
        refused(db, users, trace(header, 1, WRITE, written(bytes(merge))), "merge operator");
        refused(db, users, trace(header, 1, WRITE, written(bytes(range))), "ends before it begins");
        refused(db, users, trace(header, 1, WRITE, written(cut)), "ends before the record");
        refused(db, users, trace(header, 1, WRITE, bytes(good)), "no complete write batch");
        refused(db, users, trace(header, 1, WRITE, new byte[0]), "no complete write batch");
        refused(db, users, trace(header, 1, MULTI_GET, numbers(0x700, 12, -1)), "fewer keys");
        refused(db, users, trace(header, -1, WRITE, written(bytes(good))), "before that of the trace");
        Path fine = trace(header, 1, WRITE, written(bytes(good)));
        try (Replayer replayer = db.tracing().replayer(fine)) {
            replayer.replay(new ReplayOptions());
        }
        assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("1"));
        Replayer replayer = closeLater(db.tracing().replayer(fine, List.of(db.defaultColumnFamily(), users)));
        db.dropColumnFamily(users);
        assertThatIllegalStateException().isThrownBy(() -> replayer.replay(new ReplayOptions()))
                .withMessageContaining("dropped");
    }

    @Test
    void anUnfinishedTraceIsNotReplayed() {
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        RocksDB db = closeLater(open("replayed"));
        try (RocksDB recorded = open("recorded")) {
            recorded.tracing().start(first, new TraceOptions());
            recorded.put(Bytes.of("a"), Bytes.of("1"));
            stillRecorded(db, first);
            recorded.tracing().start(second, new TraceOptions());
            recorded.put(Bytes.of("b"), Bytes.of("2"));
            stillRecorded(recorded, second);
            replay(db, first);
            recorded.tracing().end();
            replay(recorded, second);
            recorded.tracing().start(directory.resolve("third"), new TraceOptions());
        }
        replay(db, second);
        replay(db, directory.resolve("third"));
        assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("1"));
        assertThat(db.get(Bytes.of("b"))).isEqualTo(Bytes.of("2"));
    }

    private static void replay(RocksDB db, Path trace) {
        try (Replayer replayer = db.tracing().replayer(trace)) {
            replayer.replay(new ReplayOptions());
        }
    }

    private static void stillRecorded(RocksDB db, Path trace) {
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> db.tracing().replayer(trace))
                .withMessageContaining("still being recorded").satisfies(
                        e -> assertThat(e.status().code()).isEqualTo(Status.Code.BUSY));
    }

    private static void refused(RocksDB db, ColumnFamily to, Path trace, String why) {
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> db.tracing().replayer(trace, List.of(to)))
                .withMessageContaining("record 1 of the trace " + trace).withMessageContaining(why);
    }

    private static byte[] bytes(WriteBatch batch) {
        return batch.data().toArray(ValueLayout.JAVA_BYTE);
    }

    /** A trace with one record, some time after its header. */
    private Path trace(byte[] header, long micros, byte type, byte[] payload) throws IOException {
        ByteBuffer begin = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer trace = ByteBuffer.allocate(header.length + 13 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
        trace.put(header).putLong(begin.getLong(0) + micros).put(type).putInt(payload.length).put(payload);
        return Files.write(Files.createTempFile(directory, "made", ".trace"), trace.array());
    }

    /** The payload of a write. */
    private static byte[] written(byte[] batch) {
        byte[] payload = numbers(2, 9 + batch.length, batch.length);
        System.arraycopy(batch, 0, payload, 9, batch.length);
        return payload;
    }

    /** Two numbers, of which the second one stands at the ninth byte. */
    private static byte[] numbers(long first, int bytes, int second) {
        ByteBuffer buffer = ByteBuffer.allocate(Math.max(12, bytes)).order(ByteOrder.LITTLE_ENDIAN);
        return Arrays.copyOf(buffer.putLong(first).putInt(second).array(), bytes);
    }

    @Test
    void inputAndBlockCacheAreRecorded() {
        Path io = directory.resolve("io");
        Path cache = directory.resolve("cache");
        RocksDB db = closeLater(open("db"));
        db.put(Bytes.of("a"), Bytes.random(1, 10_000));
        db.flush();
        db.tracing().endIo();
        db.tracing().endBlockCache();
        db.tracing().startIo(io, new TraceOptions());
        db.tracing().startBlockCache(directory.resolve("short"), new TraceOptions());
        db.tracing().endBlockCache();
        assertThat(directory.resolve("short")).isNotEmptyFile();
        db.tracing().startBlockCache(cache, new BlockCacheTraceOptions(), new BlockCacheTraceWriterOptions());
        refused(() -> db.tracing().startIo(directory.resolve("second"), new TraceOptions()));
        refused(() -> db.tracing().startBlockCache(directory.resolve("third"), new BlockCacheTraceOptions(),
                new BlockCacheTraceWriterOptions()));
        assertThat(db.get(Bytes.of("a"))).hasSize(10_000);
        db.tracing().endIo();
        db.tracing().endBlockCache();
        assertThat(io).isNotEmptyFile();
        assertThat(cache).isNotEmptyFile();
    }

    private RocksDB open(String name) {
        return RocksDB.open(directory.resolve(name), create());
    }
}
