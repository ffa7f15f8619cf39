package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.StringAppendOperator;

/** A {@code StringAppendOperator} puts any text between operands. */
class DelimitersTest extends DatabaseTest {
    @ParameterizedTest
    @ValueSource(strings = {"", ",", "++", "::", ", ", " ", "\t ", ";", "a;b", "\n", "\r\n", "{", "}", "};x={", "=",
            "\\", "\\n", ":",
            "\0", "a\0b", "\u00e9", "\u20ac", "\ud83d\ude00"})
    void isBetweenTheOperands(String delimiter) throws Exception {
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        expected.write("1".getBytes(UTF_8));
        expected.write(asPublished(delimiter));
        expected.write("2".getBytes(UTF_8));
        byte[] key = {7};
        StringAppendOperator operator = closeLater(new StringAppendOperator(delimiter));
        Options options = closeLater(new Options().setCreateIfMissing(true).setMergeOperator(operator));
        try (RocksDB database = RocksDB.open(options, directory.toString());
                FlushOptions flush = new FlushOptions()) {
            database.merge(key, "1".getBytes(UTF_8));
            database.merge(key, "2".getBytes(UTF_8));
            assertThat(database.get(key)).isEqualTo(expected.toByteArray());
            database.flush(flush);
            database.compactRange();
        }
        RocksDB database = closeLater(RocksDB.open(options, directory.toString()));
        assertThat(database.get(key)).isEqualTo(expected.toByteArray());
    }

    /** As JNI gives a text to C, which has a zero in two bytes, and each half of a pair of surrogates in three. */
    private static byte[] asPublished(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes)) {
            data.writeUTF(text);
        }
        byte[] withLength = bytes.toByteArray();
        return java.util.Arrays.copyOfRange(withLength, 2, withLength.length);
    }

    @Test
    void mustBeThere() {
        assertThatThrownBy(() -> new StringAppendOperator(null)).isInstanceOf(NullPointerException.class);
    }
}
