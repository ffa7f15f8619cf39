package dev.outcrop.benchmarks.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.MergeFunction;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java operators mean the same as RocksDB's own, wherever they are called. */
class OperatorTest {
    private static final byte[] KEY = bytes("key");

    @TempDir
    private Path directory;

    @Test
    void numbersAreAdded() {
        assertThat(merged(new Adding(), number(40), number(1), number(-2), number(3))).isEqualTo(number(42));
        assertThat(merged(new Adding(), null, number(1), number(2), number(3))).isEqualTo(number(6));
    }

    @Test
    void bytesAreJoined() {
        assertThat(merged(new Appending(), bytes("a"), bytes("b"), bytes(""), bytes("cd"))).isEqualTo(bytes("abcd"));
        assertThat(merged(new Appending(), null, bytes("x"), bytes("y"), bytes("z"))).isEqualTo(bytes("xyz"));
    }

    /** The value after three merges, which must be the same when merged by a read, in part by flushes, and by a compaction. */
    private byte @Nullable [] merged(MergeFunction operator, byte @Nullable [] value, byte[] a, byte[] b, byte[] c) {
        Path path = directory.resolve(value == null ? "without" : "with");
        try (RocksDB db = RocksDB.open(path, new Options().createIfMissing(true).mergeOperator(operator))) {
            if (value != null) {
                db.put(KEY, value);
            }
            db.flush();
            db.merge(KEY, a);
            db.merge(KEY, b);
            db.flush();
            db.merge(KEY, c);
            byte[] read = db.get(KEY);
            db.flush();
            assertThat(db.get(KEY)).isEqualTo(read);
            db.compact();
            assertThat(db.get(KEY)).isEqualTo(read);
            return read;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }
}
