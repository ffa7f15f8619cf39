package org.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Options as text: {@code name=value;name=value}, where a value may be a list {@code 1:2:3} or options in braces. */
public class OptionString {

    /** Does nothing: what this class has is static, and for the package only. */
    public OptionString() {
    }

    /**
     * Reads a text.
     *
     * @throws Parser.Exception if it is not understood; the message says where
     */
    static List<Entry> parse(String text) {
        Parser parser = new Parser(text);
        List<Entry> entries = parser.entries();
        if (parser.hasNext()) {
            throw parser.unexpected();
        }
        return entries;
    }

    /** An option's name and value. */
    static final class Entry {
        public final String key;
        public final Value value;

        Entry(String key, Value value) {
            this.key = key;
            this.value = value;
        }

        @Override
        public String toString() {
            return key + "=" + value;
        }
    }

    /**
     * A value: simple ones, or options in braces.
     *
     * @param list    one or more simple values; null for options
     * @param complex options; null for simple values
     */
    record Value(List<String> list, List<Entry> complex) {

        boolean isList() {
            return list != null;
        }

        @Override
        public String toString() {
            return isList()
                    ? String.join(":", list)
                    : complex.stream().map(Entry::toString).collect(Collectors.joining(";", "{", "}"));
        }
    }

    static final class Parser {

        /** A text that is not understood. */
        @SuppressWarnings("AvoidCommonTypeNames") // as published: programs may have its name in logs
        static final class Exception extends RuntimeException {
            private static final long serialVersionUID = 1;

            Exception(String message) {
                super(message);
            }
        }

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Entry> entries() {
            List<Entry> entries = new ArrayList<>();
            skipSpace();
            while (hasNext() && text.charAt(at) != '}') {
                String key = word("name");
                expect('=');
                entries.add(new Entry(key, value()));
                skipSpace();
                if (hasNext() && text.charAt(at) == ';') {
                    at++;
                    skipSpace();
                } else {
                    break;
                }
            }
            return entries;
        }

        private Value value() {
            skipSpace();
            if (hasNext() && text.charAt(at) == '{') {
                at++;
                List<Entry> inner = entries();
                expect('}');
                return new Value(null, inner);
            }
            List<String> values = new ArrayList<>();
            values.add(word("value"));
            skipSpace();
            while (hasNext() && text.charAt(at) == ':') {
                at++;
                values.add(word("value"));
                skipSpace();
            }
            return new Value(values, null);
        }

        private String word(String what) {
            skipSpace();
            int start = at;
            while (hasNext() && "=;:{}".indexOf(text.charAt(at)) < 0 && !Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            if (start == at) {
                throw new Exception("A " + what + " is missing at character " + at + " of '" + text + "'");
            }
            return text.substring(start, at);
        }

        private void expect(char wanted) {
            skipSpace();
            if (!hasNext() || text.charAt(at) != wanted) {
                throw new Exception("'" + wanted + "' is missing at character " + at + " of '" + text + "'");
            }
            at++;
        }

        Exception unexpected() {
            return new Exception(
                    "Did not expect '" + text.charAt(at) + "' at character " + at + " of '" + text + "'");
        }

        private void skipSpace() {
            while (hasNext() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        boolean hasNext() {
            return at < text.length();
        }
    }
}
