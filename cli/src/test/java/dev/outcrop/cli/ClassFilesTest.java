package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClassFilesTest {
    /** Class files from this version on say which types there are where code branches; the JVM verifies these. */
    private static final int WITH_TYPES = 50;
    @TempDir
    private Path temporary;

    @Test
    void aCopyHasTheSameFilesAndItsClassesAreVerifiedInTheNewWay() throws Exception {
        Path picocli = Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path copy = temporary.resolve("picocli.jar");
        ClassFiles.copy(picocli, copy);

        assertThat(names(copy)).isEqualTo(names(picocli));
        List<String> classes = names(copy).stream()
                .filter(name -> name.endsWith(".class") && name.startsWith("picocli/")).toList();
        assertThat(classes).hasSizeGreaterThan(200);
        try (URLClassLoader loader = new URLClassLoader(new URL[]{copy.toUri().toURL()}, null);
                ZipFile jar = new ZipFile(copy.toFile())) {
            for (String name : classes) {
                byte[] bytes = jar.getInputStream(jar.getEntry(name)).readAllBytes();
                assertThat(bytes[7]).describedAs(name).isGreaterThanOrEqualTo((byte) WITH_TYPES);
            }
            for (String name : classes) {
                if (!name.contains("Groovy")) {
                    // Verifies it.
                    Class<?> type = Class.forName(name.replace('/', '.').replaceFirst("\\.class$", ""), true, loader);
                    assertThat(type.getClassLoader()).isEqualTo(loader);
                }
            }
        }
    }

    private static List<String> names(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return Collections.list(zip.entries()).stream().map(Object::toString).toList();
        }
    }
}
