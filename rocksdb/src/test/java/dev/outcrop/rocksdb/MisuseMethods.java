package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ClassPath;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/** The whole public API, found by reflection, so that what is new is driven without being listed. */
final class MisuseMethods {
    /** What is not called, and why. */
    private static final Map<String, String> LEFT_OUT = Map.of(
            "Env.lowerIoPriority", "cannot be undone, and makes all later flushes of the process wait for others",
            "Env.lowerCpuPriority", "cannot be undone, and makes all later flushes of the process wait for others",
            "Options.infoLogToStandardError", "only fills the output");

    /** How much more often than others: types that read and write, or have a life. */
    private static final int LIVING = 30;

    /** So many methods count as one type more: options have hundreds, each of which is to be called now and then. */
    private static final int MANY = 50;

    private static final int USUAL = 10;
    /** So that most objects are open and of use. */
    private static final int CLOSING = 1;
    /** So that there are enough of them. */
    private static final int OPENING = 40;

    private final List<MisuseMethod> all = new ArrayList<>();
    private final Weighted<Weighted<MisuseMethod>> types = new Weighted<>();

    MisuseMethods() throws IOException {
        for (Class<?> type : publicTypes()) {
            Weighted<MisuseMethod> methods = new Weighted<>();
            methodsOf(type).filter(method -> !LEFT_OUT.containsKey(method.name)).forEach(method -> {
                all.add(method);
                methods.add(weightOf(method), method);
            });
            if (!methods.isEmpty()) {
                types.add(isLiving(type) ? LIVING : 1 + methods.size() / MANY, methods);
            }
        }
    }

    /** A method that is due. */
    MisuseMethod any(Random random) {
        MisuseMethod method = types.any(random).any(random);
        while (!method.isDue(random)) {
            method = types.any(random).any(random);
        }
        return method;
    }

    List<MisuseMethod> all() {
        return all;
    }

    /** The public types of the package, also those that are members of others; without the generated binding. */
    static List<Class<?>> publicTypes() throws IOException {
        Path classes = ClassPath.placeOf(RocksDB.class);
        if (!Files.isDirectory(classes)) {
            throw new IOException("The classes are in " + classes + ", where nobody can list them");
        }
        String inPackage = RocksDB.class.getPackageName();
        try (Stream<Path> files = Files.list(classes.resolve(inPackage.replace('.', '/')))) {
            return files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".class")).sorted()
                    .<Class<?>>map(file -> load(inPackage + "." + file.substring(0, file.length() - 6)))
                    .filter(MisuseMethods::isPublic).filter(type -> !Throwable.class.isAssignableFrom(type)).toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, MisuseMethods.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && !type.getSimpleName().endsWith("package-info")
                && (outer == null || (type.isMemberClass() && isPublic(outer)));
    }

    /** All that can be called, also what is inherited. */
    private static Stream<MisuseMethod> methodsOf(Class<?> type) {
        Map<String, Method> methods = new LinkedHashMap<>();
        Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> !(type.isEnum()
                        && (method.getDeclaringClass() == Enum.class || Modifier.isStatic(method.getModifiers()))))
                .map(MisuseMethods::original).sorted((a, b) -> Boolean.compare(a.isBridge(), b.isBridge()))
                .forEach(method -> methods.putIfAbsent(
                        method.getName() + Arrays.toString(method.getParameterTypes()), method));
        return Stream.concat(Arrays.stream(type.getConstructors()),
                methods.values().stream().sorted((a, b) -> a.toString().compareTo(b.toString())))
                .map(each -> new MisuseMethod(type, each));
    }

    /** What the compiler made a bridge to, because its class is not public; only that one has the types of its parameters. */
    static Method original(Method method) {
        for (Class<?> type = method.getDeclaringClass().getSuperclass(); method.isBridge()
                && type != null; type = type.getSuperclass()) {
            for (Method each : type.getDeclaredMethods()) {
                if (!each.isBridge() && each.getName().equals(method.getName())
                        && Arrays.equals(each.getParameterTypes(), method.getParameterTypes())) {
                    return each;
                }
            }
        }
        return method;
    }

    private static boolean isLiving(Class<?> type) {
        return AutoCloseable.class.isAssignableFrom(type) || KeyValueReader.class.isAssignableFrom(type)
                || KeyValueWriter.class.isAssignableFrom(type);
    }

    private static int weightOf(MisuseMethod method) {
        if (method.name.endsWith(".close") || method.name.equals("BackupEngine.stopBackup")) {
            return CLOSING;
        }
        return AutoCloseable.class.isAssignableFrom(method.returnType()) ? OPENING : USUAL;
    }

    /** Things of which some come more often than others. */
    private static final class Weighted<T> {
        private final List<T> things = new ArrayList<>();
        private final List<Integer> upTo = new ArrayList<>();
        private int total;

        void add(int weight, T thing) {
            total += weight;
            things.add(thing);
            upTo.add(total);
        }

        boolean isEmpty() {
            return things.isEmpty();
        }

        int size() {
            return things.size();
        }

        T any(Random random) {
            int at = random.nextInt(total);
            int low = 0;
            int high = upTo.size() - 1;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (at < Objects.requireNonNull(upTo.get(middle))) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return things.get(low);
        }
    }
}
