package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import dev.outcrop.testsupport.TestSize;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Without native access or without the library, each first call fails with one clear exception, every time. */
@Tag("verify")
class NativeAccessTest {
    @TempDir
    private Path directory;

    private static final List<String> CALLS = List.of("options", "read options", "write options", "open",
            "open with options", "open for reading");

    /** Makes the calls that the other arguments name, twice. */
    static final class FirstCall {
        private FirstCall() {
        }

        static void main(String[] arguments) {
            Path path = Path.of(arguments[0]);
            Map<String, Callable<?>> calls = Map.of("options", Options::new, "read options", ReadOptions::new,
                    "write options", WriteOptions::new, "open", () -> RocksDB.open(path), "open with options",
                    () -> RocksDB.open(path, new Options()), "open for reading",
                    () -> RocksDB.openReadOnly(path, new Options()));
            for (int i = 2; i < 2 * arguments.length; i++) {
                try {
                    System.out.println("worked: " + Objects.requireNonNull(calls.get(arguments[i / 2])).call());
                } catch (Throwable e) {
                    System.out.println("thrown: " + e.getClass().getName() + ": "
                            + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                            + (e.getCause() == null ? "" : " caused by " + e.getCause()));
                }
            }
        }
    }

    /** All calls in one process, of which a random one comes first; in the nightly run each is the first of one. */
    static Stream<List<String>> calls() {
        List<String> shuffled = new ArrayList<>(CALLS);
        Collections.shuffle(shuffled, new Random(TestSize.seed(NativeAccessTest.class)));
        return TestSize.isNightly() ? CALLS.stream().map(List::of) : Stream.of(shuffled);
    }

    private Object[] arguments(List<String> calls) {
        List<Object> arguments = new ArrayList<>(List.of(directory.resolve("db")));
        arguments.addAll(calls);
        return arguments.toArray();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void withoutNativeAccessTheFlagIsNamed(List<String> calls) throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.bare().option("--illegal-native-access=deny").run(FirstCall.class,
                arguments(calls));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).hasSize(2 * calls.size())
                .allMatch(line -> line.startsWith("thrown: java.lang.IllegalStateException: ")
                        && line.contains("--enable-native-access=ALL-UNNAMED") && !line.contains("caused by"));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void withoutTheLibraryTheDependencyIsNamed(List<String> calls) throws IOException, InterruptedException {
        String classPath = ClassPath.entries().stream().filter(entry -> !entry.equals(ClassPath.nativesJar()))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        ChildJvm.Result result = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-cp")
                .option(classPath).runJava(Stream.concat(Stream.of(FirstCall.class.getName()),
                        Stream.of(arguments(calls))).toArray());

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).hasSize(2 * calls.size())
                .allMatch(line -> line.startsWith("thrown: java.lang.UnsatisfiedLinkError: No ")
                        && !line.contains("caused by"));
    }
}
