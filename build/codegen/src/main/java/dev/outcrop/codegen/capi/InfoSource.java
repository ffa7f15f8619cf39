package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.CFunction.CParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The source of the Java record for an object that is passed to callbacks. */
final class InfoSource {

    /** A component of the record: the expression that reads it from the C object {@code info}, and its documentation. */
    private record Component(String type, String name, String expression, String cName, String remark) {
    }

    private final InfoObject object;
    private final Facts facts;
    private final List<Component> components = new ArrayList<>();

    InfoSource(InfoObject object, Facts facts) {
        this.object = object;
        this.facts = facts;
        facts.functions().values().stream().filter(f -> f.name().startsWith(object.prefix())
                && !f.parameters().isEmpty() && object.owns(f)).forEach(this::add);
    }

    String text() {
        return """
                %1$s
                package dev.outcrop.rocksdb;

                import dev.outcrop.memory.Scratch;
                import dev.outcrop.rocksdb.engine.InfoValues;
                import dev.outcrop.rocksdb.engine.capi.CApi;
                import java.lang.foreign.MemorySegment;
                import java.time.Duration;
                import java.util.List;
                import java.util.Map;
                import java.util.Objects;
                import org.jspecify.annotations.NullMarked;
                import org.jspecify.annotations.Nullable;

                /**
                 * %2$s It copies all getters of {@code %3$s} in RocksDB's C API. Numbers that are unsigned in C keep their bits,
                 * so a huge one is negative.
                 *
                %4$s */
                @NullMarked
                @SuppressWarnings("unused") // imports that not all of these records need
                public record %5$s(
                        %6$s) {

                    /** Refuses null. */
                    public %5$s {
                %8$s    }

                    /** Copies a C object. */
                    static %5$s of(long info, Scratch scratch) {
                        return new %5$s(
                                %7$s);
                    }
                }
                """
                .formatted(Sources.HEADER, object.description(), object.cType(),
                        each(c -> " * @param " + c.name + " RocksDB's {@code " + c.cName + "}" + c.remark + "\n", ""),
                        object.javaName(), each(c -> c.type + " " + c.name, ",\n        "),
                        each(Component::expression, ",\n                "), each(InfoSource::check, ""));
    }

    private static String check(Component component) {
        boolean mayBeNull = component.type.startsWith("@Nullable")
                || Character.isLowerCase(component.type.charAt(0));
        return mayBeNull ? "" : "        Objects.requireNonNull(%1$s, \"%1$s\");\n".formatted(component.name);
    }

    private String each(Function<Component, String> form, String separator) {
        return components.stream().map(form).collect(Collectors.joining(separator));
    }

    private void add(CFunction function) {
        String name = function.name().substring(object.prefix().length());
        String getter = name.startsWith("get_") ? name.substring(4) : name;
        List<String> rest = function.parameters().stream().skip(1).map(CParameter::type).toList();
        String type = function.returnType();
        if (getter.endsWith("_at")) {
            return; // read together with the function that counts
        }
        if (getter.endsWith("_count") && addAll(function, getter.substring(0, getter.length() - "_count".length()))) {
            return;
        }
        if (rest.isEmpty() && Types.isNumber(type)) {
            addNumber(function, getter);
        } else if (rest.isEmpty() && InfoObject.pointee(type).isPresent()) {
            InfoObject pointee = InfoObject.pointee(type).get();
            add(pointee.javaName(), getter, "%s.of(CApi.%s(info), scratch)".formatted(pointee.javaName(),
                    function.name()), "");
        } else if (rest.isEmpty() && InfoObject.enumOf(getter).isPresent()) {
            String javaName = InfoObject.enumOf(getter).get();
            add(javaName, getter, "%s.of(InfoValues.readInt(CApi.%s(info)))".formatted(javaName, function.name()), "");
        } else if (type.equals("const char *") && rest.equals(List.of("size_t *"))) {
            addText(getter, "CApi.%s(info, scratch.wordAddress(InfoValues.LENGTH))".formatted(function.name()));
        } else if (type.equals("void") && rest.equals(List.of("char **"))) {
            add("@Nullable Status", getter, "Status.of(error -> CApi.%s(info, error), scratch)"
                    .formatted(function.name()), "; null if all is well");
        } else {
            throw new IllegalArgumentException(
                    "no rule says how to read " + function.prototype()
                            + ": add it to InfoSource or skip it in InfoObject");
        }
    }

    private void addNumber(CFunction function, String getter) {
        String call = "CApi.%s(info)".formatted(function.name());
        Optional<String> constant = InfoObject.enumOf(getter);
        if (constant.isPresent()) {
            add(constant.get(), getter, "%s.of(%s)".formatted(constant.get(), call), "");
        } else if (function.returnType().equals("unsigned char") || InfoObject.isBoolean(getter)) {
            add("boolean", getter, call + " != 0", "");
        } else if (getter.endsWith("_micros") || getter.endsWith("_nanos")) {
            String unit = getter.substring(getter.lastIndexOf('_') + 1);
            String name = getter.substring(0, getter.lastIndexOf('_')) + "_time";
            components.add(new Component("Duration", javaName(name), "InfoValues.%s(%s)".formatted(unit, call), getter,
                    ""));
        } else {
            add(Types.number(function.returnType()).name(), getter, call, "");
        }
    }

    private void addText(String getter, String call) {
        boolean isBytes = InfoObject.isBytes(getter);
        add(isBytes ? "MemorySegment" : "String", getter,
                "InfoValues.%s(%s, scratch)".formatted(isBytes ? "bytes" : "string", call),
                isBytes ? "; read-only" : "");
    }

    /** Adds a component for items with a count: a list of items, or a map of keys and values. Adds nothing for a mere number. */
    private boolean addAll(CFunction count, String getter) {
        Optional<CFunction> item = function(getter.substring(0, getter.length() - 1) + "_at");
        Optional<CFunction> key = function(getter + "_key_at");
        Optional<CFunction> value = function(getter + "_value_at");
        if (item.isPresent()) {
            add("List<" + itemType(item.get(), getter) + ">", getter, "InfoValues.list(CApi.%s(info), i -> %s)"
                    .formatted(count.name(), read(item.get(), getter)), "; unmodifiable");
            return true;
        }
        if (key.isPresent() && value.isPresent()) {
            add("Map<String, " + itemType(value.get(), getter) + ">", getter,
                    "InfoValues.map(CApi.%s(info), i -> %s, i -> %s)".formatted(count.name(), read(key.get(), ""),
                            read(value.get(), getter)),
                    "; unmodifiable");
            return true;
        }
        return false;
    }

    private Optional<CFunction> function(String name) {
        return Optional.ofNullable(facts.functions().get(object.prefix() + name));
    }

    private static String itemType(CFunction item, String getter) {
        return InfoObject.pointee(item.returnType()).map(InfoObject::javaName)
                .orElse(InfoObject.isBytes(getter) ? "MemorySegment" : "String");
    }

    private static String read(CFunction item, String getter) {
        Optional<InfoObject> pointee = InfoObject.pointee(item.returnType());
        return pointee.isPresent()
                ? "%s.of(CApi.%s(info, i), scratch)".formatted(pointee.get().javaName(), item.name())
                : "InfoValues.%s(CApi.%s(info, i, scratch.wordAddress(InfoValues.LENGTH)), scratch)"
                        .formatted(InfoObject.isBytes(getter) ? "bytes" : "string", item.name());
    }

    private void add(String type, String getter, String expression, String remark) {
        components.add(new Component(type, javaName(getter), expression, getter, remark));
    }

    private static String javaName(String getter) {
        return Names.camel(getter.startsWith("cf_") ? "column_family_" + getter.substring(3) : getter);
    }
}
