package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.CFunction.CParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The source of the fluent setters and the getters of an object with options, and the list of functions without a method.
 *
 * <p>A function that returns nothing and takes plain values, or one string, becomes a setter. A function named {@code get_} or {@code has_}
 * that returns a plain value or a string becomes a getter. All other functions are written by hand, or skipped with a reason. {@link
 * OptionFunctions} knows which.
 */
final class SettersSource {

    private final OptionObject object;
    private final Facts facts;
    private final StringBuilder methods = new StringBuilder();
    private final StringBuilder texts = new StringBuilder();
    private final Set<String> notNegative = new TreeSet<>();
    private final List<String> skipped = new ArrayList<>();

    SettersSource(OptionObject object, Facts facts) {
        this.object = object;
        this.facts = facts;
        facts.functions().values().stream().filter(object::owns).forEach(this::add);
    }

    /** Returns the functions without a method, one line each, with the reason. */
    List<String> skipped() {
        return skipped;
    }

    String text() {
        return """
                %1$s
                package dev.outcrop.rocksdb;

                import dev.outcrop.memory.Scratch;
                import dev.outcrop.rocksdb.engine.NativeCall;
                import dev.outcrop.rocksdb.engine.OptionValues;
                import dev.outcrop.rocksdb.engine.capi.CApi;
                import java.lang.foreign.MemorySegment;
                import java.lang.foreign.ValueLayout;
                import java.time.Duration;
                import java.util.LinkedHashMap;
                import java.util.Map;
                import java.util.Objects;
                import java.util.Set;
                import java.util.concurrent.TimeUnit;
                import java.util.function.LongConsumer;
                import java.util.function.LongSupplier;
                import org.jspecify.annotations.NullMarked;

                /** The options in {@code %2$s} of RocksDB %3$s, a setter and a getter each where the C API has them. */
                @NullMarked
                abstract class %4$sSetters extends NativeOptions {

                    %4$sSetters(LongSupplier create, LongConsumer destroy) {
                        super(create, destroy);
                    }
                %5$s}
                """.formatted(Sources.HEADER, object.cType(), facts.version(), object.javaName(),
                methods + textMethod());
    }

    private String textMethod() {
        return object.hasText()
                ? """

                            /** RocksDB's names of the options that must not be negative. */
                            static final Set<String> NOT_NEGATIVE = Set.of(%s);

                            /** Returns the textual form of the options with getters, by RocksDB's names. */
                            final synchronized Map<String, String> texts() {
                                Map<String, String> texts = new LinkedHashMap<>();
                        %s        return texts;
                            }
                        """.formatted(
                        notNegative.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", ")), texts)
                : "";
    }

    private void addText(String option, String expression) {
        OptionNotes.textName(option).ifPresent(
                name -> texts.append("        texts.put(\"%s\", %s);\n".formatted(name, expression)));
    }

    private void add(CFunction function) {
        String name = function.name().substring(object.prefix().length());
        boolean getter = name.startsWith("get_") || name.startsWith("has_");
        String option = name.startsWith("get_") || name.startsWith("set_") ? name.substring(4) : name;
        List<CParameter> parameters = function.parameters().subList(1, function.parameters().size());
        Optional<String> reason = OptionFunctions.skipped(function);
        if (OptionFunctions.isHandWritten(object, function)) {
            return;
        }
        if (reason.isPresent()) {
            skip(function, reason.get());
        } else if (getter) {
            addGetter(function, option, parameters);
        } else if (function.returnType().equals("void")) {
            addSetter(function, option, parameters);
        } else {
            skip(function, "returns a value and is no getter");
        }
    }

    private void skip(CFunction function, String reason) {
        skipped.add(function.name() + ": " + reason);
    }

    private void addGetter(CFunction function, String option, List<CParameter> parameters) {
        Optional<OptionValue> value = OptionValue.of(option, function.returnType());
        if (value.isPresent() && parameters.isEmpty()) {
            String call = value.get().fromC("CApi.%s(reading())".formatted(function.name()));
            addText(option, value.get().toText(Names.camel(option) + "()"));
            methods.append("""
                    %s
                        public %s %s() {
                            synchronized (this) {
                                return %s;
                            }
                        }
                    """.formatted(getterComment(function, option), value.get().javaType(), Names.camel(option), call));
        } else if (function.returnType().equals("const char *") && parameters.size() == 1
                && parameters.getFirst().type().equals("size_t *")) {
            addText(option, "OptionValues.braced(\"%s\", %s())".formatted(option, Names.camel(option)));
            methods.append("""
                    %s
                        public String %s() {
                            try (Scratch scratch = NativeCall.scratch()) {
                                MemorySegment length = scratch.allocate(ValueLayout.JAVA_LONG);
                                synchronized (this) {
                                    return OptionValues.string(CApi.%s(reading(), length.address()), length);
                                }
                            }
                        }
                    """.formatted(getterComment(function, option), Names.camel(option), function.name()));
        } else {
            skip(function, "returns " + function.returnType() + ", whose owner is not known from its type");
        }
    }

    private void addSetter(CFunction function, String option, List<CParameter> parameters) {
        if (parameters.size() == 1 && parameters.getFirst().type().equals("const char *")) {
            methods.append("""
                    %1$s
                        public %2$s %3$s(String value) {
                            try (Scratch scratch = NativeCall.scratch()) {
                                MemorySegment text = OptionValues.text("%4$s", value, scratch);
                                synchronized (this) {
                                    CApi.%5$s(changing(), text);
                                }
                            }
                            return (%2$s) this;
                        }
                    """.formatted(
                    setterComment(function, option, List.of("value the new value; not with a NUL character in it")),
                    object.javaName(), Names.camel(option), option, function.name()));
            return;
        }
        List<String> names = names(function, option, parameters);
        List<String> declarations = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        StringBuilder arguments = new StringBuilder();
        StringBuilder checks = new StringBuilder();
        for (int i = 0; i < parameters.size(); i++) {
            String type = parameters.get(i).type();
            Optional<OptionValue> value = OptionValue.of(option, type);
            if (value.isEmpty()) {
                skip(function, "takes " + type);
                return;
            }
            String name = Names.camel(names.get(i));
            String subject = names.get(i).equals("value") ? option : names.get(i);
            if (names.get(i).equals("value") && value.get().isNotNegative(option)) {
                OptionNotes.textName(option).ifPresent(notNegative::add);
            }
            declarations.add(value.get().javaType() + " " + name);
            remarks.add(name + (name.equals("value") ? " the new value" : " {@code " + names.get(i) + "}")
                    + value.get().remark(subject));
            arguments.append(", ").append(value.get().toC(subject, name));
            if (Character.isUpperCase(value.get().javaType().charAt(0))) {
                checks.append("        Objects.requireNonNull(%1$s, \"%1$s\");\n".formatted(name));
            }
        }
        methods.append("""
                %1$s
                    public %2$s %3$s(%4$s) {
                %7$s        synchronized (this) {
                            CApi.%5$s(changing()%6$s);
                        }
                        return (%2$s) this;
                    }
                """.formatted(setterComment(function, option, remarks), object.javaName(), Names.camel(option),
                String.join(", ", declarations), function.name(), arguments, checks));
    }

    private List<String> names(CFunction function, String option, List<CParameter> parameters) {
        if (parameters.size() == 1 && isSetter(function, option)) {
            return List.of("value"); // the method's name already says what the value is
        }
        return OptionNotes.parameters(option).orElseGet(() -> parameters.stream().map(CParameter::name).toList());
    }

    /** Returns whether a function sets an option; a few have no set_ in their name. */
    private boolean isSetter(CFunction function, String option) {
        return function.name().equals(object.prefix() + "set_" + option)
                || facts.functions().containsKey(object.prefix() + "get_" + option);
    }

    private static String getterComment(CFunction function, String option) {
        return comment("RocksDB's {@code %s}, by {@code %s}.".formatted(option, function.name()),
                List.of("@return the value as it is now"));
    }

    private String setterComment(CFunction function, String option, List<String> parameters) {
        List<String> tags = new ArrayList<>();
        parameters.forEach(parameter -> tags.add("@param " + parameter));
        tags.add("@return this object");
        if (parameters.stream().anyMatch(parameter -> parameter.contains(" not "))) {
            tags.add("@throws IllegalArgumentException if a value is not allowed");
        }
        if (object.freezes()) {
            tags.add("@throws IllegalStateException if this object is in use and can no longer change");
        }
        return comment(isSetter(function, option)
                ? "Sets RocksDB's {@code %s}, by {@code %s}.".formatted(option, function.name())
                : "Calls RocksDB's {@code %s}.".formatted(function.name()), tags);
    }

    private static String comment(String sentence, List<String> tags) {
        return tags.stream().map(tag -> "     * " + tag + "\n")
                .collect(Collectors.joining("", "\n    /**\n     * " + sentence + "\n     *\n", "     */"));
    }
}
