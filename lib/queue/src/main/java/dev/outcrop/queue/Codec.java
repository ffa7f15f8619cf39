package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Function;

/**
 * Turns values of a type into the bytes of records, which it writes directly to their place, and back. Implementations are thread-safe. A
 * codec makes a {@link TypedQueue} of a {@link Queue}.
 *
 * <p>{@link #of} plugs in any library that turns objects into arrays of bytes, for example Jackson 3:
 *
 * <pre>{@code
 * ObjectMapper mapper = new ObjectMapper();
 * Codec<Order> orders = Codec.of(mapper::writeValueAsBytes, bytes -> mapper.readValue(bytes, Order.class));
 * }</pre>
 *
 * @param <T> of the values
 */
public interface Codec<T> {
    /**
     * Returns the length of a value's record.
     *
     * @param value to be written
     * @return bytes
     */
    long size(T value);

    /**
     * Writes a value.
     *
     * @param value to be written
     * @param to    exactly as long as {@link #size} has said. It holds old bytes of the file, so every byte must be written
     */
    void write(T value, MemorySegment to);

    /**
     * Reads a value.
     *
     * @param from all bytes of a record, read-only; not valid after this method returns
     * @return a value that does not refer to these bytes
     */
    T read(MemorySegment from);

    /**
     * Returns the codec of byte arrays, which are stored as they are.
     *
     * @return the codec
     */
    static Codec<byte[]> bytes() {
        return Codecs.BYTES;
    }

    /**
     * Returns the codec of text in UTF-8. Half of a surrogate pair becomes a question mark.
     *
     * @return the codec
     */
    static Codec<String> utf8() {
        return Codecs.UTF_8;
    }

    /**
     * Returns the codec of numbers of 8 bytes, little-endian.
     *
     * @return the codec
     */
    static Codec<Long> longs() {
        return Codecs.LONG;
    }

    /**
     * Returns the codec of Java records of a fixed size, without a serializer. The components lie in order as in a C struct on most
     * machines: little-endian, each at a multiple of its size, with zeros between them where necessary. A component has a primitive type,
     * or is a record of such components; a component that is a record must not be null when a value is written.
     *
     * <p>Keep the codec in a {@code static final} field: then the JIT compiler makes the same code as for hand-written access.
     *
     * @param <R>    the record's type
     * @param lookup of the caller, who must have access to the record's type and constructor: {@link MethodHandles#lookup()}
     * @param type   of the record
     * @return the codec
     * @throws IllegalArgumentException if it is no record, a component has another type, or the lookup has no access
     */
    static <R extends Record> Codec<R> ofRecord(MethodHandles.Lookup lookup, Class<R> type) {
        return RecordCodec.of(Objects.requireNonNull(lookup, "lookup"), Objects.requireNonNull(type, "type"));
    }

    /**
     * Returns a codec that calls a library.
     *
     * @param <T>     of the values
     * @param encoder from a value to its bytes
     * @param decoder from all bytes of a record to the value
     * @return the codec; a {@link TypedQueue} calls the encoder once for a value
     */
    static <T> Codec<T> of(Function<? super T, byte[]> encoder, Function<byte[], ? extends T> decoder) {
        return new Codecs.OfArrays<>(encoder, decoder);
    }
}
