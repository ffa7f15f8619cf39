package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents show is what {@link TutorialTest} runs. */
class DocumentsTest {
    private static final Pattern PART = Pattern.compile("// tag::(\\w+)\\[]\n(.*?)\n *// end::\\1\\[]", Pattern.DOTALL);

    @Test
    void showTheTutorial() throws IOException {
        String tutorial = Files.readString(Path.of("src/test/java/dev/outcrop/queue/TutorialTest.java"));
        String guide = Files.readString(Path.of("../docs/queue.md"));

        assertThat(PART.matcher(tutorial).results()).hasSizeGreaterThan(5).allSatisfy(part -> assertThat(guide)
                .as(part.group(1)).contains(shown(part)));
        assertThat(Files.readString(Path.of("../README.md"))).contains(
                PART.matcher(tutorial).results().filter(part -> part.group(1).equals("readme"))
                        .map(DocumentsTest::shown)
                        .findFirst().orElseThrow());
    }

    private static String shown(MatchResult part) {
        return "```java\n" + part.group(2).stripIndent() + "\n```";
    }
}
