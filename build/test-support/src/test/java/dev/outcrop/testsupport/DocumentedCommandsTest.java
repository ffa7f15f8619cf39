package dev.outcrop.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The modules in the documents' Maven commands are folders of the checkout. */
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern MODULES = Pattern.compile("\\bmvnw? [^`\n]*-pl ([^ `\n]+)");

    @Test
    void modulesAreThere() throws IOException {
        List<String> modules = documents().stream().flatMap(document -> MODULES.matcher(read(document)).results())
                .map((MatchResult command) -> command.group(1)).flatMap(list -> Stream.of(list.split(","))).toList();

        assertThat(modules).hasSizeGreaterThan(10)
                .allSatisfy(module -> assertThat(ROOT.resolve(module).resolve("pom.xml")).exists());
    }

    /** Without the folders that other modules build into meanwhile. */
    private static List<Path> documents() throws IOException {
        try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
            return Stream
                    .concat(Stream.of("README.md", "CONTRIBUTING.md", "examples/README.md", "build/codegen/README.md")
                            .map(ROOT::resolve), pages.filter(page -> page.toString().endsWith(".md")))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(file.toString(), e);
        }
    }
}
