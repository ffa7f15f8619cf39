package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces, recorded, read and replayed. */
class TracingTest {
    @TempDir
    private Path directory;

    @Test
    void whatWasRecordedIsReplayed() {
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
        db.close();
        // The database lives on for its children.
        replayer.replay(new ReplayOptions().numThreads(2).fastForward(1000));
        replayer.close();
        replayer.close();
        assertThatIllegalStateException().isThrownBy(() -> replayer.replay(new ReplayOptions()));
        assertThatIllegalStateException().isThrownBy(replayer::headerTimestamp);
        assertThatIllegalStateException().isThrownBy(() -> db.tracing().replayer(file));
        try (RocksDB again = open("replayed")) {
            assertThat(again.get(Bytes.of("a"))).isEqualTo(Bytes.of("1"));
        }
    }

    @Test
    void whatIsNoTraceIsRefused() throws IOException {
        Path garbage = Files.write(directory.resolve("garbage"), Bytes.random(5, 100));
        Path empty = Files.createFile(directory.resolve("empty"));
        try (RocksDB db = open("db")) {
            for (Path file : List.of(garbage, empty, directory.resolve("missing"))) {
                refused(() -> db.tracing().replayer(file));
            }
            assertThatIllegalArgumentException().isThrownBy(() -> db.tracing().replayer(garbage, List.of()));
            refused(() -> new TraceReader(directory.resolve("missing")).close());
        }
    }

    @Test
    void inputAndBlockCacheAreRecorded() {
        Path io = directory.resolve("io");
        Path cache = directory.resolve("cache");
        try (RocksDB db = open("db")) {
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
    }

    private RocksDB open(String name) {
        return RocksDB.open(directory.resolve(name), new Options().createIfMissing(true));
    }

    private static void refused(ThrowingCallable call) {
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(call);
    }
}
