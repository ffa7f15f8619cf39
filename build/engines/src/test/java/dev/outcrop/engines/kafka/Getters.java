package dev.outcrop.engines.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The results of the getters of an options object. */
final class Getters {
    /** 11.8.1 has removed the first two, which Kafka's adapter calls all the same, and forgotten to link the third. */
    private static final Set<String> LEFT_OUT = Set.of("maxWriteBufferNumberToMaintain",
            "skipCheckingSstFileSizesOnDbOpen", "failIfOptionsFileError");

    private Getters() {
    }

    /** Of all public methods without parameters that return a plain value: name and value. */
    static List<String> of(Object object, Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0 && !method.isSynthetic())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> isPlain(method.getReturnType())).filter(method -> !isNumberOfObject(method.getName()))
                .filter(method -> !LEFT_OUT.contains(method.getName())).sorted(Comparator.comparing(Method::getName))
                .map(method -> method.getName() + " " + call(method, object)).distinct().toList();
    }

    private static boolean isPlain(Class<?> type) {
        return (type.isPrimitive() && type != void.class) || type.isEnum() || type == String.class
                || type == List.class;
    }

    private static boolean isNumberOfObject(String name) {
        return name.endsWith("Handle") || name.equals("getNativeHandle");
    }

    private static String call(Method method, Object object) {
        try {
            return String.valueOf(method.invoke(object));
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
