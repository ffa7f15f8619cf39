package dev.outcrop.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A program that runs engines in their jars, which Maven finds and which would not go together with those of the tests: a project of its own
 * in {@code src/test/engines}.
 */
final class EngineProgram {
    private static final String OURS = ".*outcrop-(rocksdbjni|rocksdb-engine|memory|rocksdb-natives)-\\d[^/]*\\.jar"
            + "|.*/(rocksdbjni|rocksdb-engine|memory)/target/classes";
    /** Words of failures that only a log shows, because an engine has called in a thread of its own. */
    private static final List<String> FAILURES = List.of("LinkageError",
            "NoSuchMethodError", "NoSuchFieldError", "NoClassDefFoundError", "AbstractMethodError",
            "IncompatibleClassChangeError", "IllegalAccessError", "VerifyError", "UnsupportedOperationException");

    private final String main;
    /** Without a jar of {@code org.rocksdb}. */
    private final List<Path> classPath;

    private EngineProgram(String main, List<Path> classPath) {
        this.main = main;
        this.classPath = classPath;
    }

    /** Finds the jars of a program, and compiles it. */
    static EngineProgram of(String project, String main, Path directory) throws IOException, InterruptedException {
        Path folder = Path.of("src", "test", "engines", project).toAbsolutePath();
        Path found = directory.resolve("class-path.txt");
        Path log = directory.resolve("maven.txt");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                        "-B", "-q", "-f", folder.resolve("pom.xml").toString(),
                        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
                        "-Dmdep.outputFile=" + found));
        String repository = System.getProperty("maven.repo.local");
        if (repository != null) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        Process maven = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        assertThat(ChildJvm.awaitEnd(maven)).isTrue();
        assertThat(maven.exitValue()).as(() -> read(log)).isZero();
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<Path> classPath = new ArrayList<>(List.of(classes));
        Stream.of(Files.readString(found).strip().split(File.pathSeparator)).map(Path::of).forEach(classPath::add);
        List<String> compiler = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp",
                join(classPath) + File.pathSeparator + publishedJar()));
        try (Stream<Path> files = Files.list(folder)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(compiler::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, compiler.toArray(String[]::new)))
                .isZero();
        return new EngineProgram(main, classPath);
    }

    static Path publishedJar() {
        return Path.of(System.getProperty("published.jar"));
    }

    ChildJvm.Running onOurs(Object... arguments) throws IOException {
        List<Path> ours = ClassPath.entries().stream().filter(entry -> entry.toString().matches(OURS)).toList();
        assertThat(ours).hasSizeGreaterThanOrEqualTo(4);
        return on(ours, arguments);
    }

    ChildJvm.Running onPublished(Object... arguments) throws IOException {
        return on(List.of(publishedJar()), arguments);
    }

    ChildJvm.Running on(List<Path> rocksDb, Object... arguments) throws IOException {
        ChildJvm jvm = ChildJvm.shortLived().option("-Xmx1g");
        // Spark does not start without these.
        Stream.of("java.lang", "java.lang.invoke", "java.io", "java.net", "java.nio", "java.util",
                "java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.util.calendar",
                "jdk.internal.ref").forEach(
                        each -> jvm.option("--add-opens=java.base/" + each + "=ALL-UNNAMED"));
        return jvm.onlyClassPath(Stream.concat(rocksDb.stream(), classPath.stream()).toList())
                .launchNamed(main, arguments);
    }

    private static String join(List<Path> entries) {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Waits for the end. Returns the lines that the program begins with {@code "> "}; libraries log to the same stream. */
    static List<String> lines(ChildJvm.Running running) throws IOException, InterruptedException {
        ChildJvm.Result result = running.await();
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(FAILURES.stream().filter(result.output()::contains)).as(result.output()).isEmpty();
        return result.output().lines().filter(line -> line.startsWith("> ")).toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
