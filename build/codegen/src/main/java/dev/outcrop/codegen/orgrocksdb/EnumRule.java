package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.Constant;
import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.List;
import java.util.stream.Collectors;

/** Generates enums: constants with their fields, getters, and the conversion from a number. */
final class EnumRule {

    private EnumRule() {
    }

    /** Returns constants, fields and constructor. */
    static String members(JavaType type, Mapping mapping) {
        StringBuilder text = new StringBuilder(type.constants().stream()
                .map(constant -> declaration(type, constant))
                .collect(Collectors.joining(",\n", "", ";\n")));
        List<String> fields = type.constants().getFirst().fields();
        for (String field : fields) {
            text.append("\nprivate final %s %s;\n".formatted(fieldType(field), fieldName(field)));
        }
        if (!fields.isEmpty()) {
            text.append("\n%s(%s) {\n%s}\n".formatted(type.simpleName(),
                    fields.stream().map(f -> fieldType(f) + " " + fieldName(f)).collect(Collectors.joining(", ")),
                    fields.stream().map(f -> "this.%s = %s;\n".formatted(fieldName(f), fieldName(f)))
                            .collect(Collectors.joining())));
        }
        if (type.constants().getFirst().number() != null) {
            String other = type.constants().stream()
                    .filter(constant -> mapping.numbers().containsKey(type.sourceName() + "." + constant.name()))
                    .map(constant -> "if (this == %s) {\nreturn %d;\n}\n".formatted(constant.name(),
                            mapping.numbers().get(type.sourceName() + "." + constant.name())))
                    .collect(Collectors.joining());
            text.append("""

                    int toNative() {
                        %3$sreturn %1$s;
                    }

                    static %2$s fromNative(int number) {
                        for (%2$s constant : values()) {
                            if (constant.toNative() == number) {
                                return constant;
                            }
                        }
                        throw new IllegalArgumentException("Illegal value provided for %2$s.");
                    }

                    private static %2$s fromByte(int number) {
                        for (%2$s constant : values()) {
                            if (constant.%1$s == number) {
                                return constant;
                            }
                        }
                        throw new IllegalArgumentException(%4$s);
                    }
                    """.formatted(numberName(type), type.simpleName(), other, mapping.values().getOrDefault(
                    type.sourceName() + ".illegal", "\"Illegal value provided for " + type.simpleName() + ".\"")));
        }
        if (fields.stream().anyMatch(field -> fieldName(field).equals("internalName"))) {
            text.append("""

                    static %1$s fromInternal(String name) {
                        for (%1$s constant : values()) {
                            if (constant.internalName.equals(name)) {
                                return constant;
                            }
                        }
                        throw new IllegalArgumentException("No %1$s is called '" + name + "'.");
                    }
                    """.formatted(type.simpleName()));
        }
        return text.toString();
    }

    /** Returns the statements of a method; empty if no rule fits. */
    static String body(JavaType type, Method method) {
        List<String> fields = type.constants().getFirst().fields();
        if (method.type().parameterCount() == 0) {
            return fields.stream().filter(field -> method.returned().equals(descriptor(field))
                    && CTable.normal(method.name()).equals("get" + CTable.normal(fieldName(field))))
                    .map(field -> "return " + fieldName(field) + ";\n").findFirst().orElse("");
        }
        String argument = ClassSource.parameter(method, 0);
        String self = "L" + type.name() + ";";
        if (method.is("static") && method.descriptor().equals("(B)" + self)) {
            return "return fromByte(" + argument + ");\n";
        }
        if (method.is("static") && method.descriptor().equals("(I)" + self)) {
            return chosen(type, "constant." + numberName(type) + " == " + argument, "null");
        }
        if (method.is("static") && method.descriptor().equals("(Ljava/lang/String;)" + self)
                && fields.stream().anyMatch(field -> fieldName(field).equals("libraryName"))) {
            return chosen(type, "constant.libraryName != null && constant.libraryName.equals(" + argument + ")",
                    "values()[0]");
        }
        return "";
    }

    private static String declaration(JavaType type, Constant constant) {
        boolean deprecated = type.fields().stream()
                .anyMatch(field -> field.name().equals(constant.name()) && field.words().contains("deprecated"));
        return "/** {@code " + constant.name()
                + "}.%s */\n%s".formatted(deprecated ? "\n * @deprecated as published\n" : "",
                        deprecated ? "@Deprecated\n" : "")
                + constant.name() + arguments(constant);
    }

    /** Returns statements that find the first constant with a condition. */
    private static String chosen(JavaType type, String condition, String otherwise) {
        return """
                for (%1$s constant : values()) {
                    if (%2$s) {
                        return constant;
                    }
                }
                return %3$s;
                """.formatted(type.simpleName(), condition, otherwise);
    }

    private static String arguments(Constant constant) {
        return constant.fields().isEmpty()
                ? ""
                : constant.fields().stream().map(EnumRule::value).collect(Collectors.joining(", ", "(", ")"));
    }

    private static String value(String field) {
        String value = field.substring(field.indexOf('=') + 1);
        return switch (descriptor(field)) {
            case "B" -> "(byte) " + value;
            case "Ljava/lang/String;" -> value.equals("null") ? "null" : "\"" + value + "\"";
            case "I", "J", "Z" -> value;
            default -> fieldType(field) + "." + value;
        };
    }

    private static String numberName(JavaType type) {
        return type.constants().getFirst().fields().stream().filter(f -> f.contains(":B=") || f.contains(":I="))
                .map(EnumRule::fieldName).findFirst().orElseThrow();
    }

    private static String fieldName(String field) {
        return field.substring(0, field.indexOf(':'));
    }

    private static String descriptor(String field) {
        return field.substring(field.indexOf(':') + 1, field.indexOf('='));
    }

    private static String fieldType(String field) {
        return new JavaTypes("org.rocksdb").type(java.lang.classfile.Signature.parseFrom(descriptor(field)));
    }
}
