package dev.outcrop.cli.pipe;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.pipe.RecordFormat.BadRecordException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records of CSV, with columns by name or number. Text has one character for each byte here, so that all bytes are kept. */
final class CsvFormat implements RecordFormat {
    private final char separator;
    private final boolean hasHeader;
    private final CsvReader.CsvReaderBuilder parser;
    private final @Nullable String keyColumn;
    private final @Nullable String valueColumn;
    private int key;
    private int value;

    /** Takes columns by name, or by number from 1 on. By default the key is the first column, and the value is the whole record. */
    CsvFormat(char separator, boolean hasHeader, @Nullable String keyColumn, @Nullable String valueColumn) {
        this.separator = separator;
        this.hasHeader = hasHeader;
        this.parser = CsvReader.builder().fieldSeparator(separator).maxBufferSize(2 * RecordReader.LONGEST);
        this.keyColumn = keyColumn;
        this.valueColumn = valueColumn;
        if (!hasHeader) {
            key = keyColumn == null ? 0 : number(keyColumn);
            value = valueColumn == null ? -1 : number(valueColumn);
        }
    }

    /** Tells whether a text is the number of a column. */
    static boolean isNumber(String column) {
        return column.matches("[1-9]\\d{0,5}");
    }

    private static int number(String column) {
        return Integer.parseInt(column) - 1;
    }

    @Override
    public RecordEnd ends() {
        return new RecordEnd.OfCsv(separator);
    }

    @Override
    public boolean hasHeader() {
        return hasHeader;
    }

    @Override
    public void header(byte[] record) throws BadRecordException {
        List<String> names = fields(record).getFields().stream().map(CsvFormat::bytes)
                .map(name -> new String(name, StandardCharsets.UTF_8)).toList();
        key = keyColumn == null ? 0 : column(keyColumn, names);
        value = valueColumn == null ? -1 : column(valueColumn, names);
    }

    private static int column(String name, List<String> names) {
        int column = names.indexOf(name);
        if (column >= 0) {
            return column;
        }
        if (isNumber(name) && number(name) < names.size()) {
            return number(name);
        }
        throw new Failure("there is no column '" + name + "'; it has " + String.join(", ", names));
    }

    @Override
    public void read(byte[] record, Entries use) throws BadRecordException {
        CsvRecord fields = fields(record);
        use.entry(field(fields, key), value < 0 ? record : field(fields, value));
    }

    private CsvRecord fields(byte[] record) throws BadRecordException {
        String text = new String(record, StandardCharsets.ISO_8859_1);
        try {
            CsvRecord fields = parser.ofSingleCsvRecord(text);
            if (text.indexOf('\r') < 0 || isOne(text)) {
                return fields;
            }
        } catch (CsvParseException e) {
            throw new BadRecordException("it is not CSV: a quotation mark where none may be");
        }
        throw new BadRecordException("it is not CSV: a carriage return where none may be");
    }

    /** Tells whether the text is one record. The parser also ends a record at a carriage return alone. */
    private boolean isOne(String text) {
        try (CsvReader<CsvRecord> records = parser.ofCsvRecord(text)) {
            return records.stream().limit(2).count() == 1;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen: the reader is in memory
        }
    }

    private static byte[] field(CsvRecord fields, int column) throws BadRecordException {
        if (column >= fields.getFieldCount()) {
            throw new BadRecordException("there is no column " + (column + 1) + "; it has " + fields.getFieldCount());
        }
        return bytes(fields.getField(column));
    }

    private static byte[] bytes(String field) {
        return field.getBytes(StandardCharsets.ISO_8859_1);
    }
}
