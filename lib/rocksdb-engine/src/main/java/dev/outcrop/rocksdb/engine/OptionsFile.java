package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the text file with all options of a database. RocksDB writes it each time it opens the database for writing. */
public final class OptionsFile {
    private static final Pattern FILE = Pattern.compile("OPTIONS-(\\d+)");
    private static final Pattern SECTION = Pattern.compile("([^ \\]]+)(?: \"(.*)\")?", Pattern.DOTALL);
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\..*");
    private static final int FIRST_WITH_SETTINGS = 7;
    private static final Pattern OPTION = Pattern.compile("\\s*([^=\\s]+)=(.*)");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)", Pattern.DOTALL);
    private static final Map<String, String> CONTROLS = Map.of("n", "\n", "r", "\r");

    private OptionsFile() {
    }

    /** Returns the sections by their headers. Each section has the values of options by their names. */
    public static Map<String, Map<String, String>> sections(Path path) throws IOException {
        Map<String, Map<String, String>> sections = new LinkedHashMap<>();
        Map<String, String> options = new LinkedHashMap<>();
        for (String line : lines(path)) {
            Matcher option = OPTION.matcher(line);
            if (line.startsWith("[") && line.endsWith("]")) {
                options = new LinkedHashMap<>();
                sections.put(unescaped(line.substring(1, line.length() - 1)), options);
            } else if (option.matches()) {
                options.put(option.group(1), option.group(2).strip());
            }
        }
        return sections;
    }

    /** Returns the options of each column family in the newest file, by the family's name and then by their own. */
    public static Map<String, Map<String, String>> ofFamilies(Path path) throws IOException {
        return sections(path, "CFOptions");
    }

    /** Returns the options of each column family's block-based tables, by the family's name. */
    public static Map<String, Map<String, String>> ofBlockBasedTables(Path path) throws IOException {
        return sections(path, "TableOptions/BlockBasedTable");
    }

    /** Returns the options of the database as a whole, by their names; empty if there is no such file, or it cannot be read. */
    public static Map<String, String> ofDatabaseIfAny(Path path) {
        try {
            return sections(path, "DBOptions").getOrDefault("", Map.of());
        } catch (IOException e) {
            return Map.of(); // As for families.
        }
    }

    /** Returns whether the settings of all objects are stored. Versions before 7 store them only for some objects. */
    public static boolean hasSettings(Map<String, Map<String, String>> sections) {
        Matcher version = VERSION
                .matcher(sections.getOrDefault("Version", Map.of()).getOrDefault("rocksdb_version", ""));
        return version.matches() && Integer.parseInt(version.group(1)) >= FIRST_WITH_SETTINGS;
    }

    /** Returns the options of all sections of a kind, by the names in their headers. */
    private static Map<String, Map<String, String>> sections(Path path, String kind) throws IOException {
        Map<String, Map<String, String>> ofKind = new LinkedHashMap<>();
        sections(path).forEach((header, options) -> {
            Matcher section = SECTION.matcher(header);
            if (section.matches() && section.group(1).equals(kind)) {
                ofKind.put(Objects.requireNonNullElse(section.group(2), ""), options);
            }
        });
        return ofKind;
    }

    /** Does the same as {@link #ofFamilies}, but returns an empty map if there is no such file, or it cannot be read. */
    public static Map<String, Map<String, String>> ofFamiliesIfAny(Path path) {
        try {
            return ofFamilies(path);
        } catch (IOException e) {
            // There is no database yet, or another process has just replaced the file, or it is unreadable.
            return Map.of();
        }
    }

    /** Returns the newest such file in a directory. */
    public static Optional<Path> newest(Path path) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> number(file) >= 0).max(Comparator.comparingLong(OptionsFile::number));
        }
    }

    private static List<String> lines(Path path) throws IOException {
        Optional<Path> newest = newest(path);
        while (newest.isPresent()) {
            try {
                return NativeText.string(Files.readAllBytes(newest.get())).lines().toList();
            } catch (NoSuchFileException e) {
                // An open database has replaced it.
                Optional<Path> next = newest(path);
                if (next.equals(newest)) {
                    throw e;
                }
                newest = next;
            }
        }
        return List.of();
    }

    private static long number(Path file) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        return name.matches() && name.group(1).length() <= 18 ? Long.parseLong(name.group(1)) : -1;
    }

    /** Removes the escapes of RocksDB from a text (EscapeOptionString in string_util.cc). */
    public static String unescaped(String text) {
        return ESCAPED.matcher(text).replaceAll(escaped -> Matcher
                .quoteReplacement(CONTROLS.getOrDefault(escaped.group(1), escaped.group(1))));
    }
}
