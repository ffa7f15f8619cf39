package dev.outcrop.jruby;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Runs every src/test/ruby/*_test.rb in one JRuby; -Druby.tests=NAME runs those with NAME in their names. */
@Tag("verify")
class RubyTest {
    private static final Path TESTS = Path.of("src/test/ruby").toAbsolutePath();

    private static ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETHREAD);

    @BeforeAll
    static void start() {
        ruby.setLoadPaths(List.of(Path.of("src/main/ruby/lib").toAbsolutePath().toString()));
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
