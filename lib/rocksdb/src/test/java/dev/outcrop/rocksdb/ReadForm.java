package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The ways to read the value of a key. */
@SuppressWarnings("ImmutableEnumChecker") // lambdas without state
enum ReadForm {
    ARRAY_BY_ARRAY((db, key) -> db.get(key)),
    ARRAY_BY_HEAP_SEGMENT((db, key) -> db.get(Bytes.onHeap(key))),
    ARRAY_BY_NATIVE_SEGMENT((db, key) -> db.get(Bytes.inNative(key))),
    ARRAY_BY_MAPPED_SEGMENT(
            (db, key) -> db.get(Bytes.inFile(key))),
    ARRAY_BY_DIRECT_BUFFER(
            (db, key) -> db.get(Bytes.directBuffer(key))),
    ARRAY_BY_SLICED_BUFFER(
            (db, key) -> db.get(Bytes.slicedBuffer(key))),
    ARRAY_BY_READ_ONLY_BUFFER(
            (db, key) -> db.get(Bytes.readOnlyBuffer(key))),
    INTO_NATIVE_SEGMENT((db, key) -> intoSegment(db, key, size -> Arena.ofAuto().allocate(
            size))),
    INTO_HEAP_SEGMENT((db, key) -> intoSegment(
            db, key,
            size -> MemorySegment.ofArray(
                    new byte[(int) size]))),
    INTO_HEAP_SEGMENT_OF_LONGS((db, key) -> intoSegment(db, key, size -> MemorySegment.ofArray(new long[(int) size / 8
            + 1])
            .asSlice(0, size))),
    INTO_MAPPED_SEGMENT((db, key) -> intoSegment(
            db,
            key,
            size -> Bytes.mapped(size
                    + 1)
                    .asSlice(
                            1))),
    INTO_ARRAY(
            ReadForm::intoArray),
    INTO_DIRECT_BUFFER((db, key) -> intoBuffer(
            db,
            Bytes.directBuffer(
                    key),
            ByteBuffer.allocateDirect(
                    5_000_000))),
    INTO_HEAP_BUFFER((db, key) -> intoBuffer(
            db,
            Bytes.heapBuffer(
                    key),
            ByteBuffer.allocate(
                    5_000_000))),
    INTO_SLICED_BUFFER((db, key) -> intoBuffer(
            db,
            Bytes.readOnlyBuffer(
                    key),
            ByteBuffer.allocateDirect(5_000_000).position(77).slice())),
    PINNED_BY_ARRAY((db, key) -> slice(db.getPinned(
            key))),
    PINNED_BY_NATIVE_SEGMENT((db, key) -> slice(db.getPinned(Bytes.inNative(
            key)))),
    PINNED_BY_HEAP_SEGMENT((db, key) -> slice(db.getPinned(Bytes.onHeap(
            key)))),
    PINNED_WITH_FUNCTION((db, key) -> db.getPinned(Bytes.inNative(
            key),
            ReadForm::bytes)),
    HYBRID_WITH_NATIVE_BUFFER((db, key) -> slice(db.getHybrid(Bytes.inNative(
            key),
            Arena.ofAuto().allocate(
                    4096)))),
    HYBRID_WITH_SMALL_BUFFER((db, key) -> slice(db.getHybrid(Bytes.inNative(
            key),
            Arena.ofAuto().allocate(
                    1)))),
    HYBRID_WITH_EMPTY_BUFFER((db, key) -> slice(db.getHybrid(Bytes.inNative(
            key),
            MemorySegment.NULL))),
    HYBRID_WITH_HEAP_BUFFER((db, key) -> slice(db.getHybrid(Bytes.onHeap(
            key),
            MemorySegment.ofArray(
                    new byte[4096])))),
    HYBRID_WITH_MAPPED_BUFFER((db, key) -> slice(db.getHybrid(Bytes.inFile(
            key),
            Bytes.mapped(
                    4096)))),
    SCAN(ReadForm::scan);

    private interface Read {
        byte @Nullable [] read(KeyValueReader db, byte[] key);
    }

    private static final List<ReadForm> ALL = List.of(values());

    private final Read read;

    ReadForm(Read read) {
        this.read = read;
    }

    static ReadForm any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    /** The value, or null. */
    byte @Nullable [] read(KeyValueReader db, byte[] key) {
        return read.read(db, key);
    }

    static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte @Nullable [] intoSegment(KeyValueReader db, byte[] key, LongFunction<MemorySegment> allocate) {
        MemorySegment nativeKey = Bytes.inNative(key);
        long size = db.get(nativeKey, allocate.apply(0));
        if (size == KeyValueReader.NOT_FOUND) {
            return null;
        }
        MemorySegment exact = allocate.apply(size);
        assertThat(db.get(nativeKey, exact)).isEqualTo(size);
        return bytes(exact);
    }

    private static byte @Nullable [] intoArray(KeyValueReader db, byte[] key) {
        long size = db.get(key, new byte[0]);
        if (size == KeyValueReader.NOT_FOUND) {
            return null;
        }
        byte[] exact = new byte[(int) size];
        assertThat(db.get(key, exact)).isEqualTo(size);
        return exact;
    }

    private static byte @Nullable [] intoBuffer(KeyValueReader db, ByteBuffer key, ByteBuffer buffer) {
        ByteBuffer keyBefore = key.duplicate();
        int start = 11;
        buffer.position(start);
        long size = db.get(key, buffer);
        assertThat(key).isEqualTo(keyBefore);
        if (size == KeyValueReader.NOT_FOUND) {
            assertThat(buffer.position()).isEqualTo(start);
            return null;
        }
        assertThat(buffer.position()).isEqualTo(start + (int) size);
        byte[] value = new byte[(int) size];
        buffer.get(start, value);
        return value;
    }

    private static byte @Nullable [] slice(@Nullable PinnedSlice slice) {
        try (slice) {
            if (slice == null) {
                return null;
            }
            assertThat(slice.size()).isEqualTo(slice.segment().byteSize());
            return bytes(slice.segment());
        }
    }

    private static byte @Nullable [] scan(KeyValueReader db, byte[] key) {
        byte[][] found = new byte[1][];
        db.scan((entry, value) -> {
            boolean isIt = Arrays.equals(bytes(entry), key);
            if (isIt) {
                found[0] = bytes(value);
            }
            return !isIt;
        });
        return found[0];
    }
}
