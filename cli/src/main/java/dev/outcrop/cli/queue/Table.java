package dev.outcrop.cli.queue;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A table for people: names on the left, and numbers. */
final class Table {
    private Table() {
    }

    static <T> ColumnData<T> names(String header, Function<T, String> value) {
        return new Column().header(header).dataAlign(HorizontalAlign.LEFT).with(row -> value.apply(row));
    }

    static <T> ColumnData<T> numbers(String header, ToLongFunction<T> value) {
        return new Column().header(header).headerAlign(HorizontalAlign.RIGHT).dataAlign(HorizontalAlign.RIGHT)
                .with(row -> number(value.applyAsLong(row)));
    }

    static <T> String of(List<T> rows, List<ColumnData<T>> columns) {
        return AsciiTable.builder().border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS).data(rows, columns).asString();
    }

    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
