package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.pipe.RecordFormat.BadRecordException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON objects, one for each line. A field is the key. */
final class JsonFormat implements RecordFormat {
    private final String keyField;
    private final @Nullable String valueField;
    private final List<String> key;
    private final List<String> value;

    /** Takes fields. {@code a.b} means the field b of the object a. Without a value field, the value is the whole line. */
    JsonFormat(String keyField, @Nullable String valueField) {
        this.keyField = keyField;
        this.valueField = valueField;
        this.key = path(keyField);
        this.value = valueField == null ? List.of() : path(valueField);
    }

    private static List<String> path(String field) {
        return List.of(field.split("\\.", -1));
    }

    @Override
    public RecordEnd ends() {
        return new RecordEnd.OfLines();
    }

    @Override
    public void read(byte[] record, Entries use) throws BadRecordException {
        Map<String, Object> fields = object(record);
        Object ofKey = find(fields, key, keyField);
        if (ofKey instanceof Map || ofKey instanceof List) {
            throw new BadRecordException("its '" + keyField + "' is not a text, number or truth value");
        }
        String name = valueField;
        use.entry(RecordFormat.bytes(ofKey.toString()),
                name == null ? record : value(find(fields, value, name)));
    }

    private static Map<String, Object> object(byte[] record) throws BadRecordException {
        try {
            return Json.object(RecordFormat.utf8(record));
        } catch (IllegalArgumentException e) {
            throw new BadRecordException(String.valueOf(e.getMessage()));
        }
    }

    private static byte[] value(Object of) throws BadRecordException {
        return RecordFormat.bytes(of instanceof Map || of instanceof List ? Json.line(of) : of.toString());
    }

    private static Object find(Map<String, Object> fields, List<String> path, String name) throws BadRecordException {
        @Nullable
        Object at = fields;
        for (String step : path) {
            at = at instanceof Map<?, ?> object ? object.get(step) : null;
        }
        if (at == null) {
            throw new BadRecordException("it has no '" + name + "'");
        }
        return at;
    }
}
