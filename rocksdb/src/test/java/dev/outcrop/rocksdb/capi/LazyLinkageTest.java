package dev.outcrop.rocksdb.capi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Linking all functions would cost every start some 0.4 s. */
class LazyLinkageTest {
    @TempDir
    private Path directory;

    /** Runs in a JVM of its own, because in this one other tests have linked functions. */
    public static final class OpenAndClose {
        private OpenAndClose() {
        }

        public static void main(String[] args) {
            System.out.println(Linkage.linked());
            try (Arena arena = Arena.ofConfined()) {
                new TestDatabase(Path.of(args[0]), arena).close();
            }
            System.out.println(Linkage.linked());
        }
    }

    @Test
    void openingADatabaseLinksOnlyWhatItCalls() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.contains("native-access") || argument.startsWith("-Doutcrop.")).toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OpenAndClose.class.getName(),
                directory.toString()));

        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        // Three objects with options made and freed, one option set, the database opened and closed.
        assertThat(output.lines()).containsExactly("0", "9");
    }
}
