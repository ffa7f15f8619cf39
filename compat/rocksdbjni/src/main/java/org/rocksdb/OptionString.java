package org.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * A parser of options as text: {@code name=value;name=value}. A value is a list {@code 1:2:3}, in which items after the first may be in
 * braces, or options in braces. A backslash escapes a colon in an item.
 */
public class OptionString {

    /** Does nothing: all members are static and package-private. */
    public OptionString() {
    }

    /**
     * Parses a text.
     *
     * @throws Parser.Exception if the text is not understood; the message says where
     */
    static List<Entry> parse(String text) {
        Parser parser = new Parser(text);
        return parser.all();
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
     * A value: a list of simple values, or options in braces.
     *
     * @param list    simple values; null for options
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
                    : complex.stream().map(entry -> entry + ";").collect(Collectors.joining("", "[", "]"));
        }
    }

    static final class Parser {

        /** A syntax error. */
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

        List<Entry> all() {
            skipSpace();
            List<Entry> entries = hasNext() ? entries() : List.of();
            if (hasNext()) {
                throw new Exception(
                        "Did not expect '" + text.charAt(at) + "' at character " + at + " of '" + text + "'");
            }
            return entries;
        }

        private List<Entry> entries() {
            List<Entry> entries = new ArrayList<>();
            do {
                String key = taken(Parser::isOfName);
                require(!key.isEmpty(), "A name");
                skipSpace();
                require(take('='), "'='");
                skipSpace();
                entries.add(new Entry(key, value()));
                skipSpace();
            } while (take(';') && startsEntry());
            return entries;
        }

        private boolean startsEntry() {
            skipSpace();
            return hasNext() && text.charAt(at) != '}';
        }

        private Value value() {
            if (hasNext() && text.charAt(at) == ';') {
                return new Value(List.of(), null);
            }
            if (take('{')) {
                skipSpace();
                List<Entry> inner = entries();
                require(take('}'), "'}'");
                return new Value(null, inner);
            }
            require(hasNext() && isOfValue(text.charAt(at)), "A value");
            List<String> values = new ArrayList<>();
            values.add(item());
            while (take(':')) {
                values.add(take('{') ? wrapped() : item());
            }
            return new Value(values, null);
        }

        private String item() {
            StringBuilder item = new StringBuilder(taken(Parser::isOfValue));
            while (take('\\') && take(':')) {
                item.append(':').append(taken(Parser::isOfValue));
            }
            return item.toString();
        }

        private String wrapped() {
            String item = taken(Parser::isOfValue);
            require(take('}'), "'}'");
            return item;
        }

        private static boolean isOfName(int character) {
            return Character.isAlphabetic(character) || Character.isDigit(character) || character == '_';
        }

        private static boolean isOfValue(int character) {
            return isOfName(character) || "+-.[]".indexOf(character) >= 0;
        }

        private String taken(IntPredicate characters) {
            int start = at;
            while (hasNext() && characters.test(text.charAt(at))) {
                at++;
            }
            return text.substring(start, at);
        }

        private boolean take(char wanted) {
            boolean isHere = hasNext() && text.charAt(at) == wanted;
            at += isHere ? 1 : 0;
            return isHere;
        }

        private void require(boolean isHere, String what) {
            if (!isHere) {
                throw new Exception(what + " is missing at character " + at + " of '" + text + "'");
            }
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
