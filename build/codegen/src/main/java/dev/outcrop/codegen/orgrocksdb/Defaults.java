package dev.outcrop.codegen.orgrocksdb;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Reads the defaults of classes that need no native library. They are the results of the getters of a new object. */
final class Defaults {

    private Defaults() {
    }

    static List<String> rows(ClassLoader loader, String name) {
        List<String> rows = new ArrayList<>();
        try {
            Class<?> type = Class.forName(name.replace('/', '.'), true, loader);
            Object made = type.getConstructor().newInstance();
            for (Method method : Arrays.stream(type.getDeclaredMethods()).sorted(Comparator.comparing(Method::getName))
                    .toList()) {
                if (Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0
                        && !method.isSynthetic()) {
                    rows.add("default\t" + method.getName() + "\t" + method.invoke(made));
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("Cannot read the defaults of " + name, e);
        }
        return rows;
    }
}
