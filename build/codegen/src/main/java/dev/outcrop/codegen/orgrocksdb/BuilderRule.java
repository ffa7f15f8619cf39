package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.Constant;
import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Generates mutable options and their builders. Each setting is a constant of an enum inside the class of the options; the constant has
 * the type of the value.
 */
final class BuilderRule {

    private final Table table;
    private final Mapping mapping;
    private final JavaType type;

    BuilderRule(Table table, Mapping mapping, JavaType type) {
        this.table = table;
        this.mapping = mapping;
        this.type = type;
    }

    boolean isBuilder() {
        return type.superclass().endsWith("$AbstractMutableOptionsBuilder");
    }

    boolean isBuilt() {
        return type.superclass().equals("org/rocksdb/AbstractMutableOptions");
    }

    private String builder() {
        return type.simpleName() + "Builder";
    }

    /** Returns the statements of a method; empty if no rule fits. */
    String body(Method method) {
        if (isBuilt()) {
            return switch (method.name() + method.type().parameterCount()) {
                case "builder0" -> "return new " + builder() + "();\n";
                case "parse1" -> "return parse(%s, false);\n".formatted(ClassSource.parameter(method, 0));
                case "parse2" -> "return new %s().fromParsed(OptionString.parse(%s), %s);\n".formatted(builder(),
                        ClassSource.parameter(method, 0), ClassSource.parameter(method, 1));
                default -> "";
            };
        }
        return switch (method.name()) {
            case "self" -> "return this;\n";
            case "build" -> "return new %s(%s, %s);\n".formatted(built().simpleName(), ClassSource.parameter(method, 0),
                    ClassSource.parameter(method, 1));
            case "allKeys" -> allKeys();
            default -> setting(method);
        };
    }

    private JavaType built() {
        return java.util.Objects
                .requireNonNull(table.types().get(type.name().substring(0, type.name().lastIndexOf('$'))));
    }

    /** Returns the constants by normal names: the constant in Java, and the type of its value. */
    private Map<String, String[]> keys() {
        Map<String, String[]> keys = new TreeMap<>();
        for (JavaType each : table.nestedIn(built())) {
            for (Constant constant : each.constants()) {
                keys.put(CTable.normal(constant.name()), new String[]{each.simpleName() + "." + constant.name(),
                        constant.fields().getFirst().replaceFirst(".*=", "")});
            }
        }
        return keys;
    }

    private String allKeys() {
        String enums = table.nestedIn(built()).stream().filter(each -> each.is("enum"))
                .map(each -> "for (%1$s key : %1$s.values()) {\nkeys.put(key.name(), key);\n}\n"
                        .formatted(each.simpleName()))
                .collect(Collectors.joining());
        return "java.util.Map<String, %sKey> keys = new java.util.HashMap<>();\n%sreturn keys;\n"
                .formatted(built().simpleName().replaceFirst("s$", ""), enums);
    }

    private String setting(Method method) {
        boolean setter = method.type().parameterCount() == 1 && method.name().startsWith("set");
        String name = setter ? method.name().substring(3) : method.name();
        String alias = mapping.aliases().get(type.sourceName() + "." + method.name());
        String[] key = keys().get(CTable.normal(alias != null ? alias : name));
        String java = setter ? method.type().parameterType(0).descriptorString() : method.returned();
        // A method for doubles refuses a key of another type.
        return Optional.ofNullable(key).map(k -> switch (java.equals("D") ? "DOUBLE" : k[1]) {
            case "DOUBLE" -> call("Double", k[0], java, "D", method, setter);
            case "LONG" -> call("Long", k[0], java, "J", method, setter);
            case "INT" -> call("Int", k[0], java, "I", method, setter);
            case "BOOLEAN" -> call("Boolean", k[0], java, "Z", method, setter);
            case "INT_ARRAY" -> call("IntArray", k[0], java, "[I", method, setter);
            case "STRING" -> call("String", k[0], java, "Ljava/lang/String;", method, setter);
            default -> call("Enum", k[0], java, java, method, setter);
        }).orElse("");
    }

    private static String call(String kind, String key, String java, String needed, Method method, boolean setter) {
        boolean fits = java.equals(needed) || (java + needed).matches("[IJ][IJ]");
        if (!fits) {
            return "";
        }
        boolean narrow = java.equals("J") && needed.equals("I");
        return setter
                ? "return set%s(%s, %s%s);\n".formatted(kind, key, narrow ? "(int) " : "",
                        ClassSource.parameter(method, 0))
                : "return %sget%s(%s);\n".formatted(java.equals("I") && needed.equals("J") ? "(int) " : "", kind, key);
    }
}
