package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** A read writes the value's bytes into the buffer and touches no other byte; if the value does not fit, it touches none. */
class BufferBoundsTest extends DatabaseTest {
    private static final byte GUARD = 0x5a;
    private static final int GUARDS = 64;

    @Test
    void onlyTheValuesBytesAreWrittenAndNoneIfItDoesNotFit() {
        List<LongFunction<MemorySegment>> memories = List.of(size -> Arena.ofAuto().allocate(size),
                size -> MemorySegment.ofArray(new byte[(int) size]), Bytes::mapped);
        RocksDB db = open();
        for (int size : Bytes.SIZES) {
            byte[] key = Bytes.of("key" + size);
            db.put(key, Bytes.random(size, size));
            for (LongFunction<MemorySegment> memory : memories) {
                for (int room : new int[]{0, size / 2, size - 1, size, size + 1, size + 3000}) {
                    if (room >= 0) {
                        readInto(db, key, size, memory.apply(GUARDS + room + GUARDS), room);
                    }
                }
            }
        }
    }

    private static void readInto(RocksDB db, byte[] key, int size, MemorySegment around, int room) {
        around.fill(GUARD);

        long result = db.get(MemorySegment.ofArray(key), around.asSlice(GUARDS, room));

        assertThat(result).isEqualTo(size);
        int copied = size <= room ? size : 0;
        assertThat(around.asSlice(GUARDS, copied).mismatch(MemorySegment.ofArray(Bytes.random(size, copied))))
                .as("a value of %d bytes in a buffer of %d", size, room).isEqualTo(-1);
        assertGuards(around, 0, GUARDS);
        assertGuards(around, GUARDS + copied, around.byteSize());
    }

    private static void assertGuards(MemorySegment memory, long from, long to) {
        for (long i = from; i < to; i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != GUARD) {
                throw new AssertionError("byte " + i + " of " + memory.byteSize() + " was overwritten");
            }
        }
    }

    @Test
    void aHybridReadNeverWritesALargeValueIntoTheBuffer() {
        RocksDB db = open();
        byte[] key = Bytes.of("key");
        db.put(key, Bytes.random(1, 100_000));
        MemorySegment buffer = Arena.ofAuto().allocate(200_000).fill(GUARD);
        try (PinnedSlice slice = Objects.requireNonNull(db.getHybrid(MemorySegment.ofArray(key), buffer))) {
            assertThat(slice.isPinned()).isTrue();
        }
        assertGuards(buffer, 0, buffer.byteSize());
    }

    @Test
    void aHybridReadOfASmallValueIsASliceOfTheBuffer() {
        RocksDB db = open();
        byte[] key = Bytes.of("key");
        db.put(key, Bytes.of("small"));
        for (MemorySegment buffer : List.of(Arena.ofAuto().allocate(100), MemorySegment.ofArray(new byte[100]))) {
            buffer.fill(GUARD);
            try (PinnedSlice slice = Objects.requireNonNull(db.getHybrid(MemorySegment.ofArray(key), buffer))) {
                assertThat(slice.isPinned()).isFalse();
                assertThat(slice.segment().address()).isEqualTo(buffer.address());
                assertThat(slice.segment().byteSize()).isEqualTo(5);
            }
            assertGuards(buffer, 5, 100);
        }
    }

    @Test
    void aBufferThatIsTooSmallStaysWhereItIs() {
        RocksDB db = open();
        db.put(Bytes.of("key"), Bytes.of("value"));
        ByteBuffer buffer = ByteBuffer.allocateDirect(100).position(20).limit(24);

        assertThat(db.get(ByteBuffer.wrap(Bytes.of("key")), buffer)).isEqualTo(5);

        assertThat(buffer.position()).isEqualTo(20);
        assertThat(buffer.getInt(20)).isZero();
    }

    @Test
    void readOnlyBuffersAreRefusedWhetherTheKeyIsThereOrNot() {
        RocksDB db = open();
        db.put(Bytes.of("key"), Bytes.of("value"));
        for (String key : List.of("key", "no key")) {
            MemorySegment bytes = Bytes.inNative(Bytes.of(key));
            MemorySegment readOnly = Arena.ofAuto().allocate(100).asReadOnly();
            assertThatThrownBy(() -> db.get(bytes, readOnly)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            assertThatThrownBy(() -> db.getHybrid(bytes, readOnly)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            assertThatThrownBy(() -> db.get(ByteBuffer.wrap(Bytes.of(key)), ByteBuffer.allocate(9).asReadOnlyBuffer()))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("read-only");
        }
    }
}
