package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Generates class {@code Exports}, with a constant for each function that the library exports for JNI, and methods that call one of them, in
 * classes with a row {@code exports} in the mapping.
 */
final class ExportRule {

    private static final String PREFIX = "Java_org_rocksdb_";

    /** The class of counters, which are linked by name when first called, and have no constants. */
    private static final String COUNTERS = "PerfContext";

    /** The types of the functions, and the reasons why they are safe to call, by symbol without prefix. */
    private final Map<String, Row> rows = new TreeMap<>();
    private final Mapping mapping;
    private final Table table;

    private record Row(String descriptor, String reason) {
    }

    ExportRule(Path list, Mapping mapping, Table table) throws IOException {
        for (String row : Files.readAllLines(list)) {
            if (row.startsWith(PREFIX)) {
                String[] cells = row.split("\t", -1);
                rows.put(cells[0].substring(PREFIX.length()), new Row(cells[1], cells[2]));
            }
        }
        this.mapping = mapping;
        this.table = table;
    }

    /** Returns the source of class {@code Exports}. */
    String constants() {
        StringBuilder text = new StringBuilder(
                """
                        // Generated from jni-exports.tsv; do not edit.
                        package org.rocksdb;

                        /**
                         * Functions that the library exports for JNI, for what the C API lacks. They never use their {@code JNIEnv}; the table says
                         * why, and what their handles are.
                         */
                        final class Exports {
                        """);
        rows.forEach((symbol, row) -> {
            if (!symbol.startsWith(COUNTERS + "_get")) {
                text.append(
                        "\n/** {@code %s}: %s. */\nstatic final Export %s = new Export(\"%s\", \"%s\");\n".formatted(
                                PREFIX + symbol, row.reason, constant(symbol), symbol, row.descriptor));
            }
        });
        return text.append("\nprivate Exports() {\n}\n}\n").toString();
    }

    /** Returns the statements of a method, or nothing. */
    String body(JavaType type, Method method) {
        String owner = mapping.exported().get(type.sourceName());
        if (owner == null || method.is("static") || method.is("abstract") || method.isConstructor()) {
            return "";
        }
        if (method.name().equals("disposeInternal") && method.descriptor().equals("(J)V")) {
            String dispose = rows.containsKey(owner + "_disposeInternalJni") ? "disposeInternalJni" : "";
            return dispose.isEmpty()
                    ? ""
                    : "Exports." + constant(owner + "_" + dispose) + ".call(" + ClassSource.parameter(method, 0)
                            + ");\n";
        }
        String exported = mapping.aliases().getOrDefault(type.sourceName() + "." + method.name(), method.name());
        if (!rows.containsKey(owner + "_" + exported)) {
            return "";
        }
        List<String> arguments = new ArrayList<>(List.of("nativeHandle_"));
        for (int i = 0; i < method.type().parameterCount(); i++) {
            String name = ClassSource.parameter(method, i);
            String descriptor = method.type().parameterType(i).descriptorString();
            if (descriptor.length() > 1 && !isEnum(descriptor)) {
                return "";
            }
            arguments.add(switch (descriptor) {
                case "J", "I", "B" -> name;
                case "Z" -> "NativeValues.flag(" + name + ")";
                case "D" -> "Double.doubleToRawLongBits(" + name + ")";
                default -> name + ".toNative()";
            });
        }
        String call = "Exports." + constant(owner + "_" + exported) + ".call(" + String.join(", ", arguments) + ")";
        boolean self = method.returned().startsWith("L") && !method.returned().equals("Ljava/lang/String;");
        String statement = switch (method.returned()) {
            case "J" -> "return " + call + ";";
            case "I" -> "return (int) " + call + ";";
            case "Z" -> "return " + call + " != 0;";
            case "D" -> "return Double.longBitsToDouble(" + call + ");";
            case "V" -> call + ";";
            default -> self ? call + ";" : "";
        };
        return statement.isEmpty()
                ? ""
                : "try (dev.outcrop.memory.Scratch _ = use()) {\n" + statement + "\n}\n"
                        + (self ? "return this;\n" : "");
    }

    private boolean isEnum(String descriptor) {
        JavaType type = table.types().get(descriptor.substring(1, descriptor.length() - 1));
        return type != null && type.is("enum");
    }

    /** Converts {@code Foo_barBaz} to {@code FOO_BAR_BAZ}, without the underscores for overloads. */
    private static String constant(String symbol) {
        return symbol.replace("getID", "getI_D").replace("___3", "_array_").replace("__", "_")
                .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2").toUpperCase(Locale.ROOT);
    }
}
