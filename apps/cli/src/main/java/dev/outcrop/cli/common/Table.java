package dev.outcrop.cli.common;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Tables for people: names are left-aligned, and numbers are right-aligned. */
public final class Table {
    private static final int TITLE_WIDTH = 12;

    private Table() {
    }

    public static <T> ColumnData<T> names(String header, Function<T, @Nullable String> value) {
        return new Column().header(header).dataAlign(HorizontalAlign.LEFT).with(value);
    }

    public static <T> ColumnData<T> numbers(String header, ToLongFunction<T> value) {
        return formatted(header, row -> number(value.applyAsLong(row)));
    }

    /** A column of formatted numbers. */
    public static <T> ColumnData<T> formatted(String header, Function<T, @Nullable String> value) {
        return new Column().header(header).headerAlign(HorizontalAlign.RIGHT).dataAlign(HorizontalAlign.RIGHT)
                .with(value);
    }

    public static <T> String of(List<T> rows, List<ColumnData<T>> columns) {
        return AsciiTable.builder().border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS).data(rows, columns).asString();
    }

    public static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Prints a title and a value in columns. */
    public static void line(PrintWriter out, String title, String value) {
        out.println(title + " ".repeat(TITLE_WIDTH - title.length()) + value);
    }
}
