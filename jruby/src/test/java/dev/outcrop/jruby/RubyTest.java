package dev.outcrop.jruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.StartArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;
import org.jruby.main.Main;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every src/test/ruby/*_test.rb in one JRuby; -Druby.tests=NAME runs those whose name contains NAME. Those that start others start
 * them with what {@code ruby.start.options} says, one in each line.
 */
class RubyTest {
    private static final Path TESTS = Path.of("src/test/ruby").toAbsolutePath();

    private static final String TRAINING = """
            require "outcrop"
            queue = Outcrop::Queue.new(ARGV.first)
            queue << "item"
            queue.pop
            queue.shutdown
            """;

    private static ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETHREAD);

    @BeforeAll
    static void start(@TempDir Path jars) throws IOException, InterruptedException {
        String library = Path.of("src/main/ruby/lib").toAbsolutePath().toString();
        System.setProperty("ruby.start.options",
                String.join("\n", new StartArchive(jars, Main.class, "--disable-gems", "-I", library, "-e",
                        TRAINING, jars.resolve("queue")).options()));
        ruby.setLoadPaths(List.of(library));
        ruby.runScriptlet("load '" + TESTS.resolve("runner.rb") + "'");
    }

    @AfterAll
    static void stop() {
        ruby.terminate();
    }

    @TestFactory
    List<DynamicTest> files() throws IOException {
        try (Stream<Path> files = Files.list(TESTS)) {
            return files.filter(file -> file.toString().endsWith("_test.rb"))
                    .filter(file -> file.toString().contains(System.getProperty("ruby.tests", "")))
                    .sorted()
                    .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> run(file)))
                    .toList();
        }
    }

    private static void run(Path file) {
        assertThat(ruby.runScriptlet("run_test_file('" + file + "')"))
                .as("whether all tests of " + file + " pass; what fails is printed above")
                .isEqualTo(true);
    }
}
