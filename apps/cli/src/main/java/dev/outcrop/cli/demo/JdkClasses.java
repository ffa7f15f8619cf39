package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Failure;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * The demo's input: every class of the running JDK, as the file system {@code jrt:/} lists them. The key of a class is
 * its path below {@code /modules}, such as {@code java.base/java/lang/Object.class}; the value is the class file.
 *
 * @param files the class files, ordered by the bytes of their keys
 * @param bytes the bytes of all keys and values together
 */
record JdkClasses(List<ClassFile> files, long bytes) {
    /**
     * One class.
     *
     * @param key the path below {@code /modules} in UTF-8
     * @param path where to read it
     * @param size the bytes of key and value together
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never shared outside this package
    record ClassFile(byte[] key, Path path, long size) {
    }

    /** Lists the first classes in the order of the keys, without reading them. */
    static JdkClasses list(int limit) {
        Path modules = Path.of(URI.create("jrt:/")).resolve("/modules");
        try (Stream<Path> paths = Files.walk(modules)) {
            List<ClassFile> sorted = paths.filter(path -> path.toString().endsWith(".class"))
                    .map(path -> new ClassFile(key(modules, path), path, 0))
                    .sorted((a, b) -> Arrays.compareUnsigned(a.key, b.key)).limit(limit).toList();
            List<ClassFile> files = new ArrayList<>();
            for (ClassFile file : sorted) {
                files.add(new ClassFile(file.key, file.path, file.key.length + Files.size(file.path)));
            }
            return new JdkClasses(List.copyOf(files), files.stream().mapToLong(ClassFile::size).sum());
        } catch (IOException e) {
            throw Failure.of("cannot list the classes of the running JDK", e);
        }
    }

    private static byte[] key(Path modules, Path path) {
        return modules.relativize(path).toString().getBytes(StandardCharsets.UTF_8);
    }

    int size() {
        return files.size();
    }

    MemorySegment key(int index) {
        return MemorySegment.ofArray(files.get(index).key);
    }

    /** Returns the key of a class as text, for messages. */
    String name(int index) {
        return text(key(index));
    }

    /** Returns bytes as text, for messages. */
    static String text(MemorySegment bytes) {
        return new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /** Reads a class file from the JDK. */
    MemorySegment value(int index) {
        try {
            return MemorySegment.ofArray(Files.readAllBytes(files.get(index).path));
        } catch (IOException e) {
            throw Failure.of("cannot read a class of the running JDK", e);
        }
    }

    /** Returns the bytes of the keys and values of a range of records; {@code to} is exclusive. */
    long bytes(int from, int to) {
        return files.subList(from, to).stream().mapToLong(ClassFile::size).sum();
    }

    /** Reads all classes from the JDK and writes them to a new file. The file has the layout that the sides read. */
    void writeTo(Path file, IntConsumer progress) {
        try (DataOutputStream out = new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            for (int i = 0; i < files.size(); i++) {
                byte[] key = files.get(i).key;
                byte[] value = Files.readAllBytes(files.get(i).path);
                out.writeInt(key.length);
                out.writeInt(value.length);
                out.write(key);
                out.write(value);
                progress.accept(i + 1);
            }
        } catch (IOException e) {
            throw Failure.of("cannot write the classes to " + file, e);
        }
    }
}
