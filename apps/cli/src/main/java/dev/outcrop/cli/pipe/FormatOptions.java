package dev.outcrop.cli.pipe;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the format of an input. */
final class FormatOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** The formats, by their names on the command line. */
    private enum Format {
        lines,
        csv,
        json
    }

    @Option(names = "--format", paramLabel = "FORMAT", description = "lines, csv or json. Default: by the file's name.")
    private @Nullable Format format;

    @Option(names = "--key", paramLabel = "KEY", description = {"A column's name or number (default: 1), a field as",
            "a.b, or a regular expression. Lines: else up to a tab."})
    private @Nullable String key;

    @Option(names = "--value", paramLabel = "VALUE", description = "The same of the value. Default: the whole record.")
    private @Nullable String value;

    @Option(names = "--separator", paramLabel = "CHAR", description = "Between columns. Default: a comma; \\t is a tab.")
    private @Nullable String separator;

    @Option(names = "--no-header", description = "The first record of CSV does not name the columns.")
    private boolean noHeader;

    /** Refuses options that contradict each other, before any input is opened. */
    void require(List<Path> files) {
        boolean isCsv = false;
        for (Path file : files) {
            isCsv |= of(file) == Format.csv;
            RecordFormat _ = create(file);
        }
        if (files.isEmpty()) {
            isCsv = of(null) == Format.csv;
            RecordFormat _ = create(null);
        }
        require(isCsv || (separator == null && !noHeader), "--separator and --no-header are for --format csv");
    }

    /** Returns the format of a file, or of the standard input. */
    RecordFormat create(@Nullable Path file) {
        return switch (of(file)) {
            case lines -> {
                require(key != null || value == null, "--value needs --key for lines");
                yield new LineFormat(expression("--key", key), expression("--value", value));
            }
            case csv -> {
                require(!noHeader || (isNumber(key) && isNumber(value)),
                        "with --no-header, columns are numbers from 1 on");
                yield new CsvFormat(separator(), !noHeader, key, value);
            }
            case json -> {
                String field = key;
                if (field == null) {
                    throw wrong("--format json needs --key FIELD");
                }
                yield new JsonFormat(field, value);
            }
        };
    }

    private Format of(@Nullable Path file) {
        Format given = format;
        if (given != null) {
            return given;
        }
        String name = file == null ? "" : file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".csv")
                ? Format.csv
                : name.endsWith(".json") || name.endsWith(".jsonl") || name.endsWith(".ndjson")
                        ? Format.json
                        : Format.lines;
    }

    private static boolean isNumber(@Nullable String column) {
        return column == null || CsvFormat.isNumber(column);
    }

    private @Nullable Pattern expression(String option, @Nullable String expression) {
        try {
            return expression == null ? null : Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw wrong(option + ": '" + expression + "' is not a regular expression: " + e.getDescription());
        }
    }

    private char separator() {
        String given = separator == null ? "," : separator.equals("\\t") ? "\t" : separator;
        require(given.length() == 1 && given.charAt(0) < 0x80 && "\"\r\n".indexOf(given.charAt(0)) < 0,
                "--separator must be one ASCII character other than a quotation mark, not '" + separator + "'");
        return given.charAt(0);
    }

    private void require(boolean isRight, String problem) {
        if (!isRight) {
            throw wrong(problem);
        }
    }

    private ParameterException wrong(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
