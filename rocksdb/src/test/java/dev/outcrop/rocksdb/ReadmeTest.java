package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the documents show is what {@link TutorialTest} runs. */
class ReadmeTest {
    @ParameterizedTest
    @CsvSource({"readme, README.md", "send, docs/zero-copy.md", "share, docs/zero-copy.md"})
    void showsAPartOfTheTutorial(String part, String document) throws IOException {
        String tutorial = Files.readString(Path.of("src/test/java/dev/outcrop/rocksdb/TutorialTest.java"));
        int from = tutorial.indexOf('\n', tutorial.indexOf("// tag::" + part + "[]")) + 1;
        int to = tutorial.lastIndexOf('\n', tutorial.indexOf("// end::" + part + "[]")) + 1;
        // Without the last line end: what follows it would count as a line without indentation.
        String snippet = tutorial.substring(from, to - 1).stripIndent() + "\n";

        assertThat(snippet.lines()).hasSizeBetween(8, 16);
        assertThat(Files.readString(Path.of("..", document))).contains("```java\n" + snippet + "```");
    }
}
