package dev.outcrop.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM lists exactly the published modules. */
class BomTest {
    private static final Path ROOT = Path.of("../..");

    @Test
    void listsEachPublishedModuleAndThePlatformsOfTheNatives() throws IOException {
        List<String> published = new ArrayList<>();
        for (String module : found("<module>(.*)</module>", "pom.xml")) {
            String pom = module + "/pom.xml";
            boolean isLibrary = !module.equals("lib/bom")
                    && !Files.readString(ROOT.resolve(pom)).contains("<unpublished>true</unpublished>");
            if (isLibrary && module.equals("lib/natives")) {
                found("<classifier>(.*)</classifier>", pom)
                        .forEach(platform -> published.add("outcrop-rocksdb-natives " + platform));
            } else if (isLibrary) {
                published.add(found("(?s)</parent>\\s*<artifactId>(.*?)</artifactId>", pom).getFirst());
            }
        }

        assertThat(listed()).hasSizeGreaterThan(10).containsExactlyInAnyOrderElementsOf(published);
    }

    private static List<String> listed() throws IOException {
        return Pattern.compile("<artifactId>([^<]*)</artifactId>\\s*<version>\\$\\{project.version}</version>\\s*"
                + "(?:<classifier>(.*)</classifier>)?").matcher(Files.readString(ROOT.resolve("lib/bom/pom.xml")))
                .results()
                .map((MatchResult entry) -> entry.group(2) == null
                        ? entry.group(1)
                        : entry.group(1) + " " + entry.group(2))
                .toList();
    }

    private static List<String> found(String pattern, String file) throws IOException {
        return Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file))).results()
                .map(match -> match.group(1)).toList();
    }
}
