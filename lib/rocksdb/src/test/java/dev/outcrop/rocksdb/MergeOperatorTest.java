package dev.outcrop.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Results of each built-in merge operator, in memory and after compaction. */
class MergeOperatorTest extends DatabaseTest {
    private void check(Options options, byte[] first, byte[] second, byte[] merged) {
        try (RocksDB db = RocksDB.open(directory, options.createIfMissing(true))) {
            db.put(KEY, first);
            db.merge(KEY, second);
            for (ReadForm form : ReadForm.values()) {
                assertThat(form.read(db, KEY)).as(form.name()).isEqualTo(merged);
            }
            db.flush();
            db.compact();
            for (ReadForm form : ReadForm.values()) {
                assertThat(form.read(db, KEY)).as("%s, compacted", form).isEqualTo(merged);
            }
        }
    }

    private static byte[] uint64(long number) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
    }

    private static Options with(MergeOperator operator) {
        return new Options().mergeOperator(operator);
    }

    @Test
    void withoutAnOperatorTheRemedyIsNamed() {
        RocksDB db = open();
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> db.merge(Bytes.of("key"), Bytes.of("value")))
                .withMessage("The database " + directory
                        + " has no merge operator; open it with new Options().mergeOperator(…)");
    }

    @Test
    void uint64AddAdds() {
        check(with(MergeOperator.UINT64_ADD), uint64(300), uint64(-1), uint64(299));
    }

    @Test
    void maxKeepsTheGreatestByteByByte() {
        check(with(MergeOperator.MAX), new byte[]{(byte) 200}, new byte[]{100, 100}, new byte[]{(byte) 200});
    }

    @Test
    void putKeepsTheLast() {
        check(with(MergeOperator.PUT), Bytes.of("first"), Bytes.of("second"), Bytes.of("second"));
    }

    @Test
    void stringAppendJoinsWithAComma() {
        check(with(MergeOperator.STRING_APPEND), Bytes.of("a"), Bytes.of("b"), Bytes.of("a,b"));
    }

    @Test
    void stringAppendJoinsWithAnotherDelimiter() {
        check(new Options().set("merge_operator={id=stringappend;delimiter= | }"), Bytes.of("a"), Bytes.of("b"),
                Bytes.of("a|b"));
    }

    @Test
    void stringAppendJoinsWithADelimiterThatIsASemicolon() {
        check(new Options().set("merge_operator={id=stringappend;delimiter={; }}"), Bytes.of("a"), Bytes.of("b"),
                Bytes.of("a; b"));
    }

    @Test
    void bytesXorFillsUpTheShorter() {
        check(with(MergeOperator.BYTES_XOR), new byte[]{1, 2, 3}, new byte[]{1}, new byte[]{0, 2, 3});
    }

    /** Whatever is merged, the JVM survives and the database can be read, if only with an exception. */
    @ParameterizedTest
    @EnumSource
    void anyBytesCanBeMergedWithAnyOperator(MergeOperator operator) {
        RocksDB db = closeLater(RocksDB.open(directory, with(operator).createIfMissing(true)));
        byte[][] operands = {{}, Bytes.of(","), Bytes.of("no number"), Bytes.of("99999999999999999999"), new byte[8]};
        for (byte[] first : operands) {
            for (byte[] second : operands) {
                db.put(KEY, first);
                db.merge(KEY, second);
                assertThat(db.get(KEY)).isNotNull();
            }
        }
        db.flush();
        db.compact();
        assertThat(db.get(KEY)).isNotNull();
    }
}
