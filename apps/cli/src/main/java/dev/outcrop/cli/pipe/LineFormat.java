package dev.outcrop.cli.pipe;

import dev.outcrop.cli.pipe.RecordFormat.BadRecordException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lines with key, tab, value; or lines in which regular expressions match key and value.
 *
 * @param key   null for the text before the first tab
 * @param value null for the whole line, or for the text after the tab
 */
record LineFormat(@Nullable Pattern key, @Nullable Pattern value) implements RecordFormat {
    @Override
    public RecordEnd ends() {
        return new RecordEnd.OfLines();
    }

    @Override
    public void read(byte[] record, Entries use) throws BadRecordException {
        Pattern ofKey = key;
        if (ofKey == null) {
            atTab(record, use);
            return;
        }
        String line = RecordFormat.utf8(record);
        Pattern ofValue = value;
        use.entry(RecordFormat.bytes(part(ofKey, line)),
                ofValue == null ? record : RecordFormat.bytes(part(ofValue, line)));
    }

    private static void atTab(byte[] line, Entries use) throws BadRecordException {
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\t') {
                use.entry(Arrays.copyOf(line, i), Arrays.copyOfRange(line, i + 1, line.length));
                return;
            }
        }
        throw new BadRecordException("there is no tab between key and value");
    }

    /** Returns the first group of the expression if it has a group, otherwise the whole match. */
    private static String part(Pattern expression, String line) throws BadRecordException {
        Matcher found = expression.matcher(line);
        if (!found.find()) {
            throw new BadRecordException("'" + expression + "' finds nothing");
        }
        String part = found.groupCount() > 0 ? found.group(1) : found.group();
        if (part == null) {
            throw new BadRecordException("the group of '" + expression + "' has found nothing");
        }
        return part;
    }
}
