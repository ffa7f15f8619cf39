package dev.outcrop.cli.common;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON, one value for each line. The name of a field of bytes tells their encoding: {@code key} for text, {@code keyBase64} for other
 * bytes, {@code keyHex} if hexadecimal digits were asked for.
 */
public final class Json {
    private static final JSON READING = JSON.std.with(JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final String HEX = "Hex";
    private static final String BASE64 = "Base64";

    private Json() {
    }

    /** Returns the line of a map, list or other value, without the line end. */
    public static String line(Object value) {
        try {
            return JSON.std.asString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses an object. A number with a fraction becomes a {@link java.math.BigDecimal}, so that no digit is lost. */
    public static Map<String, Object> object(String line) {
        try (JsonParser parser = READING.createParser(line)) {
            @Nullable
            Map<String, Object> fields = READING.mapFrom(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("there is text behind the JSON object");
            }
            if (fields != null) {
                return fields;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("it is not a JSON object", e);
        }
        throw new IllegalArgumentException("it is null, not a JSON object");
    }

    /** Returns the fields of an object: a name, its value, the next name, and so on. */
    public static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    /** Adds bytes to the fields of an object: as text if they are UTF-8, otherwise as Base64, with a name that says so. */
    public static void put(Map<String, Object> fields, String name, byte[] bytes) {
        put(fields, name, bytes, Encoding.TEXT);
    }

    /** Adds bytes to the fields of an object in an encoding, with a name that says so. Text that is not UTF-8 becomes Base64. */
    public static void put(Map<String, Object> fields, String name, byte[] bytes, Encoding encoding) {
        switch (encoding) {
            case HEX -> fields.put(name + HEX, encoding.format(bytes));
            case BASE64 -> fields.put(name + BASE64, encoding.format(bytes));
            case TEXT -> {
                if (Encoding.isText(bytes)) {
                    fields.put(name, new String(bytes, StandardCharsets.UTF_8));
                } else {
                    put(fields, name, bytes, Encoding.BASE64);
                }
            }
        }
    }

    /**
     * Returns the bytes that were put, in any encoding. Fails if there is no such field, or if its value does not match the encoding in its
     * name.
     */
    public static byte[] get(Map<String, Object> fields, String name) {
        @Nullable
        Object text = fields.get(name);
        if (text instanceof String string) {
            return string.getBytes(StandardCharsets.UTF_8);
        }
        for (Encoding encoding : new Encoding[]{Encoding.HEX, Encoding.BASE64}) {
            @Nullable
            Object encoded = fields.get(name + (encoding == Encoding.HEX ? HEX : BASE64));
            if (encoded instanceof String string) {
                return encoding.parse(string.getBytes(StandardCharsets.UTF_8));
            }
        }
        throw new IllegalArgumentException(
                "it has no text '" + name + "', '" + name + HEX + "' or '" + name + BASE64 + "'");
    }
}
