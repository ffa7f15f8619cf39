package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.NativeLibraries;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The native methods are those of the table, as the published classes declare them, and the library has their functions. */
class NativesTest {

    private static final Path TABLE = Path.of("../../build/codegen/facts/jni-natives.tsv");

    @Test
    void theClassesDeclareThoseOfTheTable() throws IOException {
        Set<String> declared = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("target/classes/org/rocksdb"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                declared.addAll(natives(ClassFile.of().parse(file)));
            }
        }
        assertThat(declared).isEqualTo(listed());
    }

    @Tag("verify")
    @Test
    void thePublishedClassesDeclareThem() throws IOException {
        Set<String> published = new TreeSet<>();
        try (JarFile jar = new JarFile(System.getProperty("published.jar"))) {
            for (String type : new TreeSet<>(rows().stream().map(List::getFirst).toList())) {
                try (InputStream in = jar
                        .getInputStream(jar.getEntry("org/rocksdb/" + type.replace('.', '/') + ".class"))) {
                    published.addAll(natives(ClassFile.of().parse(in.readAllBytes())));
                }
            }
        }
        assertThat(published).containsAll(listed());
    }

    @Test
    void theLibraryHasTheirFunctions() throws IOException {
        for (List<String> row : rows()) {
            assertThat(row).hasSize(7);
            assertThat(row.get(5)).startsWith(
                    "Java_org_rocksdb_" + row.getFirst().replace('.', '_') + "_" + row.get(2));
            assertThat(NativeLibraries.rocksdb().find(row.get(5))).as(row.get(5)).isPresent();
        }
    }

    private static Set<String> natives(ClassModel type) {
        Set<String> natives = new TreeSet<>();
        for (MethodModel method : type.methods()) {
            if (method.flags().has(AccessFlag.NATIVE)) {
                String words = Stream.of(AccessFlag.PUBLIC, AccessFlag.PROTECTED, AccessFlag.PRIVATE, AccessFlag.STATIC)
                        .filter(method.flags()::has).map(flag -> flag.name().toLowerCase(Locale.ROOT) + " ")
                        .reduce("", String::concat);
                natives.add(type.thisClass().asInternalName() + " " + words + method.methodName().stringValue()
                        + method.methodType().stringValue());
            }
        }
        return natives;
    }

    private static Set<String> listed() throws IOException {
        Set<String> listed = new TreeSet<>();
        for (List<String> row : rows()) {
            listed.add("org/rocksdb/" + row.get(0).replace('.', '/') + " " + row.get(1)
                    + (row.get(1).isEmpty() ? "" : " ") + row.get(2) + row.get(3));
        }
        return listed;
    }

    private static List<List<String>> rows() throws IOException {
        return Files.readAllLines(TABLE).stream().filter(row -> !row.startsWith("#"))
                .map(row -> List.of(row.split("\t", -1))).toList();
    }
}
