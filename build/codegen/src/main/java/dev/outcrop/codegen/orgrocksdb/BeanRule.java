package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.lang.classfile.Signature;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Generates classes with settings in fields: {@code setFoo} stores a setting, {@code foo} returns it. The table has the defaults. */
final class BeanRule {

    private final Mapping mapping;
    private final JavaType type;
    private final JavaTypes types;

    BeanRule(Mapping mapping, JavaType type) {
        this.mapping = mapping;
        this.type = type;
        this.types = new JavaTypes(type.packageName());
    }

    /** Returns the fields, one for each setting. */
    String members() {
        Map<String, String> fields = new TreeMap<>();
        for (Method method : type.methods()) {
            setting(method).ifPresent(name -> {
                boolean setter = isSetter(method);
                Signature of = setter ? method.generic().arguments().getFirst() : method.generic().result();
                if (setter || !fields.containsKey(name)) {
                    fields.put(name, types.type(of));
                }
            });
        }
        StringBuilder text = new StringBuilder();
        fields.forEach((name, of) -> text.append("%s %s%s;\n".formatted(of, name, initial(name, of))));
        return text.toString();
    }

    private String initial(String name, String of) {
        String value = type.defaults().entrySet().stream()
                .filter(each -> CTable.normal(each.getKey()).replaceFirst("^(get|is)", "").equals(CTable.normal(name)))
                .map(Map.Entry::getValue).findFirst().orElse("null");
        return switch (of) {
            case "boolean", "int", "double" -> value.equals("null") ? "" : " = " + value;
            case "long" -> value.equals("null") ? "" : " = " + value + "L";
            default -> value.equals("null") ? "" : " = " + of + "." + value;
        };
    }

    /** Returns the statements of a method; empty if it is neither a setter nor a getter. */
    String body(Method method) {
        return setting(method).map(name -> isSetter(method)
                ? "this." + name + " = " + value(method, name) + ";\nreturn this;\n"
                : "return " + name + ";\n").orElse("");
    }

    /** Returns the value that a setter stores. Null is refused if the default is a constant: native code has no null. */
    private String value(Method setter, String name) {
        String parameter = ClassSource.parameter(setter, 0);
        String initial = initial(name, types.type(setter.generic().arguments().getFirst()));
        return setter.type().parameterType(0).isPrimitive() || initial.isEmpty()
                ? parameter
                : "java.util.Objects.requireNonNull(%1$s, \"%1$s\")".formatted(parameter);
    }

    private boolean isSetter(Method method) {
        return method.name().startsWith("set") && method.type().parameterCount() == 1
                && method.returned().equals("L" + type.name() + ";");
    }

    /** Returns the setting of a setter, or of a getter that has a setter. */
    private Optional<String> setting(Method method) {
        if (isSetter(method)) {
            return Optional.of(mapping.aliases().getOrDefault(type.sourceName() + "." + method.name(),
                    lower(method.name().substring(3))));
        }
        if (method.type().parameterCount() > 0 || method.isConstructor() || method.is("static")) {
            return Optional.empty();
        }
        return type.methods().stream().filter(this::isSetter)
                .filter(setter -> CTable.normal(setter.name().substring(3)).equals(CTable.normal(method.name()))
                        && fits(setter.type().parameterType(0).descriptorString(), method.returned()))
                .map(setter -> lower(setter.name().substring(3))).findFirst();
    }

    private static boolean fits(String stored, String returned) {
        return stored.equals(returned) || (stored.equals("I") && returned.equals("J"));
    }

    private static String lower(String name) {
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
