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

/** The index of {@code docs} links to each page. */
class DocumentsIndexTest {
    private static final Path DOCUMENTS = Path.of("../../docs");
    private static final Pattern ENTRY = Pattern.compile("^- \\[[^]]+]\\(([^)#]+)\\): \\S.*\\.$", Pattern.MULTILINE);

    @Test
    void indexHasALineForEachPage() throws IOException {
        List<String> linked = ENTRY.matcher(Files.readString(DOCUMENTS.resolve("index.md"))).results()
                .map((MatchResult entry) -> entry.group(1)).toList();

        assertThat(linked).doesNotHaveDuplicates().allSatisfy(page -> assertThat(DOCUMENTS.resolve(page)).exists());
        try (Stream<Path> pages = Files.list(DOCUMENTS)) {
            assertThat(linked).containsAll(pages.map(page -> page.getFileName().toString())
                    .filter(name -> name.endsWith(".md") && !name.equals("index.md")).toList());
        }
        assertThat(linked).contains("decisions/README.md");
    }
}
