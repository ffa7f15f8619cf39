package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where native code may not be called, or the library is missing, each first call fails with one clear exception, every time. */
class NativeAccessTest {
    @TempDir
    private Path directory;

    /** Makes the call that the first argument names, twice. */
    static final class FirstCall {
        private FirstCall() {
        }

        static void main(String[] arguments) {
            Path path = Path.of(arguments[1]);
            Map<String, Callable<?>> calls = Map.of("options", Options::new, "read options", ReadOptions::new,
                    "write options", WriteOptions::new, "open", () -> RocksDB.open(path), "open with options",
                    () -> RocksDB.open(path, new Options()), "open for reading",
                    () -> RocksDB.openReadOnly(path, new Options()));
            for (int i = 0; i < 2; i++) {
                try {
                    System.out.println("worked: " + Objects.requireNonNull(calls.get(arguments[0])).call());
                } catch (Throwable e) {
                    System.out.println(
                            "thrown: " + e.getClass().getName() + ": "
                                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
                                    + (e.getCause() == null ? "" : " caused by " + e.getCause()));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"options", "read options", "write options", "open", "open with options",
            "open for reading"})
    void withoutNativeAccessTheFlagIsNamed(String call) throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.bare().option("--illegal-native-access=deny").run(FirstCall.class, call,
                directory.resolve("db"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).hasSize(2)
                .allMatch(line -> line.startsWith("thrown: java.lang.IllegalStateException: ")
                        && line.contains("--enable-native-access=ALL-UNNAMED") && !line.contains("caused by"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"options", "read options", "write options", "open", "open with options",
            "open for reading"})
    void withoutTheLibraryTheDependencyIsNamed(String call) throws IOException, InterruptedException {
        String classPath = ClassPath.entries().stream().filter(entry -> !entry.equals(ClassPath.nativesJar()))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
        ChildJvm.Result result = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-cp")
                .option(classPath).runJava(FirstCall.class.getName(), call, directory.resolve("db"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).hasSize(2)
                .allMatch(line -> line.startsWith("thrown: java.lang.UnsatisfiedLinkError: No ")
                        && !line.contains("caused by"));
    }
}
