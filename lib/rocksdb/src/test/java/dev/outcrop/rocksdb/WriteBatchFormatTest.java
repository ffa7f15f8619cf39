package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch has the same bytes as RocksDB's own batch of the same operations. */
class WriteBatchFormatTest extends DatabaseTest {
    private static final int FAMILIES = 131;
    private static final int STAMPED = FAMILIES - 1;
    /** Around the numbers where an id takes one byte more. */
    private static final int[] IDS = {0, 0, 0, 1, 127, 128, STAMPED};
    /** Around the numbers where a length takes one byte more. */
    private static final int[] LENGTHS = {0, 1, 7, 8, 20, 127, 128, 300, 16_383, 16_384, 100_000};

    private final long seed = TestSize.seed(getClass());
    private final Random random = new Random(seed);
    private byte[] bytes() {
        int length = LENGTHS[random.nextInt(random.nextInt(10) == 0 ? LENGTHS.length : 7)];
        return Bytes.random(random.nextLong(), length);
    }

    private static WriteBatchFamily family(WriteBatch batch, int id) {
        return batch.in("family " + id, id, id == STAMPED ? 8 : 0);
    }

    @Test
    @Tag("verify")
    void randomOperationsGiveTheSameBytes() {
        NativeBatch theirs = closeLater(new NativeBatch(directory, FAMILIES));
        WriteBatch ours = new WriteBatch();
        for (int round = 0; round < TestSize.choose("outcrop.rounds", 3, 300); round++) {
            int savePoints = 0;
            for (int step = 0; step < 200; step++) {
                savePoints += operation(theirs, ours, savePoints > 0);
                assertThat(ours.count()).as("seed %d, round %d, step %d", seed, round, step).isEqualTo(theirs.count());
            }
            assertSame(theirs, ours, round);
            WriteBatch copy = WriteBatch.of(ours.data());
            assertThat(bytesOf(copy)).isEqualTo(bytesOf(ours));
            assertThat(copy.count()).isEqualTo(ours.count());
            theirs.clear();
            ours.clear();
            assertSame(theirs, ours, round);
        }
    }

    private void assertSame(NativeBatch theirs, WriteBatch ours, int round) {
        byte[] expected = theirs.data();
        assertThat(ours.byteSize()).as("seed %d, round %d", seed, round).isEqualTo(expected.length);
        assertThat(bytesOf(ours)).as("seed %d, round %d", seed, round).isEqualTo(expected);
    }

    private static byte[] bytesOf(WriteBatch batch) {
        return batch.data().toArray(ValueLayout.JAVA_BYTE);
    }

    /** Does the same to both; returns how many more save points there are. */
    private int operation(NativeBatch theirs, WriteBatch ours, boolean hasSavePoint) {
        int id = IDS[random.nextInt(IDS.length)];
        byte[] key = bytes();
        byte[] value = bytes();
        byte[] time = Bytes.random(random.nextLong(), 8);
        boolean plain = id == 0 && random.nextBoolean();
        KeyValueWriter to = plain ? ours : family(ours, id);
        switch (random.nextInt(id == STAMPED ? 16 : 13)) {
            case 0, 1, 2, 3 -> {
                theirs.put(id, key, value);
                put(to, key, value);
            }
            case 4 -> {
                theirs.delete(id, key);
                delete(to, key);
            }
            case 5 -> {
                theirs.singleDelete(id, key);
                if (random.nextBoolean()) {
                    to.singleDelete(key);
                } else {
                    to.singleDelete(Bytes.onHeap(key));
                }
            }
            case 6 -> {
                theirs.deleteRange(id, key, value);
                to.deleteRange(Bytes.inNative(key), Bytes.onHeap(value));
            }
            case 7 -> {
                theirs.merge(id, key, value);
                to.merge(key, value);
            }
            case 8 -> {
                theirs.merge(id, key, value);
                to.merge(Bytes.inNative(key), Bytes.inFile(value));
            }
            case 9 -> {
                theirs.putLogData(value);
                ours.putLogData(Bytes.inNative(value));
            }
            case 10 -> {
                theirs.setSavePoint();
                ours.setSavePoint();
                return 1;
            }
            case 11 -> {
                if (hasSavePoint) {
                    theirs.rollbackToSavePoint();
                    ours.rollbackToSavePoint();
                    return -1;
                }
            }
            case 12 -> {
                if (hasSavePoint) {
                    theirs.popSavePoint();
                    ours.popSavePoint();
                    return -1;
                }
            }
            case 13 -> {
                theirs.putAt(id, key, time, value);
                put(family(ours, id).at(MemorySegment.ofArray(time)), key, value);
            }
            case 14 -> {
                theirs.deleteAt(id, key, time);
                delete(family(ours, id).at(MemorySegment.ofArray(time)), key);
            }
            default -> {
                theirs.singleDeleteAt(id, key, time);
                family(ours, id).at(Bytes.inNative(time)).singleDelete(key);
            }
        }
        return 0;
    }

    private void put(KeyValueWriter to, byte[] key, byte[] value) {
        switch (random.nextInt(6)) {
            case 0 -> to.put(Bytes.inNative(key), Bytes.onHeap(value));
            case 1 -> to.put(Bytes.directBuffer(key), Bytes.readOnlyBuffer(value));
            case 2 -> to.put(Bytes.inFile(key), Bytes.inNative(value));
            case 3 -> ((BatchWriter) to).put(parts(key), parts(value));
            default -> to.put(key, value);
        }
    }

    private void delete(KeyValueWriter to, byte[] key) {
        switch (random.nextInt(4)) {
            case 0 -> to.delete(Bytes.inNative(key));
            case 1 -> to.delete(Bytes.slicedBuffer(key));
            case 2 -> ((BatchWriter) to).delete(parts(key));
            default -> to.delete(key);
        }
    }

    private List<MemorySegment> parts(byte[] bytes) {
        List<MemorySegment> parts = new ArrayList<>();
        int from = 0;
        while (from < bytes.length) {
            int length = Math.min(bytes.length - from, random.nextInt(bytes.length + 1));
            MemorySegment part = MemorySegment.ofArray(bytes).asSlice(from, length);
            parts.add(random.nextBoolean() ? part : Bytes.inNative(part.toArray(ValueLayout.JAVA_BYTE)));
            from += length;
        }
        return parts;
    }

    /** The C API cannot add entities; this one was worked out by hand from RocksDB's description of the layout. */
    @Test
    void anEntityIsSortedAndLaidOutAsDescribed() {
        WriteBatch batch = new WriteBatch();

        batch.putEntity(Bytes.inNative(Bytes.of("k")), List.of(new WideColumn(Bytes.of("b"), Bytes.of("two")),
                new WideColumn(Bytes.of(""), Bytes.of("default")),
                new WideColumn(Bytes.of("a"), Bytes.of(""))));
        batch.in("x", 5, 0).putEntity(Bytes.onHeap(Bytes.of("key")), List.of());

        assertThat(HexFormat.of().formatHex(bytesOf(batch))).isEqualTo("0000000000000000" + "02000000" //
                + "16" + "016b" + "14" + "0103" + "0007" + "016100" + "016203" + "64656661756c74" + "74776f" //
                + "17" + "05" + "036b6579" + "02" + "0100");
    }
}
