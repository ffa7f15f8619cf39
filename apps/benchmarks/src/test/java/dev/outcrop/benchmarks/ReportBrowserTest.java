package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page in a real browser, without network: on a telephone and on a desk, in light and dark, and on paper. */
@Tag("nightly")
class ReportBrowserTest extends RecordedReport {
    private static final int TELEPHONE = 400;
    private static final int DESK = 1400;
    /** A4 without margins. */
    private static final int PAPER = 718;
    private static final List<String> SCHEMES = List.of("light", "dark");

    @Test
    void looksRightAtEachWidthInLightAndDarkAndOnPaper() throws Exception {
        Optional<Path> program = Browser.find();
        assumeTrue(program.isPresent(), "there is no chromium, google-chrome or chrome on the PATH");
        Path pictures = Files.createDirectories(Path.of("target", "report-pictures"));
        String check = check();
        List<String> wrong = new ArrayList<>();
        try (Browser browser = new Browser(program.orElseThrow(),
                Files.createDirectory(directory.resolve("profile")))) {
            for (Map.Entry<String, Path> page : pages().entrySet()) {
                for (int width : List.of(TELEPHONE, DESK)) {
                    for (String scheme : SCHEMES) {
                        browser.show(page.getValue(), width, scheme, "screen");
                        String name = page.getKey() + '-' + width + '-' + scheme;
                        wrong.addAll(problems(browser, name, check));
                        browser.picture(pictures.resolve(name + ".png"));
                        browser.evaluate(
                                "document.querySelectorAll('details').forEach(each => each.open = true); true");
                        wrong.addAll(problems(browser, name + ", with all tables", check));
                    }
                }
                browser.show(page.getValue(), PAPER, "light", "print");
                wrong.addAll(problems(browser, page.getKey() + ", printed", check));
                browser.picture(pictures.resolve(page.getKey() + "-print.png"));
                Path pdf = Files.write(pictures.resolve(page.getKey() + ".pdf"), browser.pdf());
                assertThat(Files.readString(pdf, StandardCharsets.ISO_8859_1)).startsWith("%PDF-").contains("/Page");
            }
            assertThat(browser.errors()).isEmpty();
        }
        assertThat(wrong).isEmpty();
    }

    /** The recorded report, and the one of the repository if it is there. */
    private Map<String, Path> pages() throws IOException {
        Map<String, Path> pages = new LinkedHashMap<>();
        assertThat(run(finished(directory.resolve("report")))).as(err.toString()).isZero();
        pages.put("recorded", directory.resolve("report").resolve("report.html"));
        Path published = Path.of("..", "..", "docs", "report.html").toAbsolutePath().normalize();
        if (Files.exists(published)) {
            pages.put("published", published);
        }
        return pages;
    }

    private static List<String> problems(Browser browser, String where, String check) {
        List<String> problems = new ArrayList<>();
        ((List<?>) browser.evaluate(check)).forEach(problem -> problems.add(where + ": " + problem));
        return problems;
    }

    private String check() throws IOException {
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("page-check.js"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
