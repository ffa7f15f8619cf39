package dev.outcrop.rocksdb.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Option strings, split as RocksDB does it: {@code option=value;option=value;…}, where a value in braces is an option string of its
 * own, and the option of a part may be addressed as {@code whole.part}.
 */
public final class OptionString {
    private OptionString() {
    }

    /** An option, {@code name=value}. */
    public record Option(String name, String value) {
        public boolean isBraced() {
            return value.startsWith("{") && value.endsWith("}");
        }

        /** Returns the parts of a name such as {@code whole.part}. */
        public List<String> path() {
            return List.of(name.split("\\.", -1));
        }

        /** Returns the last part of the name. */
        public String part() {
            return path().getLast();
        }

        /** Returns the options in the value, with or without braces around it. */
        public List<Option> options() {
            return parse(value);
        }

        /** Does the same as {@link #options}. If the value is a list of several such values, <code>{…}:{…}</code>, it returns those of all. */
        public List<Option> listedOptions() {
            String list = value;
            while (list.startsWith("{") && endOfElement(list) == list.length() && list.endsWith("}")) {
                list = list.substring(1, list.length() - 1).strip();
            }
            if (!list.startsWith("{")) {
                return options();
            }
            List<Option> all = new ArrayList<>();
            int end;
            for (int start = 0; start < list.length(); start = end + 1) {
                end = start + endOfElement(list.substring(start));
                all.addAll(parse(list.substring(start, end)));
            }
            return all;
        }

        /** Returns the value without braces, which RocksDB removes from plain options. */
        public String plain() {
            String plain = value;
            while (plain.length() > 1 && plain.startsWith("{") && plain.endsWith("}")) {
                plain = plain.substring(1, plain.length() - 1).strip();
            }
            return plain;
        }

        /** Returns this option with one other part. RocksDB knows an object by its id, so the id stays beside the part. */
        public String with(String part) {
            String id = options().stream().filter(each -> each.name().equals("id")).map(each -> each + ";")
                    .collect(Collectors.joining());
            return name + "={" + id + part + "}";
        }

        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    /** Splits a text as RocksDB does. RocksDB itself refuses malformed texts. */
    public static List<Option> parse(String text) {
        String options = text.strip();
        // RocksDB removes any number of braces before it looks for names (StringToMap in options_helper.cc).
        while (options.length() > 2 && options.startsWith("{") && options.endsWith("}")) {
            options = options.substring(1, options.length() - 1).strip();
        }
        List<Option> parsed = new ArrayList<>();
        int start = 0;
        int equals = options.indexOf('=');
        while (equals >= 0) {
            int end = endOfValue(options, equals + 1);
            parsed.add(
                    new Option(options.substring(start, equals).strip(), options.substring(equals + 1, end).strip()));
            start = Math.min(end + 1, options.length());
            equals = options.indexOf('=', start);
        }
        return parsed;
    }

    /** Returns whether braces are balanced, so the text can stand in braces. */
    public static boolean isNested(String text) {
        int depth = 0;
        for (int i = 0; i < text.length() && depth >= 0; i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
        }
        return depth == 0;
    }

    /** Returns the end of the first element of a list: the next colon that is not in braces. */
    private static int endOfElement(String list) {
        int depth = 0;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ':' && depth == 0) {
                return i;
            }
        }
        return list.length();
    }

    /** Returns the end of a value: the next semicolon. If the value begins with a brace, semicolons between braces do not count. */
    private static int endOfValue(String options, int from) {
        boolean isBraced = options.substring(from).stripLeading().startsWith("{");
        int depth = 0;
        for (int i = from; i < options.length(); i++) {
            switch (options.charAt(i)) {
                case '{' -> depth++;
                case '}' -> depth--;
                case ';' -> {
                    if (!isBraced || depth <= 0) {
                        return i;
                    }
                }
                default -> {
                }
            }
        }
        return options.length();
    }
}
