package dev.outcrop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The script {@code outcrop} in a copy of the checkout's directories, with a JDK and a Maven that only print that they were started. */
@Tag("verify")
class StartScriptTest {
    private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();
    private static final String BUILT = "built";
    private static final String STARTED = "started";
    private static final FileTime BEFORE = hoursAgo(3);
    private static final FileTime OF_BUILD = hoursAgo(2);
    private static final FileTime AFTER = hoursAgo(1);

    private Path home;

    private static FileTime hoursAgo(int hours) {
        return FileTime.from(Instant.now().minus(Duration.ofHours(hours)));
    }

    @BeforeEach
    void makeBuiltCheckout(@TempDir Path directory) throws IOException {
        home = directory.toRealPath();
        Files.copy(CHECKOUT.resolve("outcrop"), home.resolve("outcrop"));
        program("tools/mvn", "echo " + BUILT);
        program("jdk/bin/javac", "");
        program("jdk/bin/java", """
                for option in "$@"; do
                    case $option in
                        -XX:AOTCacheOutput=*) : > "${option#*=}"; exit ;;
                    esac
                done
                echo %s""".formatted(STARTED));
        write("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
        write("pom.xml", "");
        write(".mvn/maven.config", "");
        for (Path module : modules()) {
            write(module + "/pom.xml", "");
            write(module + "/src/main/java/A.java", "");
            write(module + "/src/test/java/ATest.java", "");
        }
        write("build/codegen/facts/calls.tsv", "");
        write("lib/natives/natives.xml", "");
        write("apps/cli/target/picocli-4.jar", "");
        write("apps/cli/target/classpath", home + "/apps/cli/target/picocli-4.jar");
        write("apps/benchmarks/target/classpath", "");
        try (Stream<Path> all = Files.walk(home)) {
            for (Path path : all.toList()) {
                Files.setLastModifiedTime(path, path.endsWith("classpath") ? OF_BUILD : BEFORE);
            }
        }
    }

    /** Returns the directories of the real modules, relative to the checkout. */
    private static List<Path> modules() throws IOException {
        List<Path> modules = new ArrayList<>();
        for (String folder : List.of("lib", "compat", "apps", "build")) {
            try (Stream<Path> found = Files.list(CHECKOUT.resolve(folder))) {
                found.filter(module -> Files.exists(module.resolve("pom.xml"))).map(CHECKOUT::relativize)
                        .forEach(modules::add);
            }
        }
        return modules;
    }

    static Stream<String> sources() throws IOException {
        return Stream.concat(
                Stream.of("pom.xml", ".mvn/maven.config", "build/codegen/facts/calls.tsv", "lib/natives/natives.xml"),
                modules().stream().flatMap(module -> Stream.of(module + "/pom.xml", module + "/src/main/java/A.java")));
    }

    @Test
    void aBuiltCheckoutStartsAtOnce() throws Exception {
        assertThat(modules()).contains(Path.of("lib/queue"), Path.of("apps/cli"), Path.of("compat/rocksdbjni"));
        assertThat(run()).isEqualTo(STARTED);
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aNewerSourceIsBuilt(String source) throws Exception {
        Files.setLastModifiedTime(home.resolve(source), AFTER);
        assertThat(run()).isEqualTo(STARTED);
        assertThat(home.resolve("target/outcrop-build.log")).hasContent(BUILT);
        Files.delete(home.resolve("target/outcrop-build.log"));
        assertThat(run()).isEqualTo(STARTED);
        assertThat(home.resolve("target/outcrop-build.log")).as("log of a second build").doesNotExist();
    }

    @Test
    void aDeletedSourceIsBuilt() throws Exception {
        Files.delete(home.resolve("lib/queue/src/main/java/A.java"));
        assertThat(run()).isEqualTo(STARTED);
        assertThat(home.resolve("target/outcrop-build.log")).hasContent(BUILT);
    }

    @Test
    void aNewerTestIsNotBuilt() throws Exception {
        Files.setLastModifiedTime(home.resolve("lib/queue/src/test/java/ATest.java"), AFTER);
        assertThat(run()).isEqualTo(STARTED);
        assertThat(home.resolve("target/outcrop-build.log")).doesNotExist();
    }

    @Test
    void aMissingJarIsBuilt() throws Exception {
        Files.delete(home.resolve("apps/cli/target/picocli-4.jar"));
        assertThat(run()).contains("the build made no complete class path");
        assertThat(home.resolve("target/outcrop-build.log")).hasContent(BUILT);
    }

    /** Returns the script's output, without the message that it builds. */
    private String run() throws IOException, InterruptedException {
        ProcessBuilder script = new ProcessBuilder(home.resolve("outcrop").toString(), "version")
                .redirectErrorStream(true);
        script.environment().put("OUTCROP_JAVA_HOME", home.resolve("jdk").toString());
        script.environment().merge("PATH", home.resolve("tools").toString(), (path, tools) -> tools + ":" + path);
        Process process = script.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.lines().filter(line -> !line.startsWith("outcrop: building, ")).reduce("", String::concat);
    }

    private void program(String path, String text) throws IOException {
        write(path, "#!/bin/sh\n" + text + '\n');
        Files.setPosixFilePermissions(home.resolve(path), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void write(String path, String text) throws IOException {
        Path file = home.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
