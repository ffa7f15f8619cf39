package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The page of results that were recorded. */
@Tag("verify")
class ReportPageTest extends RecordedReport {
    @Test
    void thePageIsWholeAndNeedsNothingElse() throws IOException, SAXException, ParserConfigurationException {
        String html = page();

        Document page = parse(html);
        assertThat(html).doesNotContain("://", "<script", "@import", "NaN", "Infinity", "null");
        for (String attribute : List.of("src", "href", "fill", "xlink:href")) {
            assertThat(attributes(page, attribute))
                    .allMatch(value -> value.startsWith("#") || value.startsWith("url(#"));
        }
        List<String> ids = attributes(page, "id");
        assertThat(ids).doesNotHaveDuplicates().contains("means", "losses", "s1", "s15");
        assertThat(attributes(page, "href")).hasSize(15).allMatch(value -> ids.contains(value.substring(1)));
        assertThat(attributes(page, "fill")).allMatch(value -> ids.contains(value.substring(5, value.length() - 1)));
        for (String fact : List.of("processor", "JDK", "engine", "flags", "commit", "load before the cases")) {
            assertThat(html).contains("<dt>" + fact + "</dt>");
        }
    }

    @Test
    void sectionsBeginWithAPlotAndFoldTheirTables() throws IOException, SAXException, ParserConfigurationException {
        Document page = parse(page());

        NodeList sections = page.getElementsByTagName("section");
        assertThat(sections.getLength()).isEqualTo(18);
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < sections.getLength(); i++) {
            Element section = (Element) sections.item(i);
            if (section.getElementsByTagName("svg").getLength() == 1) {
                drawn.add(section.getAttribute("id"));
                Element second = children(section).get(1);
                assertThat(second.getTagName()).isEqualTo("svg");
                assertThat(second.getElementsByTagName("path").getLength()).isPositive();
            }
            if (section.getAttribute("id").startsWith("s")) {
                assertThat(section.getElementsByTagName("details").getLength())
                        .isEqualTo(section.getElementsByTagName("table").getLength());
            }
        }
        assertThat(drawn).contains("means", "s1", "s2", "s5", "s6", "s7", "s11");
        assertThat(page()).contains("This report has no line about it.");
    }

    @Test
    void thePublishedFigureStandsBesideOurs() throws IOException {
        String line = page().lines().filter(each -> each.startsWith("<tr><td>ffiGetPinnableSlice</td><td>100,000</td>"))
                .findFirst().orElseThrow();

        // 69,277.791 operations a second, and 90,174.327 of preallocatedGet.
        assertThat(line).contains("<td>4,096 B</td><td>69,278</td><td>0.77</td>");
    }

    @Test
    void aLineWithAWideIntervalIsMarkedAndLeftOutOfMeans() throws IOException {
        rows().forEach(row -> row.put("ratioError", 0.076));
        assertThat(page()).contains("± 8 % ?").containsPattern("<td>calls, against the JDK's own way</td><td>–</td>");
        rows().forEach(row -> row.put("ratioError", 0.074));
        assertThat(page()).doesNotContain("± 7 % ?")
                .containsPattern("<td>calls, against the JDK's own way</td><td>\\d+\\.\\d\\d</td>");
    }

    @Test
    void aLossHasItsReasonOrSaysThatItHasNone() throws IOException {
        Map<String, Object> first = rows().getFirst();
        first.put("peer", number(first, "ours") / 2);
        first.put("ratioError", 0.01);
        assertThat(page()).contains("not explained yet");
        first.put("suite", "queue");
        first.put("label", "append, 1 KB, prepared");
        first.put("peerName", "JDK mapped segment");
        assertThat(page()).contains("a bare file has no checksums, groups or acknowledgements");
        first.put("suite", "dropin");
        first.put("label", "get, 64 KB");
        first.put("peerName", "rocksdbjni");
        assertThat(page()).contains("filling a new array takes longer than all the rest");
    }

    @Test
    void theFirstPlotIsAFileOfItsOwn() throws IOException, SAXException, ParserConfigurationException {
        String html = page();
        String picture = Files.readString(directory.resolve("report/report.svg"));

        Element plot = parse(picture).getDocumentElement();
        assertThat(plot.getTagName()).isEqualTo("svg");
        assertThat(picture.substring(picture.lastIndexOf("<rect width")).replaceFirst("<rect[^>]*>", ""))
                .isEqualTo(html.substring(html.indexOf(">", html.indexOf("<svg class=\"plot\"")) + 1,
                        html.indexOf("</svg>", html.indexOf("<svg class=\"plot\"")) + 7));
        assertThat(picture).doesNotContain("NaN", "href", "Infinity");
    }

    @Test
    void theTextHasThePartThatOtherDocumentsInclude() throws IOException {
        page();

        assertThat(Files.readString(directory.resolve("report/report.md")))
                .containsPattern("<!-- tag::highlights -->\n\\| what \\|[^\n]*\n\\|(---\\|)+\n"
                        + "(\\|[^\n]*\n)*\\| read one value of 64 KB, pinned \\| rocksdbjni \\| \\d\\.\\d\\d[^\n]*\n(\\|[^\n]*\n)*<!-- end::highlights -->");
    }

    /** Draws the page by the command, which finds that all cases are finished. */
    private String page() throws IOException {
        assertThat(run(finished(directory.resolve("report")))).as(err.toString()).isZero();
        assertThat(out.toString()).containsPattern("All \\d+ cases are finished; the pages are written again");
        return Files.readString(directory.resolve("report").resolve("report.html"));
    }

    private static Document parse(String html) throws IOException, SAXException, ParserConfigurationException {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(html)));
    }

    private static List<Element> children(Element element) {
        List<Element> children = new ArrayList<>();
        for (int i = 0; i < element.getChildNodes().getLength(); i++) {
            if (element.getChildNodes().item(i) instanceof Element child) {
                children.add(child);
            }
        }
        return children;
    }

    private static List<String> attributes(Document page, String name) {
        List<String> values = new ArrayList<>();
        NodeList all = page.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (element.hasAttribute(name)) {
                values.add(element.getAttribute(name));
            }
        }
        return values;
    }
}
