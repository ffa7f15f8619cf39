package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CodecTest {
    private record Point(int x, int y) {
    }

    private record All(boolean a, byte b, short c, char d, int e, long f, float g, double h) {
    }

    private record Nested(byte tag, Point from, Point to, long time, boolean isLast) {
    }

    private record Empty() {
    }

    private record Checked(int positive) {
        Checked {
            if (positive < 0) {
                throw new IllegalArgumentException("negative: " + positive);
            }
        }
    }

    private static final Codec<Point> POINTS = Codec.ofRecord(MethodHandles.lookup(), Point.class);
    private static final Codec<All> ALL = Codec.ofRecord(MethodHandles.lookup(), All.class);
    private static final Codec<Nested> NESTED = Codec.ofRecord(MethodHandles.lookup(), Nested.class);

    /** Written to memory that holds something else before, at an address that is a multiple of nothing. */
    private static <T> byte[] written(Codec<T> codec, T value) {
        byte[] around = new byte[1 + (int) codec.size(value)];
        new Random(1).nextBytes(around);
        codec.write(value, MemorySegment.ofArray(around).asSlice(1));
        return java.util.Arrays.copyOfRange(around, 1, around.length);
    }

    private static <T> T readBack(Codec<T> codec, T value) {
        byte[] bytes = written(codec, value);
        try (Arena arena = Arena.ofConfined()) {
            return codec.read(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes).asReadOnly());
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void bytesStayAsTheyAre() {
        assertThat(readBack(Codec.bytes(), new byte[]{1, 2, 3})).containsExactly(1, 2, 3);
        assertThat(written(Codec.bytes(), new byte[0])).isEmpty();
    }

    @Test
    void numbersAreLittleEndian() {
        assertThat(hex(written(Codec.longs(), 0x0102030405060708L))).isEqualTo("0807060504030201");
        assertThat(readBack(Codec.longs(), Long.MIN_VALUE + 5)).isEqualTo(Long.MIN_VALUE + 5);
        assertThatThrownBy(() -> Codec.longs().read(MemorySegment.ofArray(new byte[7])))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("8 bytes, not 7");
    }

    @Test
    void textIsWhatTheJdkMakesOfIt() {
        List<String> texts = List.of("", "plain", "Grüße", "漢字", "😀 and 😀", "\0", "\u07ff\u0800\uffff", "\ud800",
                "a\udc00b", "\ud83d", "\ude00\ud83d", "\ud83dx");
        assertThat(texts).allSatisfy(text -> {
            byte[] expected = text.getBytes(StandardCharsets.UTF_8);
            assertThat(Codec.utf8().size(text)).isEqualTo(expected.length);
            assertThat(written(Codec.utf8(), text)).isEqualTo(expected);
            assertThat(readBack(Codec.utf8(), text)).isEqualTo(new String(expected, StandardCharsets.UTF_8));
        });
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(30); length > 0; length--) {
                text.append((char) (random.nextBoolean() ? random.nextInt(0x10000) : 0xD800 + random.nextInt(0x800)));
            }
            assertThat(written(Codec.utf8(), text.toString())).as("seed %d", seed)
                    .isEqualTo(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void recordsLieAsInC() {
        assertThat(hex(written(POINTS, new Point(1, -2)))).isEqualTo("01000000feffffff");
        All all = new All(true, (byte) 2, (short) 3, 'A', 5, 6, 1.5f, -2.5);
        // Padding before f, which begins at a multiple of 8, and before h.
        assertThat(hex(written(ALL, all))).isEqualTo("01" + "02" + "0300" + "4100" + "0000" + "05000000" + "00000000"
                + "0600000000000000" + "0000c03f" + "00000000" + "00000000000004c0");
        assertThat(ALL.size(all)).isEqualTo(40);
        Nested nested = new Nested((byte) 7, new Point(1, 2), new Point(3, 4), 5, true);
        assertThat(hex(written(NESTED, nested)))
                .isEqualTo("07000000" + "01000000" + "02000000" + "03000000" + "04000000"
                        + "00000000" + "0500000000000000" + "01" + "00000000000000");
    }

    @Test
    void recordsAreReadBack() {
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            All all = new All(random.nextBoolean(), (byte) random.nextInt(), (short) random.nextInt(),
                    (char) random.nextInt(),
                    random.nextInt(), random.nextLong(), random.nextFloat(), random.nextDouble());
            assertThat(readBack(ALL, all)).as("seed %d", seed).isEqualTo(all);
            Nested nested = new Nested((byte) random.nextInt(), new Point(random.nextInt(), random.nextInt()),
                    new Point(random.nextInt(), random.nextInt()), random.nextLong(), random.nextBoolean());
            assertThat(readBack(NESTED, nested)).as("seed %d", seed).isEqualTo(nested);
        }
        Codec<Empty> empty = Codec.ofRecord(MethodHandles.lookup(), Empty.class);
        assertThat(empty.size(new Empty())).isZero();
        assertThat(readBack(empty, new Empty())).isEqualTo(new Empty());
    }

    @Test
    void aRecordOfAnotherSizeIsRefused() {
        assertThatThrownBy(() -> POINTS.read(MemorySegment.ofArray(new byte[9])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Point").hasMessageContaining("8 bytes, not 9");
        assertThat(POINTS.toString()).contains("Point");
    }

    @Test
    void whatAConstructorThrowsIsThrown() {
        Codec<Checked> codec = Codec.ofRecord(MethodHandles.lookup(), Checked.class);
        assertThat(readBack(codec, new Checked(5))).isEqualTo(new Checked(5));
        assertThatThrownBy(() -> codec.read(MemorySegment.ofArray(new byte[]{0, 0, 0, -1})))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("negative");
    }

    private record WithText(int number, String text) {
    }

    private record Around(WithText inner) {
    }

    @Test
    void componentsWithoutAFixedSizeAreRefused() {
        assertThatThrownBy(() -> Codec.ofRecord(MethodHandles.lookup(), WithText.class))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Component text of")
                .hasMessageContaining("WithText").hasMessageContaining("java.lang.String");
        assertThatThrownBy(() -> Codec.ofRecord(MethodHandles.lookup(), Around.class))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Component text of");
    }

    private record Endless(int number, Endless next) {
    }

    private record Egg(int number, Hen hen) {
    }

    private record Hen(Egg egg) {
    }

    private record Twice(Point one, Point other) {
    }

    @Test
    void recordsThatContainThemselvesAreRefused() {
        assertThatThrownBy(() -> Codec.ofRecord(MethodHandles.lookup(), Endless.class))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Component next of")
                .hasMessageContaining("Endless");
        assertThatThrownBy(() -> Codec.ofRecord(MethodHandles.lookup(), Egg.class))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Component egg of")
                .hasMessageContaining("Hen").hasMessageContaining("Egg a part of itself");
        assertThat(Codec.ofRecord(MethodHandles.lookup(), Twice.class)).isNotNull();
    }

    @Test
    void nullComponentsAreNamed() {
        assertThatThrownBy(() -> written(NESTED, new Nested((byte) 1, new Point(1, 2), nullPoint(), 3, true)))
                .isInstanceOf(NullPointerException.class).hasMessageContaining("Component to of")
                .hasMessageContaining("Nested is null");
        assertThatThrownBy(() -> Codec.ofRecord(MethodHandles.lookup(), Record.class))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("java.lang.Record is not a record");
    }

    @SuppressWarnings("NullAway") // what it is about
    private static Point nullPoint() {
        return null;
    }

    @Test
    void aLookupWithoutAccessIsRefused() {
        assertThatThrownBy(() -> Codec.ofRecord(MethodHandles.publicLookup(), Point.class))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("no access")
                .hasMessageContaining("MethodHandles.lookup()");
    }

    @Test
    void anEncoderThatChangesItsMindIsFoundOut() {
        int[] calls = {0};
        Codec<String> codec = Codec.of(text -> new byte[text.length() + calls[0]++], bytes -> "" + bytes.length);
        assertThatThrownBy(() -> written(codec, "abc")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("4 bytes")
                .hasMessageContaining("3");
    }
}
