package dev.outcrop.testsupport.misuse;

import dev.outcrop.testsupport.ClassPath;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The public API of a package. It is found by reflection, so that new methods are called without being listed. */
public final class MisuseMethods {
    /** How much more often methods of types that read, write or can be closed are called. */
    private static final int LIVING = 30;

    /** This many methods count as one more type: options have hundreds of methods, and each must be called sometimes. */
    private static final int MANY = 50;

    private static final int USUAL = 10;
    /** Keeps most objects open. */
    private static final int CLOSING = 1;
    /** Makes enough objects. */
    private static final int OPENING = 40;
    /** One of this many choices takes a method that was not called yet, regardless of the weights. */
    private static final int UNCALLED = 4;

    private final List<MisuseMethod> all = new ArrayList<>();
    private final Weighted<Weighted<MisuseMethod>> types = new Weighted<>();

    /**
     * @param publicTypes the types with the methods
     * @param isLiving    types with methods that are called more often
     * @param isEnding    methods that end their object; they are called less often
     * @param leftOut     methods that are not called
     */
    public MisuseMethods(List<Class<?>> publicTypes, Predicate<Class<?>> isLiving, Predicate<MisuseMethod> isEnding,
            Predicate<MisuseMethod> leftOut) {
        for (Class<?> type : publicTypes) {
            Weighted<MisuseMethod> methods = new Weighted<>();
            methodsOf(type).filter(leftOut.negate()).forEach(method -> {
                all.add(method);
                methods.add(isEnding.test(method) ? CLOSING : weightOf(method), method);
            });
            if (!methods.isEmpty()) {
                types.add(isLiving.test(type) ? LIVING : 1 + methods.size() / MANY, methods);
            }
        }
    }

    /** Returns the next method. */
    public MisuseMethod any(Random random) {
        if (random.nextInt(UNCALLED) == 0) {
            MisuseMethod one = all.get(random.nextInt(all.size()));
            if (one.calls() == 0) {
                return one;
            }
        }
        MisuseMethod method = types.any(random).any(random);
        while (!method.isDue(random)) {
            method = types.any(random).any(random);
        }
        return method;
    }

    public List<MisuseMethod> all() {
        return all;
    }

    /** Describes the methods that were hardly called, and the expensive ones. */
    public void report() {
        System.out.println("never called: " + all.stream().filter(method -> method.calls() == 0).count()
                + ", never returned: " + all.stream().filter(method -> method.returned() == 0)
                        .map(method -> method.name + "/" + method.parameters.length).distinct().toList());
        all.stream().sorted(Comparator.comparingLong(method -> -method.nanos())).limit(8)
                .forEach(method -> System.out.printf("  %6d ms, %6d calls: %s%n", method.nanos() / 1_000_000,
                        method.calls(), method));
    }

    /** Returns the public types of a class's package, including nested types, but without packages below it. */
    public static List<Class<?>> publicTypes(Class<?> one) throws IOException {
        Path classes = ClassPath.placeOf(one);
        if (!Files.isDirectory(classes)) {
            throw new IOException("The classes are in " + classes + ", where nobody can list them");
        }
        String inPackage = one.getPackageName();
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

    /** Returns all methods, including inherited methods. */
    private static Stream<MisuseMethod> methodsOf(Class<?> type) {
        Map<String, Method> methods = new LinkedHashMap<>();
        Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .filter(method -> !(type.isEnum()
                        && (method.getDeclaringClass() == Enum.class || Modifier.isStatic(method.getModifiers()))))
                .map(MisuseMethods::original).sorted((a, b) -> Boolean.compare(a.isBridge(), b.isBridge()))
                .forEach(method -> methods.putIfAbsent(
                        method.getName() + Arrays.toString(method.getParameterTypes()), method));
        Stream<Constructor<?>> constructors = Modifier.isAbstract(type.getModifiers())
                ? Stream.empty()
                : Arrays.stream(type.getConstructors());
        return Stream.concat(constructors,
                methods.values().stream().sorted((a, b) -> a.toString().compareTo(b.toString())))
                .map(each -> new MisuseMethod(type, each));
    }

    /** Returns the method behind a bridge to a class that is not public. Only that method has the types of the parameters. */
    public static Method original(Method method) {
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

    private static int weightOf(MisuseMethod method) {
        return AutoCloseable.class.isAssignableFrom(method.returnType()) ? OPENING : USUAL;
    }

    /** A weighted random choice. */
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
