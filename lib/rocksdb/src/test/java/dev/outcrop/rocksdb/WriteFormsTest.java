package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every operation that writes, with its bytes in every form. */
class WriteFormsTest extends DatabaseTest {
    private static final List<Function<byte[], MemorySegment>> SEGMENTS = List.of(MemorySegment::ofArray, Bytes::onHeap,
            Bytes::inNative, Bytes::inFile);
    private static final List<Function<byte[], ByteBuffer>> BUFFERS = List.of(Bytes::heapBuffer, Bytes::directBuffer,
            Bytes::slicedBuffer, Bytes::readOnlyBuffer);

    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = closeLater(RocksDB.open(directory, create().mergeOperator(MergeOperator.STRING_APPEND)));
    }

    @Test
    void putOfEverySizeInEveryForm() {
        for (int size : Bytes.SIZES) {
            byte[] value = Bytes.random(size, size);
            for (Function<byte[], MemorySegment> segment : SEGMENTS) {
                db.put(segment.apply(KEY), segment.apply(value));
                assertThat(db.get(KEY)).isEqualTo(value);
                db.delete(KEY);
            }
            for (Function<byte[], ByteBuffer> buffer : BUFFERS) {
                db.put(buffer.apply(KEY), buffer.apply(value));
                assertThat(db.get(KEY)).isEqualTo(value);
                db.delete(KEY);
            }
            db.put(KEY, value);
            assertThat(db.get(KEY)).isEqualTo(value);
        }
    }

    @Test
    void aBufferStaysWhereItIs() {
        ByteBuffer key = Bytes.directBuffer(KEY);
        ByteBuffer value = Bytes.heapBuffer(VALUE);
        int limit = value.limit();

        db.put(key, value);

        assertThat(key.position()).isEqualTo(3);
        assertThat(value.position()).isEqualTo(3);
        assertThat(value.limit()).isEqualTo(limit);
    }

    @Test
    void delete() {
        for (Function<byte[], MemorySegment> segment : SEGMENTS) {
            db.put(KEY, VALUE);
            db.delete(segment.apply(KEY));
            assertThat(db.get(KEY)).isNull();
            db.put(KEY, VALUE);
            db.singleDelete(segment.apply(KEY));
            assertThat(db.get(KEY)).isNull();
        }
        for (Function<byte[], ByteBuffer> buffer : BUFFERS) {
            db.put(KEY, VALUE);
            db.delete(buffer.apply(KEY));
            assertThat(db.get(KEY)).isNull();
            db.put(KEY, VALUE);
            db.singleDelete(buffer.apply(KEY));
            assertThat(db.get(KEY)).isNull();
        }
        db.put(KEY, VALUE);
        db.singleDelete(KEY);
        assertThat(db.get(KEY)).isNull();
    }

    @Test
    void deletingAMissingKeyDoesNothing() {
        db.delete(KEY);
        db.singleDelete(Bytes.of("neither"));
        db.deleteRange(Bytes.of("a"), Bytes.of("z"));

        assertThat(db.get(KEY)).isNull();
    }

    @Test
    void deleteRangeEndsBeforeItsEnd() {
        for (Function<byte[], MemorySegment> segment : SEGMENTS) {
            putAToE();
            db.deleteRange(segment.apply(Bytes.of("b")), segment.apply(Bytes.of("d")));
            assertOnlyAAndDAndE();
        }
        for (Function<byte[], ByteBuffer> buffer : BUFFERS) {
            putAToE();
            db.deleteRange(buffer.apply(Bytes.of("b")), buffer.apply(Bytes.of("d")));
            assertOnlyAAndDAndE();
        }
        putAToE();
        db.deleteRange(Bytes.of("b"), Bytes.of("d"));
        assertOnlyAAndDAndE();
        db.flush();
        db.compact();
        assertOnlyAAndDAndE();
    }

    @Test
    void mergeInEveryForm() {
        String expected = "";
        for (Function<byte[], MemorySegment> segment : SEGMENTS) {
            db.merge(segment.apply(KEY), segment.apply(VALUE));
            expected += ",value";
        }
        for (Function<byte[], ByteBuffer> buffer : BUFFERS) {
            db.merge(buffer.apply(KEY), buffer.apply(VALUE));
            expected += ",value";
        }
        db.merge(KEY, VALUE);
        assertThat(db.get(KEY)).asString().isEqualTo((expected + ",value").substring(1));
    }

    @Test
    void writesWithoutALogAreSeenAtOnceAndFlushedByClosing() {
        db.with(new WriteOptions().disableWAL(true)).put(KEY, VALUE);
        assertThat(db.get(KEY)).isEqualTo(VALUE);
        db.close();

        db = closeLater(RocksDB.open(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND)));
        assertThat(db.get(KEY)).isEqualTo(VALUE);
    }

    private void putAToE() {
        for (String key : List.of("a", "b", "c", "d", "e")) {
            db.put(Bytes.of(key), VALUE);
        }
    }

    private void assertOnlyAAndDAndE() {
        StringBuilder keys = new StringBuilder();
        db.scan((key, value) -> {
            keys.append(new String(ReadForm.bytes(key), StandardCharsets.UTF_8));
            return true;
        });
        assertThat(keys).hasToString("ade");
    }
}
