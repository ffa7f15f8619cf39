package dev.outcrop.cli.demo;

import dev.outcrop.cli.Failure;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The demo's input: every class of the running JDK, as the file system {@code jrt:/} lists them. The key of a class is
 * its path below {@code /modules}, such as {@code java.base/java/lang/Object.class}; the value is the class file.
 *
 * @param files the class files, ordered by the bytes of their keys
 * @param bytes how much all keys and values are together
 */
record JdkClasses(List<ClassFile> files, long bytes) {
    /**
     * One class.
     *
     * @param key the path below {@code /modules} in UTF-8
     * @param path where to read it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never shared outside this package
    record ClassFile(byte[] key, Path path) {
    }

    /**
     * Lists the classes without reading them.
     *
     * @param limit how many at most, counted in the order of the keys
     */
    static JdkClasses list(int limit) {
        Path modules = Path.of(URI.create("jrt:/")).resolve("/modules");
        List<ClassFile> files = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(modules)) {
            paths.filter(path -> path.toString().endsWith(".class")).forEach(path -> {
                String key = modules.relativize(path).toString();
                files.add(new ClassFile(key.getBytes(StandardCharsets.UTF_8), path));
            });
            files.sort((a, b) -> Arrays.compareUnsigned(a.key, b.key));
            List<ClassFile> wanted = List.copyOf(files.subList(0, Math.min(limit, files.size())));
            long bytes = 0;
            for (ClassFile file : wanted) {
                bytes += file.key.length + Files.size(file.path);
            }
            return new JdkClasses(wanted, bytes);
        } catch (IOException e) {
            throw Failure.of("cannot list the classes of the running JDK", e);
        }
    }

    /** Reads all classes from the JDK and writes them to a new file, in the layout that {@link Input} reads. */
    void writeTo(Path file, ProgressLine progress) {
        try (DataOutputStream out = new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
            for (int i = 0; i < files.size(); i++) {
                byte[] key = files.get(i).key;
                byte[] value = Files.readAllBytes(files.get(i).path);
                out.writeInt(key.length);
                out.writeInt(value.length);
                out.write(key);
                out.write(value);
                progress.at(i + 1);
            }
        } catch (IOException e) {
            throw Failure.of("cannot write the classes to " + file, e);
        }
    }
}
