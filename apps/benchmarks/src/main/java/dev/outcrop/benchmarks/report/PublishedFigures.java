package dev.outcrop.benchmarks.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The figures that others have published, measured on their machines. */
final class PublishedFigures {
    private PublishedFigures() {
    }

    /**
     * A figure.
     *
     * @param source where the figure is from; the head of the file says more
     * @param form   the form, as the source calls it
     * @param shape  the conditions, if they differ within the source
     * @param size   the size of a value, in bytes
     * @param value  the figure; more is better
     */
    record Published(String source, String form, String shape, int size, double value) {
    }

    /** Returns the figures of a source, in the order of the source. */
    static List<Published> of(String source) {
        List<Published> figures = new ArrayList<>();
        for (List<String> line : lines("published.tsv")) {
            if (line.getFirst().equals(source)) {
                figures.add(new Published(source, line.get(1), line.get(2), Integer.parseInt(line.get(3)),
                        Double.parseDouble(line.get(4))));
            }
        }
        return figures;
    }

    /** Returns the fields of each line of a table that is stored beside this class, without comments and the head. */
    static List<List<String>> lines(String name) {
        try (InputStream file = Objects.requireNonNull(PublishedFigures.class.getResourceAsStream(name), name);
                BufferedReader reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).skip(1)
                    .map(line -> List.of(line.split("\t", -1))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
