package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.lang.classfile.Signature.TypeParam;
import java.lang.constant.ClassDesc;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes Javadoc from a description and from names and types. */
final class Docs {

    /** Words that are spelled differently in names. */
    private static final Map<String, String> WORDS = Map.ofEntries(Map.entry("db", "DB"), Map.entry("wal", "WAL"),
            Map.entry("sst", "SST"), Map.entry("ttl", "TTL"), Map.entry("len", "length"), Map.entry("opt", "options"),
            Map.entry("opts", "options"), Map.entry("cf", "column family"), Map.entry("cfg", "config"),
            Map.entry("txn", "transaction"), Map.entry("io", "I/O"), Map.entry("v", "value"),
            Map.entry("mem", "memory"), Map.entry("num", "number of"));
    private static final Set<String> NUMBERS = Set.of("byte", "short", "int", "long", "float", "double");

    private Docs() {
    }

    static String of(JavaType type, Method method, JavaTypes types, String sentence) {
        boolean isSelf = method.returned().equals("L" + type.name() + ";") && !method.is("static");
        boolean returnsValue = !method.isConstructor() && !method.returned().equals("V") && !isSelf;
        boolean isInline = returnsValue && sentence.matches("(Returns|Whether) [^.]*\\.");
        StringBuilder text = new StringBuilder("/**\n * ").append(isInline
                ? "{@return " + sentence.replaceFirst("^Returns ", "").replaceFirst("^Whether ", "whether ")
                        .replaceFirst("\\.$", "}")
                : sentence).append("\n *\n");
        typeParameters(text, method.generic().typeParameters());
        for (int i = 0; i < method.type().parameterCount(); i++) {
            String name = ClassSource.parameter(method, i);
            text.append(" * @param %s %s\n".formatted(name, parameter(name, method.type().parameterType(i))));
        }
        if (isSelf || (returnsValue && !isInline)) {
            text.append(" * @return ").append(isSelf ? "this object" : result(method.type().returnType())).append("\n");
        }
        for (String thrown : method.thrown()) {
            text.append(" * @throws %s if it fails\n".formatted(types.name(thrown)));
        }
        if (method.is("deprecated")) {
            text.append(" * @deprecated as published\n");
        }
        return text.append(" */\n").toString();
    }

    static String of(JavaType type, @Nullable String description) {
        StringBuilder text = new StringBuilder("/**\n * ")
                .append(description == null ? capital(words(type.simpleName())) + "." : description).append("\n *\n");
        typeParameters(text, type.generic().typeParameters());
        if (type.is("deprecated")) {
            text.append(" * @deprecated as published\n");
        }
        return text.append(" */\n").toString();
    }

    private static void typeParameters(StringBuilder text, List<TypeParam> parameters) {
        for (TypeParam parameter : parameters) {
            text.append(" * @param <%s> type\n".formatted(parameter.identifier()));
        }
    }

    /** Describes a parameter, by its type if it has no published name. */
    private static String parameter(String name, ClassDesc type) {
        if (type.displayName().equals("boolean")) {
            return "the flag";
        }
        return name.matches("p\\d+") ? result(type) : "the " + words(name);
    }

    private static String result(ClassDesc type) {
        String name = type.displayName().replaceFirst(".*\\$", "");
        return switch (name) {
            case "boolean" -> "true if so";
            case "byte[]" -> "the bytes";
            case "String" -> "the text";
            default -> NUMBERS.contains(name)
                    ? "the number"
                    : name.endsWith("[]") ? "the array" : "the " + words(name);
        };
    }

    /** Converts a name to words: {@code maxOpenFiles} to "max open files". */
    static String words(String name) {
        return Arrays
                .stream(name.replaceAll("_$", "").replace("IDs", "Ids")
                        .split("_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", -1))
                .map(word -> word.length() > 1 && word.equals(word.toUpperCase(Locale.ROOT)) ? word : lower(word))
                .collect(Collectors.joining(" ")).replace("rocks DB", "RocksDB");
    }

    private static String lower(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        return WORDS.getOrDefault(lower, lower);
    }

    static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
