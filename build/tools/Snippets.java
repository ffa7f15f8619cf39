import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Code in the documents is code that the build runs: below {@code <!-- include File.java#part -->} stands what is in that file between
 * {@code // tag::part[]} and {@code // end::part[]}. Figures in the documents are those of a report: a table of another document is included
 * in the same way, and stands there between {@code <!-- tag::part -->} and {@code <!-- end::part -->}.
 * {@code java build/tools/Snippets.java write}, in the root of the checkout, puts it there;
 * {@code check}, which the build does, fails where it is not, and where a tagged part is in no document.
 */
public final class Snippets {
    private static final Pattern INCLUDE = Pattern.compile(
            "<!-- include (\\S+)#(\\w+) -->\n(?:```java\n.*?```\n|(?:\\|[^\n]*\n)+)?",
            Pattern.DOTALL);
    private static final Pattern PART = Pattern.compile(" *// tag::(\\w+)\\[]\n(.*?)\n *// end::\\1\\[]",
            Pattern.DOTALL);

    private static final Pattern TABLE = Pattern.compile("<!-- tag::(\\w+) -->\n(.*?)\n<!-- end::\\1 -->",
            Pattern.DOTALL);

    private final Path root;
    private final List<String> problems = new ArrayList<>();
    /** The parts of each example, and of other sources that are in a document. */
    private final Map<String, Map<String, String>> sources = new TreeMap<>();
    private final Set<String> shown = new TreeSet<>();

    private Snippets(Path root) {
        this.root = root;
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 1 || !Set.of("check", "write").contains(args[0])) {
            System.err.println("Usage: java build/tools/Snippets.java check|write");
            System.exit(2);
        }
        Snippets snippets = new Snippets(Path.of(""));
        snippets.run(args[0].equals("write"));
        snippets.problems.forEach(System.err::println);
        System.exit(snippets.problems.isEmpty() ? 0 : 1);
    }

    private void run(boolean isWriting) throws IOException {
        try (Stream<Path> examples = Files.list(root.resolve("examples/src/main/java/examples"))) {
            examples.forEach(example -> sources.put(example.toString(), parts(example.toString())));
        }
        for (Path document : documents()) {
            String before = Files.readString(root.resolve(document));
            String after = INCLUDE.matcher(before)
                    .replaceAll(include -> Matcher.quoteReplacement(filled(document, include)));
            if (isWriting && !after.equals(before)) {
                Files.writeString(root.resolve(document), after);
                System.out.println("Wrote " + document);
            } else if (!after.equals(before)) {
                problems.add(
                        document + " does not show what the sources say. Run: java build/tools/Snippets.java write");
            }
        }
        sources.forEach((source, parts) -> parts.keySet().stream().map(part -> source + "#" + part)
                .filter(part -> !shown.contains(part))
                .forEach(part -> problems.add("No document includes " + part)));
    }

    private List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (String directory : List.of("", "docs", "examples")) {
            try (Stream<Path> files = Files.list(root.resolve(directory))) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
            }
        }
        return documents;
    }

    /** An include with its code; as it is if there is no such code. */
    private String filled(Path document, MatchResult include) {
        String source = include.group(1);
        String part = include.group(2);
        String code = sources.computeIfAbsent(source, this::parts).get(part);
        if (code == null) {
            problems.add(document + " includes " + source + "#" + part + ", which is not there");
            return include.group();
        }
        shown.add(source + "#" + part);
        return "<!-- include " + source + "#" + part + " -->\n"
                + (isDocument(source) ? code + "\n" : "```java\n" + code + "\n```\n");
    }

    private Map<String, String> parts(String source) {
        try {
            return (isDocument(source) ? TABLE : PART).matcher(Files.readString(root.resolve(source))).results()
                    .collect(Collectors.toMap(part -> part.group(1), part -> part.group(2).stripIndent()));
        } catch (IOException e) {
            return Map.of(); // The include says so.
        }
    }

    private static boolean isDocument(String source) {
        return source.endsWith(".md");
    }
}
