package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A hand-written method that several overloads call, with default arguments: a row {@code overloads} of the mapping.
 *
 * @param target the method, such as {@code Reads.get}
 * @param arguments its arguments in order
 */
record Overloads(String target, List<Argument> arguments) {

    private static final Pattern CALL = Pattern.compile("([\\w.]+)\\((.*)\\)");
    private static final Pattern PARAMETER = Pattern.compile("([\\w$]+(?:\\[\\])*)(!?) (\\w+)(?: = (.+))?");
    private static final Pattern COMMA = Pattern.compile(", (?![^(]*\\))");

    /**
     * An argument of the method.
     *
     * @param type the type of the parameter that an overload passes; empty if all overloads pass the value
     * @param refusesNull whether null is refused
     * @param name the name of the parameter in the row
     * @param value the argument of overloads without such a parameter; null if all of them have it
     */
    private record Argument(String type, boolean refusesNull, String name, @Nullable String value) {

        static Argument parse(String text) {
            Matcher parameter = PARAMETER.matcher(text);
            return parameter.matches()
                    ? new Argument(parameter.group(1), !parameter.group(2).isEmpty(), parameter.group(3),
                            parameter.group(4))
                    : new Argument("", false, "", text);
        }
    }

    static Overloads parse(String text) {
        Matcher call = CALL.matcher(text);
        if (!call.matches()) {
            throw new IllegalArgumentException("Not a call with its arguments: " + text);
        }
        return new Overloads(call.group(1),
                COMMA.splitAsStream(call.group(2)).map(Argument::parse).toList());
    }

    /** Returns the call that an overload makes, or null if the row does not fit its parameters. */
    @Nullable
    String call(Method overload) {
        List<String> values = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        return fill(overload, 0, values, names)
                ? target + values.stream().map(value -> renamed(value, names))
                        .collect(Collectors.joining(", ", "(", ")"))
                : null;
    }

    /** Adds the values of the remaining arguments, from the remaining parameters of the overload. */
    private boolean fill(Method overload, int parameter, List<String> values, Map<String, String> names) {
        int count = overload.type().parameterCount();
        if (values.size() == arguments.size()) {
            return parameter == count;
        }
        Argument argument = arguments.get(values.size());
        if (parameter < count && overload.type().parameterType(parameter).displayName().equals(argument.type)) {
            String name = ClassSource.parameter(overload, parameter);
            names.put(argument.name, name);
            values.add(argument.refusesNull
                    ? "java.util.Objects.requireNonNull(%s, \"%s\")".formatted(name, argument.name)
                    : name);
            if (fill(overload, parameter + 1, values, names)) {
                return true;
            }
            names.remove(argument.name);
            values.removeLast();
        }
        if (argument.value != null) {
            values.add(argument.value);
            if (fill(overload, parameter, values, names)) {
                return true;
            }
            values.removeLast();
        }
        return false;
    }

    /** Replaces the name of a parameter in a default, for example {@code key.length}. */
    private static String renamed(String value, Map<String, String> names) {
        Matcher first = Pattern.compile("\\w+").matcher(value);
        return first.lookingAt() && names.containsKey(first.group())
                ? names.get(first.group()) + value.substring(first.end())
                : value;
    }
}
