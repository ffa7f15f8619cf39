package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.Field;
import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Generates classes that hold the arguments of their constructor. Each getter returns the parameter with its name. A parameter {@code
 * somethingValue} is the number of the constant that {@code getSomething} returns.
 */
final class CarrierRule {

    private final Mapping mapping;
    private final JavaType type;
    private final Method constructor;
    private final JavaTypes types;
    private final @Nullable CarrierRule above;
    private final List<String> names;

    CarrierRule(Table table, Mapping mapping, JavaType type) {
        this.mapping = mapping;
        this.type = type;
        this.constructor = constructors(type).stream().max(Comparator.comparingInt(c -> c.type().parameterCount()))
                .orElseThrow();
        this.types = new JavaTypes(type.packageName());
        JavaType superclass = table.types().get(type.superclass());
        this.above = superclass != null && mapping.carriers().contains(superclass.sourceName())
                ? new CarrierRule(table, mapping, superclass)
                : null;
        List<Field> published = published();
        this.names = IntStream.range(0, constructor.type().parameterCount())
                .mapToObj(i -> published.size() == constructor.type().parameterCount()
                        ? published.get(i).name()
                        : ClassSource.parameter(constructor, i))
                .toList();
    }

    /** Returns the constructors that are not private, or all if there are none. */
    private static List<Method> constructors(JavaType type) {
        List<Method> open = type.constructors().stream().filter(c -> !c.is("private")).toList();
        return open.isEmpty() ? type.constructors() : open;
    }

    private List<Field> published() {
        return type.fields().stream().filter(field -> !field.words().contains("static")).toList();
    }

    /** Returns the unpublished fields, and the constructors. */
    String members() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (isOwn(name) && published().stream().noneMatch(field -> field.name().equals(name))) {
                text.append("%s%s %s;\n".formatted(
                        mapping.mutable().contains(type.sourceName() + "." + name) ? "" : "final ", parameterType(i),
                        name));
            }
        }
        for (Method each : constructors(type)) {
            text.append(each.equals(constructor)
                    ? declaration(each, own())
                    : declaration(each, "this(" + fromFewer(each) + ");\n"));
        }
        // Constructors that native code calls.
        for (Method each : type.constructors()) {
            String arguments = mapping.helper(type, each);
            if (arguments != null) {
                text.append(declaration(each, "this(" + arguments + ");\n").replaceFirst("\n", "\nprivate "));
            }
        }
        return text.toString();
    }

    private String own() {
        String assigned = names.stream().filter(this::isOwn).map("this.%1$s = %1$s;\n"::formatted)
                .collect(Collectors.joining());
        return above == null ? assigned : "super(" + String.join(", ", above.names) + ");\n" + assigned;
    }

    private String fromFewer(Method fewer) {
        List<String> given = IntStream.range(0, fewer.type().parameterCount())
                .mapToObj(i -> ClassSource.parameter(fewer, i)).toList();
        return IntStream.range(0, names.size())
                .mapToObj(i -> given.contains(names.get(i))
                        ? names.get(i)
                        : mapping.values().getOrDefault(type.sourceName() + "." + names.get(i),
                                JavaTypes.zero(parameterType(i))))
                .collect(Collectors.joining(", "));
    }

    private String declaration(Method each, String body) {
        List<String> declared = new ArrayList<>();
        for (int i = 0; i < each.type().parameterCount(); i++) {
            declared.add(types.type(each.generic().arguments().get(i)) + " "
                    + (each.equals(constructor) ? names.get(i) : ClassSource.parameter(each, i)));
        }
        String access = each.is("public") ? "public " : each.is("protected") ? "protected " : "";
        String docs = access.isEmpty() ? "" : Docs.of(type, each, types, "Makes an object with these values.");
        for (int i = 0; i < each.type().parameterCount() && each.equals(constructor); i++) {
            docs = docs.replace("@param " + ClassSource.parameter(each, i) + " ", "@param " + names.get(i) + " ");
        }
        return "\n" + docs + access + type.simpleName() + "(" + String.join(", ", declared) + ") {\n" + body + "}\n";
    }

    /** Returns the statements of a method; empty if it is no getter. */
    String body(Method method) {
        for (int i = 0; i < names.size() && method.type().parameterCount() == 0; i++) {
            String value = getter(method, names.get(i), constructor.type().parameterType(i).descriptorString());
            if (value != null && isOwn(names.get(i))) {
                return "return " + value + ";\n";
            }
        }
        return switch (method.name() + method.descriptor()) {
            case "hashCode()I" -> "return java.util.Objects.hash(" + String.join(", ", names) + ");\n";
            case "equals(Ljava/lang/Object;)Z" -> equalsBody(ClassSource.parameter(method, 0));
            case "toString()Ljava/lang/String;" -> "return \"" + type.simpleName() + "{"
                    + IntStream.range(0, names.size())
                            .mapToObj(i -> names.get(i) + "=" + (parameterType(i).equals("String")
                                    ? "'\" + " + names.get(i) + " + \"'"
                                    : "\" + " + names.get(i) + " + \""))
                            .collect(Collectors.joining(", "))
                    + "}\";\n";
            default -> "";
        };
    }

    private @Nullable String getter(Method method, String name, String descriptor) {
        String getter = CTable.normal(method.name());
        String field = CTable.normal(name);
        if (method.returned().equals(descriptor)
                && (getter.equals(field) || getter.equals("get" + field) || getter.equals("is" + field))) {
            return name;
        }
        boolean number = descriptor.equals("B") && name.endsWith("Value")
                && method.returned().startsWith("Lorg/rocksdb/");
        return number
                && name.toLowerCase(Locale.ROOT).replaceFirst("value$", "").endsWith(getter.replaceFirst("^get", ""))
                        ? types.type(method.generic().result()) + ".fromNative(" + name + ")"
                        : null;
    }

    private String equalsBody(String other) {
        return """
                if (this == %1$s) {
                    return true;
                }
                if (%1$s == null || getClass() != %1$s.getClass()) {
                    return false;
                }
                %2$s that = (%2$s) %1$s;
                return %3$s;
                """.formatted(other, type.sourceName(), names.stream()
                .map(name -> "java.util.Objects.deepEquals(" + name + ", that." + name + ")")
                .collect(Collectors.joining(" && ")));
    }

    private boolean isOwn(String name) {
        return above == null || !above.names.contains(name);
    }

    private String parameterType(int index) {
        return types.type(constructor.generic().arguments().get(index));
    }
}
