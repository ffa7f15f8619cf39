package dev.outcrop.engines.kafka;

import dev.outcrop.testsupport.ClassPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A large text: what lies in the jars of the class path as JSON, XML, properties, licences and notices, in lines of words. */
record Words(List<String> lines, Map<String, Long> counts, long total) {
    private static final Pattern TEXT = Pattern
            .compile(".*(\\.json|\\.txt|\\.md|\\.html|\\.xml|\\.properties|/LICENSE.*|/NOTICE.*)");
    private static final Pattern NOT_A_WORD = Pattern.compile("[^a-z0-9]+");

    /** One of so many lines, some times. */
    static Words ofTheClassPath(int times, int stride) {
        List<String> all = new ArrayList<>();
        List<Path> jars = ClassPath.entries().stream().filter(entry -> entry.toString().endsWith(".jar")).toList();
        for (int i = 0; i < times; i++) {
            jars.forEach(jar -> read(jar, all));
        }
        List<String> lines = IntStream.range(0, all.size()).filter(i -> i % stride == 0).mapToObj(all::get).toList();
        Map<String, Long> counts = new TreeMap<>();
        long total = 0;
        for (String line : lines) {
            for (String word : line.split(" ", -1)) {
                counts.merge(word, 1L, Long::sum);
                total++;
            }
        }
        return new Words(lines, counts, total);
    }

    private static void read(Path jar, List<String> lines) {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> texts = zip.stream().filter(entry -> TEXT.matcher(entry.getName()).matches())
                    .sorted(Comparator.comparing(ZipEntry::getName)).toList();
            for (ZipEntry text : texts) {
                String content = new String(zip.getInputStream(text).readAllBytes(), StandardCharsets.UTF_8);
                content.lines().map(line -> NOT_A_WORD.matcher(line.toLowerCase(Locale.ROOT)).replaceAll(" ").strip())
                        .filter(line -> !line.isEmpty()).forEach(lines::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
