package dev.outcrop.benchmarks.start;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * The jars that a program starts from.
 *
 * @param directory the directory of the jars
 * @param program   the jar of the program; a fat jar also has everything that the program needs
 * @param libraries the other jars; none for a fat jar
 * @param isFat     whether everything is in one jar
 */
record StartJars(Path directory, Path program, List<Path> libraries, boolean isFat) {
    StartJars {
        libraries = List.copyOf(libraries);
    }

    /** Makes the jars in a new directory. Existing jars stay where they are. */
    static StartJars make(StartLibrary library, boolean isFat, Path directory) {
        try {
            Files.createDirectories(directory);
            List<Path> parts = library.parts();
            Path program = directory.resolve("program.jar");
            List<Path> libraries = new ArrayList<>();
            if (!isFat) {
                for (Path part : parts) {
                    if (!Files.isDirectory(part)) {
                        libraries.add(part);
                        continue;
                    }
                    Path jar = directory.resolve(libraries.size() + ".jar");
                    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
                        new Merge(out).add(part);
                    }
                    libraries.add(jar);
                }
            }
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(program), manifest(library))) {
                Merge merge = new Merge(out);
                merge.add(library.program());
                if (isFat) {
                    for (Path part : parts) {
                        merge.add(part);
                    }
                }
            }
            return new StartJars(directory, program, libraries, isFat);
        } catch (IOException e) {
            throw new BenchmarkException("Cannot make the jars of " + library + " in " + directory + ": " + e, e);
        }
    }

    private static Manifest manifest(StartLibrary library) {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, library.program().getName());
        attributes.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
        return manifest;
    }

    /** Returns the arguments of a JVM that runs the program. */
    List<String> arguments(StartLibrary library) {
        if (isFat) {
            return List.of("-jar", program.toString());
        }
        List<String> entries = new ArrayList<>(List.of(program.toString()));
        libraries.forEach(jar -> entries.add(jar.toString()));
        return List.of("--enable-native-access=ALL-UNNAMED", "-cp", String.join(File.pathSeparator, entries),
                library.program().getName());
    }

    /** Returns the size of all jars. The program itself takes only some kilobytes. */
    long bytes() {
        try {
            long bytes = Files.size(program);
            for (Path jar : libraries) {
                bytes += Files.size(jar);
            }
            return bytes;
        } catch (IOException e) {
            throw new BenchmarkException("Cannot measure the jars: " + e, e);
        }
    }

    /** Puts files into one jar. If files have the same name, such as licences, the first one counts. */
    private static final class Merge {
        private final JarOutputStream out;
        private final Set<String> names = new HashSet<>(Set.of(JarFile.MANIFEST_NAME, "module-info.class"));

        Merge(JarOutputStream out) {
            this.out = out;
        }

        void add(Class<?> type) throws IOException {
            String name = type.getName().replace('.', '/') + ".class";
            try (InputStream in = Objects.requireNonNull(type.getResourceAsStream('/' + name), name)) {
                add(name, in);
            }
        }

        void add(Path part) throws IOException {
            if (Files.isDirectory(part)) {
                try (Stream<Path> files = Files.walk(part)) {
                    for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                        try (InputStream in = Files.newInputStream(file)) {
                            add(part.relativize(file).toString().replace(File.separatorChar, '/'), in);
                        }
                    }
                }
                return;
            }
            try (JarFile jar = new JarFile(part.toFile())) {
                for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements();) {
                    JarEntry entry = entries.nextElement();
                    if (!entry.isDirectory()) {
                        try (InputStream in = jar.getInputStream(entry)) {
                            add(entry.getName(), in);
                        }
                    }
                }
            }
        }

        private void add(String name, InputStream in) throws IOException {
            if (names.add(name)) {
                out.putNextEntry(new JarEntry(name));
                in.transferTo(out);
                out.closeEntry();
            }
        }
    }
}
