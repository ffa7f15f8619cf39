package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Enums convert to and from numbers and texts as the published ones do, for every byte. */
class EnumsTest {

    private static final List<String> TEXTS = List.of("", "none", "kNone", "snappy", "z", "zlib", "bzip2", "lz4",
            "lz4hc", "xpress",
            "zstd", "kZSTD", "ZSTD", "prepopulate_blob_disable", "prepopulate_blob_flush_only", "no such thing");

    @Test
    void methodsReturnAndThrowTheSameAsPublishedOnes() throws Exception {
        Map<String, String> published = new TreeMap<>();
        try (URLClassLoader loader = new URLClassLoader(new java.net.URL[]{
                Path.of(System.getProperty("published.jar")).toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (String name : enums()) {
                published.putAll(answers(Class.forName(name, true, loader)));
            }
        }
        Map<String, String> ours = new TreeMap<>();
        for (String name : enums()) {
            ours.putAll(answers(Class.forName(name)));
        }
        assertThat(published).hasSizeGreaterThan(5_000);
        Map<String, String> wrong = new TreeMap<>();
        published.forEach((call, answer) -> {
            if (!answer.equals(ours.get(call))) {
                wrong.put(call, "published " + answer + ", here " + ours.get(call));
            }
        });
        assertThat(wrong).isEmpty();
        assertThat(ours.keySet()).isEqualTo(published.keySet());
    }

    private static List<String> enums() throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("published.table"))).stream()
                .map(row -> row.split("\t", -1)).filter(row -> row[0].equals("class") && row[2].contains("enum"))
                .map(row -> row[1].replace('/', '.')).toList();
    }

    private static Map<String, String> answers(Class<?> type) throws ReflectiveOperationException {
        Map<String, String> answers = new TreeMap<>();
        for (Method method : Arrays.stream(type.getDeclaredMethods()).sorted(Comparator.comparing(Method::getName))
                .toList()) {
            if (!Modifier.isPublic(method.getModifiers()) || method.isSynthetic() || method.getParameterCount() > 1) {
                continue;
            }
            if (Modifier.isStatic(method.getModifiers())) {
                for (Object argument : arguments(method)) {
                    answers.put(type.getName() + "." + method.getName() + "(" + argument + ")",
                            answer(method, null, argument));
                }
            } else if (method.getParameterCount() == 0) {
                for (Object constant : type.getEnumConstants()) {
                    answers.put(type.getName() + "." + constant + "." + method.getName(), answer(method, constant));
                }
            }
        }
        return answers;
    }

    private static List<Object> arguments(Method method) {
        if (method.getParameterCount() == 0) {
            return List.of();
        }
        return switch (method.getParameterTypes()[0].getName()) {
            case "byte" -> Stream.iterate(-128, i -> i + 1).limit(256).map(i -> (Object) i.byteValue()).toList();
            case "int" -> Stream.iterate(-300, i -> i + 1).limit(600).map(i -> (Object) i).toList();
            case "java.lang.String" -> List.copyOf(TEXTS);
            default -> List.of();
        };
    }

    private static String answer(Method method, @Nullable Object target, Object... arguments)
            throws ReflectiveOperationException {
        try {
            return String.valueOf(method.invoke(target, arguments));
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause()).replaceAll("class @.*", "");
        }
    }
}
