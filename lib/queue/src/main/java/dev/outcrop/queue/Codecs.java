package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;

/** The codecs of common types. */
final class Codecs {
    static final Codec<byte[]> BYTES = new OfBytes();
    static final Codec<String> UTF_8 = new OfText();
    static final Codec<Long> LONG = new OfLong();

    private Codecs() {
    }

    private static byte[] toArray(MemorySegment from) {
        return from.toArray(ValueLayout.JAVA_BYTE);
    }

    private static final class OfBytes implements Codec<byte[]> {
        @Override
        public long size(byte[] value) {
            return value.length;
        }

        @Override
        public void write(byte[] value, MemorySegment to) {
            MemorySegment.copy(value, 0, to, ValueLayout.JAVA_BYTE, 0, value.length);
        }

        @Override
        public byte[] read(MemorySegment from) {
            return toArray(from);
        }

        @Override
        public String toString() {
            return "Codec.bytes()";
        }
    }

    private static final class OfLong implements Codec<Long> {
        private static final ValueLayout.OfLong LITTLE_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
                .withOrder(ByteOrder.LITTLE_ENDIAN);

        @Override
        public long size(Long value) {
            return Long.BYTES;
        }

        @Override
        public void write(Long value, MemorySegment to) {
            to.set(LITTLE_ENDIAN, 0, value);
        }

        @Override
        public Long read(MemorySegment from) {
            requireSize(from, Long.BYTES, "number");
            return from.get(LITTLE_ENDIAN, 0);
        }

        @Override
        public String toString() {
            return "Codec.longs()";
        }
    }

    static void requireSize(MemorySegment from, long size, String what) {
        if (from.byteSize() != size) {
            throw new IllegalArgumentException("A " + what + " has " + size + " bytes, not " + from.byteSize());
        }
    }

    /** Encodes into the record itself, without an array. */
    private static final class OfText implements Codec<String> {
        @Override
        public long size(String value) {
            long size = value.length();
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c < 0x80) {
                    continue;
                }
                if (c < 0x800) {
                    size++;
                } else if (!Character.isSurrogate(c)) {
                    size += 2;
                } else if (isPair(value, i)) {
                    // 4 bytes for two chars.
                    size += 2;
                    i++;
                }
            }
            return size;
        }

        private static boolean isPair(String value, int i) {
            return Character.isHighSurrogate(value.charAt(i)) && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1));
        }

        @Override
        public void write(String value, MemorySegment to) {
            long at = 0;
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c < 0x80) {
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) c);
                } else if (c < 0x800) {
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0xC0 | (c >> 6)));
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0x80 | (c & 0x3F)));
                } else if (!Character.isSurrogate(c)) {
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0xE0 | (c >> 12)));
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0x80 | ((c >> 6) & 0x3F)));
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0x80 | (c & 0x3F)));
                } else if (isPair(value, i)) {
                    int point = Character.toCodePoint(c, value.charAt(++i));
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0xF0 | (point >> 18)));
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0x80 | ((point >> 12) & 0x3F)));
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0x80 | ((point >> 6) & 0x3F)));
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) (0x80 | (point & 0x3F)));
                } else {
                    to.set(ValueLayout.JAVA_BYTE, at++, (byte) '?');
                }
            }
        }

        @Override
        public String read(MemorySegment from) {
            return new String(toArray(from), StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return "Codec.utf8()";
        }
    }

    /** A codec that encodes in one step: a typed queue calls {@link #encode} in place of {@link #size} and {@link #write}. */
    static final class OfArrays<T> implements Codec<T> {
        private final Function<? super T, byte[]> encoder;
        private final Function<byte[], ? extends T> decoder;

        OfArrays(Function<? super T, byte[]> encoder, Function<byte[], ? extends T> decoder) {
            this.encoder = Objects.requireNonNull(encoder, "encoder");
            this.decoder = Objects.requireNonNull(decoder, "decoder");
        }

        byte[] encode(T value) {
            return Objects.requireNonNull(encoder.apply(value), "the bytes from the encoder");
        }

        @Override
        public long size(T value) {
            return encode(value).length;
        }

        @Override
        public void write(T value, MemorySegment to) {
            byte[] bytes = encode(value);
            if (bytes.length != to.byteSize()) {
                throw new IllegalStateException(
                        "The encoder has made " + bytes.length + " bytes of a value of which it made "
                                + to.byteSize() + " before");
            }
            BYTES.write(bytes, to);
        }

        @Override
        public T read(MemorySegment from) {
            return decoder.apply(toArray(from));
        }

        @Override
        public String toString() {
            return "Codec.of(" + encoder + ", " + decoder + ")";
        }
    }
}
