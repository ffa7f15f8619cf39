package dev.outcrop.codegen.orgrocksdb;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the constants of an enum with their fields, for example the byte for native code. */
final class EnumValues {

    private EnumValues() {
    }

    static List<String> rows(ClassLoader loader, String name) {
        List<String> rows = new ArrayList<>();
        try {
            Class<?> type = Class.forName(name.replace('/', '.'), true, loader);
            for (Object constant : type.getEnumConstants()) {
                StringBuilder row = new StringBuilder("constant\t").append(((Enum<?>) constant).name());
                for (Field field : type.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        row.append('\t').append(field.getName().replaceAll("^_|_$", "")).append(':')
                                .append(field.getType().descriptorString()).append('=')
                                .append(text(field.get(constant)));
                    }
                }
                rows.add(row.toString());
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("Cannot read the constants of " + name, e);
        }
        return rows;
    }

    private static String text(Object value) {
        return value instanceof Object[] array ? Arrays.toString(array) : String.valueOf(value);
    }
}
