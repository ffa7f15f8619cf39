package dev.outcrop.cli.common;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON, one value a line. The name of a field of bytes tells their notation: {@code key} if they are text, {@code keyBase64} if not,
 * {@code keyHex} if that was asked for.
 */
public final class Json {
    private static final JSON READING = JSON.std.with(JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final String HEX = "Hex";
    private static final String BASE64 = "Base64";

    private Json() {
    }

    /**
     * The line of a map, list or other value, without its end.
     *
     * @param value made of maps, lists, texts, numbers
     * @return JSON
     */
    public static String line(Object value) {
        try {
            return JSON.std.asString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The object that a line is.
     *
     * @param line JSON
     * @return its fields; a number with a fraction is a {@link java.math.BigDecimal}, so that none of its digits is lost
     * @throws IllegalArgumentException if it is none
     */
    public static Map<String, Object> object(String line) {
        try (JsonParser parser = READING.createParser(line)) {
            @Nullable
            Map<String, Object> fields = READING.mapFrom(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("something stands behind the JSON object");
            }
            if (fields != null) {
                return fields;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("it is no JSON object", e);
        }
        throw new IllegalArgumentException("it is null, no JSON object");
    }

    /**
     * Adds bytes to the fields of an object: as text if they are UTF-8, otherwise as Base64, with a name that says so.
     *
     * @param fields of the object
     * @param name   such as {@code key}
     * @param bytes  the value
     */
    public static void put(Map<String, Object> fields, String name, byte[] bytes) {
        put(fields, name, bytes, Notation.TEXT);
    }

    /**
     * Adds bytes to the fields of an object in a notation, with a name that says so.
     *
     * @param fields   of the object
     * @param name     such as {@code key}
     * @param bytes    the value
     * @param notation how to write them; text becomes Base64 if it is no UTF-8
     */
    public static void put(Map<String, Object> fields, String name, byte[] bytes, Notation notation) {
        switch (notation) {
            case HEX -> fields.put(name + HEX, notation.format(bytes));
            case BASE64 -> fields.put(name + BASE64, notation.format(bytes));
            case TEXT -> {
                if (Notation.isText(bytes)) {
                    fields.put(name, new String(bytes, StandardCharsets.UTF_8));
                } else {
                    put(fields, name, bytes, Notation.BASE64);
                }
            }
        }
    }

    /**
     * The bytes that were put.
     *
     * @param fields of the object
     * @param name   such as {@code key}
     * @return the bytes, in whichever notation
     * @throws IllegalArgumentException if there is no such field, or it is not what its name says
     */
    public static byte[] get(Map<String, Object> fields, String name) {
        @Nullable
        Object text = fields.get(name);
        if (text instanceof String string) {
            return string.getBytes(StandardCharsets.UTF_8);
        }
        for (Notation notation : new Notation[]{Notation.HEX, Notation.BASE64}) {
            @Nullable
            Object encoded = fields.get(name + (notation == Notation.HEX ? HEX : BASE64));
            if (encoded instanceof String string) {
                return notation.parse(string.getBytes(StandardCharsets.UTF_8));
            }
        }
        throw new IllegalArgumentException(
                "it has no text '" + name + "', '" + name + HEX + "' or '" + name + BASE64 + "'");
    }
}
