package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Side;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Loads programs together with one of the two libraries. The parent loads the types that both sides and the harness share. */
final class LibraryLoader extends URLClassLoader {
    private static final Set<String> SHARED = Set.of(DropinProgram.class.getName(), Side.Work.class.getName());
    private static final String PUBLISHED_JAR = "rocksdbjni-";

    private LibraryLoader(String name, List<Path> classPath) {
        super(name, urls(classPath), ClassLoader.getPlatformClassLoader());
    }

    /** Returns a loader with the class path of this process, which has the published jar. */
    static LibraryLoader published() {
        return new LibraryLoader("published", classPath());
    }

    /** Returns a loader with our classes instead of the published jar. */
    static LibraryLoader ours(Path classes) {
        List<Path> classPath = new ArrayList<>(classPath());
        if (!classPath.removeIf(entry -> String.valueOf(entry.getFileName()).startsWith(PUBLISHED_JAR))) {
            throw new IllegalStateException("The class path has no jar " + PUBLISHED_JAR + "*: " + classPath);
        }
        classPath.addFirst(classes);
        return new LibraryLoader("outcrop", classPath);
    }

    /** Creates a program that uses this library. */
    DropinProgram create(String program, Path directory) throws ReflectiveOperationException {
        var constructor = loadClass(program).getDeclaredConstructor(Path.class);
        constructor.setAccessible(true);
        return (DropinProgram) constructor.newInstance(directory);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        return SHARED.contains(name) ? Class.forName(name) : super.findClass(name);
    }

    private static List<Path> classPath() {
        return List.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator)).stream().map(Path::of)
                .toList();
    }

    private static URL[] urls(List<Path> classPath) {
        return classPath.stream().map(entry -> {
            try {
                return entry.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException("Not a part of a class path: " + entry, e);
            }
        }).toArray(URL[]::new);
    }
}
