package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The modules as they are packaged, on the module path: only dev.outcrop.memory needs native access, and nothing but the API is
 * exported. Runs after packaging, because the descriptors are not there before.
 */
class ModulePathIT {
    @TempDir
    private Path directory;

    private static final String PROGRAM = """
            import dev.outcrop.rocksdb.*;
            import java.nio.file.Path;

            class Program {
                public static void main(String[] arguments) {
                    try (RocksDB db = RocksDB.open(Path.of(arguments[0]), new Options().createIfMissing(true))) {
                        db.put("key".getBytes(), "value".getBytes());
                        System.out.println(RocksDB.class.getModule() + " has " + new String(db.get("key".getBytes())));
                    }
                }
            }
            """;

    private static ChildJvm modular() {
        return modular("").option("-cp").option(ClassPath.nativesJar().toString());
    }

    private static ChildJvm modular(String moreModules) {
        return ChildJvm.bare().option("--module-path")
                .option(ClassPath.placeOf(NativeLibraries.class) + File.pathSeparator + ClassPath.placeOf(CApi.class)
                        + File.pathSeparator + ClassPath.placeOf(RocksDB.class) + moreModules)
                .option("--add-modules").option("dev.outcrop.rocksdb").option("--illegal-native-access=deny");
    }

    @Test
    void oneModuleNeedsNativeAccess() throws IOException, InterruptedException {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        ChildJvm.Result result = modular().option("--enable-native-access=dev.outcrop.memory").runJava(program,
                directory.resolve("db"));

        assertThat(result.output()).contains("module dev.outcrop.rocksdb has value");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void withoutItTheFlagNamesThatModule() throws IOException, InterruptedException {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        ChildJvm.Result result = modular().runJava(program, directory.resolve("db"));

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output()).contains("--enable-native-access=dev.outcrop.memory");
    }

    @Test
    void theLibraryOnTheModulePathMustBeAddedByName() throws IOException, InterruptedException {
        Path program = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        String natives = File.pathSeparator + ClassPath.nativesJar();
        String access = "--enable-native-access=dev.outcrop.memory";

        ChildJvm.Result result = modular(natives).option(access).runJava(program, directory.resolve("db"));

        assertThat(result.exitCode()).isNotZero();
        Matcher flag = Pattern.compile("start java with (--add-modules) (dev\\.outcrop\\.natives\\.\\w+) as well")
                .matcher(result.output());
        assertThat(flag.find()).as(result.output()).isTrue();

        result = modular(natives).option(access).option(flag.group(1)).option(flag.group(2)).runJava(program,
                directory.resolve("db"));

        assertThat(result.output()).contains("module dev.outcrop.rocksdb has value");
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void theBindingIsNotExported() throws IOException, InterruptedException {
        Path program = Files.writeString(directory.resolve("Program.java"),
                "class Program { public static void main(String[] a) { dev.outcrop.rocksdb.engine.capi.CApi.rocksdb_options_create(); } }");
        ChildJvm.Result result = modular().option("--enable-native-access=dev.outcrop.memory").runJava(program);

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output()).contains("dev.outcrop.rocksdb.engine.capi", "not");
    }
}
