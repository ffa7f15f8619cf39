import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Prints the slowest test classes of a build, so that a slow one is seen when it is added. The last module of the build runs it:
 * {@code java build/tools/SlowestTests.java ROOT START} reads the reports that Surefire and Failsafe wrote below a directory since a time.
 */
public final class SlowestTests {
    private static final Pattern SUITE = Pattern.compile("<testsuite [^>]*? name=\"([^\"]+)\" time=\"([^\"]+)\"");
    private static final int SHOWN = 20;
    private static final double LIMIT = 20;

    private SlowestTests() {
    }

    public static void main(String[] args) throws IOException {
        Instant start = Instant.parse(args[1]);
        Map<String, Double> seconds = new TreeMap<>();
        try (Stream<Path> files = Files.find(Path.of(args[0]), 5, (file, attributes) -> file.getFileName().toString()
                .matches("TEST-.*\\.xml") && attributes.lastModifiedTime().toInstant().isAfter(start))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher suite = SUITE.matcher(Files.readString(file));
                if (suite.find()) {
                    seconds.merge(suite.group(1), Double.parseDouble(suite.group(2).replace(",", "")), Double::sum);
                }
            }
        }
        List<Map.Entry<String, Double>> slowest = seconds.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed()).limit(SHOWN).toList();
        System.out.printf("The slowest of %d test classes, in seconds:%n", seconds.size());
        slowest.forEach(one -> System.out.printf("%7.1f  %s%s%n", one.getValue(), one.getKey(),
                one.getValue() > LIMIT ? "  (over " + Math.round(LIMIT) + " s)" : ""));
    }
}
