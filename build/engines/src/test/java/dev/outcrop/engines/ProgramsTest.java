package dev.outcrop.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Zeebe's database, Infinispan's store and Spark's state hold the same on our {@code org.rocksdb} as on the published one. Maven finds their
 * jars, which would not go together in one class path: each program is a project of its own, in {@code src/test/engines}.
 */
@Tag("nightly")
class ProgramsTest {
    private static final String OURS = ".*outcrop-(rocksdbjni|rocksdb-engine|memory|rocksdb-natives)-\\d[^/]*\\.jar"
            + "|.*/(rocksdbjni|rocksdb-engine|memory)/target/classes";
    private static final List<Path> PUBLISHED = List.of(Path.of(System.getProperty("published.jar")));

    @TempDir
    Path directory;

    @Test
    void zeebesDatabase() throws Exception {
        assertSame("zeebe", "ZeebeProgram", 10);
    }

    @Test
    void infinispansSegmentedStore() throws Exception {
        assertSame("infinispan", "InfinispanProgram", 4);
    }

    @Test
    void sparksState() throws Exception {
        List<Path> jars = jars("spark");
        for (boolean changelog : new boolean[]{false, true}) {
            assertThat(run("spark", "SparkProgram", ours(), jars, "ours-" + changelog, changelog)).hasSize(84)
                    .isEqualTo(run("spark", "SparkProgram", PUBLISHED, jars, "published-" + changelog, changelog));
        }
    }

    /** Each then reads what the other has written. */
    private void assertSame(String project, String program, int lines) throws IOException, InterruptedException {
        List<Path> jars = jars(project);
        assertThat(run(project, program, ours(), jars, "a")).hasSize(lines)
                .isEqualTo(run(project, program, PUBLISHED, jars, "b"));
        assertThat(run(project, program, ours(), jars, "b")).isNotEmpty()
                .isEqualTo(run(project, program, PUBLISHED, jars, "a"));
    }

    private static List<Path> ours() {
        List<Path> ours = ClassPath.entries().stream().filter(entry -> entry.toString().matches(OURS)).toList();
        assertThat(ours).hasSizeGreaterThanOrEqualTo(4);
        return ours;
    }

    /** Returns the lines that the program begins with {@code "> "}; libraries log to the same stream. */
    private List<String> run(String project, String program, List<Path> rocksDb, List<Path> jars, String name,
            Object... arguments) throws IOException, InterruptedException {
        ChildJvm jvm = ChildJvm.shortLived().option("-Xmx1g");
        // Spark does not start without these.
        Stream.of("java.lang", "java.lang.invoke", "java.io", "java.net", "java.nio", "java.util",
                "java.util.concurrent",
                "java.util.concurrent.atomic", "sun.nio.ch", "sun.util.calendar",
                "jdk.internal.ref").forEach(
                        each -> jvm.option("--add-opens=java.base/" + each + "=ALL-UNNAMED"));
        String classPath = String.join(File.pathSeparator,
                Stream.concat(rocksDb.stream(), jars.stream()).map(Path::toString).toList());
        Object[] command = Stream.concat(Stream.of("-cp", classPath, source(project).resolve(program + ".java"),
                directory.resolve(name)), Stream.of(arguments)).toArray();
        ChildJvm.Result result = jvm.runJava(command);
        assertThat(result.exitCode()).as(result.output()).isZero();
        return result.output().lines().filter(line -> line.startsWith("> ")).toList();
    }

    private static Path source(String project) {
        return Path.of("src", "test", "engines", project).toAbsolutePath();
    }

    private List<Path> jars(String project) throws IOException, InterruptedException {
        Path found = directory.resolve("class-path.txt");
        Path log = directory.resolve("maven.txt");
        Process maven = new ProcessBuilder(Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(), "-B",
                "-q",
                "-f", source(project).resolve("pom.xml").toString(),
                "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
                "-Dmdep.outputFile=" + found).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        assertThat(ChildJvm.awaitEnd(maven)).isTrue();
        assertThat(maven.exitValue()).as(() -> read(log)).isZero();
        return Stream.of(Files.readString(found).strip().split(File.pathSeparator)).map(Path::of).toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
