package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.capi.CFunction;
import dev.outcrop.codegen.orgrocksdb.Mapping.NativeObject;
import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Generates methods that call one C function: {@code setFooBar} is {@code <prefix>set_foo_bar}, {@code fooBar}, {@code getFooBar} and
 * {@code isFooBar} are {@code <prefix>get_foo_bar}. Names are compared without underscores, in lower case.
 */
final class OptionRule {

    private final CTable c;
    private final Mapping mapping;
    private final Conversions conversions;

    OptionRule(Table table, CTable c, Mapping mapping) {
        this.c = c;
        this.mapping = mapping;
        this.conversions = new Conversions(table);
    }

    /** Returns the function of a method, if there is one with fitting types. */
    Optional<CFunction> function(JavaType type, Method method) {
        NativeObject object = mapping.objects().get(type.sourceName());
        if (object == null || object.prefix().isEmpty() || method.isConstructor() || method.is("static")
                || method.is("abstract")) {
            return Optional.empty();
        }
        String alias = mapping.aliases().get(type.sourceName() + "." + method.name());
        if (alias != null) {
            return Optional.of(c.function(alias)).filter(function -> fits(type, method, function));
        }
        Map<String, CFunction> functions = c.withPrefix(object.prefix());
        String name = CTable.normal(method.name());
        return Stream.of(name, "get" + name, name.replaceFirst("^is", "get"), "get" + name.replaceFirst("^get", ""),
                name.replaceFirst("^set", ""), name.replaceFirst("^(get|is)", "")).map(functions::get)
                .filter(function -> function != null && fits(type, method, function)).findFirst();
    }

    private boolean fits(JavaType type, Method method, CFunction function) {
        return !body(type, method, function).isEmpty();
    }

    /** Returns the statements of a method that calls a function; empty if the types do not fit. */
    String body(JavaType type, Method method, CFunction function) {
        List<String> arguments = new ArrayList<>(List.of("nativeHandle_"));
        int count = method.type().parameterCount();
        boolean text = method.returned().equals("Ljava/lang/String;") && function.parameters().size() == 2 && count == 0
                && function.parameters().getLast().type().equals("size_t *");
        if (text) {
            return """
                    try (dev.outcrop.memory.Scratch scratch = use()) {
                        return NativeValues.text(CApi.%s(nativeHandle_, scratch.wordAddress(0)), scratch.word(0));
                    }
                    """.formatted(function.name());
        }
        if (function.parameters().size() != count + 1) {
            return "";
        }
        boolean usesScratch = false;
        for (int i = 0; i < count; i++) {
            String argument = conversions.argument(method.type().parameterType(i).descriptorString(),
                    function.parameters().get(i + 1).type(), ClassSource.parameter(method, i));
            if (argument == null) {
                return "";
            }
            usesScratch |= argument.contains("scratch");
            arguments.add(argument);
        }
        String call = "CApi." + function.name() + "(" + String.join(", ", arguments) + ")";
        boolean self = method.returned().equals("L" + type.name() + ";");
        String statement;
        if (self || method.returned().equals("V")) {
            if (!function.returnType().equals("void")) {
                return "";
            }
            statement = call + ";";
        } else {
            String result = conversions.result(method.returned(), function.returnType(), call);
            if (result == null) {
                return "";
            }
            statement = "return " + result + ";";
        }
        return """
                try (dev.outcrop.memory.Scratch %s = use()) {
                    %s
                }
                """.formatted(usesScratch ? "scratch" : "_", statement) + (self ? "return this;\n" : "");
    }

    /**
     * Returns the statements that copy options from one native object to another by getters and setters. Copies all options if C cannot
     * copy the object, otherwise only the options that methods of the class use.
     */
    String replay(JavaType type) {
        NativeObject object = Objects.requireNonNull(mapping.objects().get(type.sourceName()));
        Map<String, CFunction> functions = c.withPrefix(object.prefix());
        Map<String, CFunction> wanted = new TreeMap<>();
        if (object.copy().isEmpty()) {
            wanted.putAll(functions);
        } else {
            type.methods().forEach(method -> function(type, method)
                    .ifPresent(
                            function -> wanted.put(CTable.normal(function.name().substring(object.prefix().length())),
                                    function)));
        }
        StringBuilder statements = new StringBuilder();
        wanted.forEach((name, setter) -> {
            CFunction getter = functions.get("get" + (name.startsWith("set") ? name.substring(3) : name));
            if (getter == null || setter.parameters().size() != 2 || mapping.notReplayed().contains(setter.name())) {
                return;
            }
            String value = setter.parameters().getLast().type();
            if (!value.contains("*") && !getter.returnType().contains("*")) {
                statements.append("CApi.%s(to, CApi.%s(from));\n".formatted(setter.name(), getter.name()));
            } else if (value.equals("const char *") && getter.returnType().equals(value)) {
                statements.append(
                        "CApi.%s(to, java.lang.foreign.MemorySegment.ofAddress(CApi.%s(from, scratch.wordAddress(0))));\n"
                                .formatted(setter.name(), getter.name()));
            }
        });
        return statements.toString();
    }
}
