package examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each example runs in a JVM of its own, which starts fast, says what it does, and ends with exit code 0. */
class ExamplesTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    static List<String> examples() throws IOException {
        try (Stream<Path> sources = Files.list(Path.of("src/main/java/examples"))) {
            return sources.map(source -> source.getFileName().toString().replace(".java", ""))
                    .filter(name -> !name.equals("Example")) // what they share
                    .sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void runs(String example) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(JAVA.toString(), "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-classpath",
                System.getProperty("java.class.path"),
                "examples." + example).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertEquals(0, process.waitFor(), example + " has printed:\n" + output);
        assertFalse(output.isBlank(), example + " says what it does");
        System.out.println(example + ":\n" + output);
    }
}
