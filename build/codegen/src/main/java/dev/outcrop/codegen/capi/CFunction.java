package dev.outcrop.codegen.capi;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A C function, or the signature of a callback. Types are spelled as the C parser normalises them.
 *
 * @param name       of the function
 * @param returnType what it returns
 * @param parameters in their order
 */
public record CFunction(String name, String returnType, List<CParameter> parameters) {

    /**
     * A parameter.
     *
     * @param type as C spells it
     * @param name of the parameter
     */
    public record CParameter(String type, String name) {
    }

    /** Reads a row of the table: kind, name, return type, then type and name of each parameter. */
    static CFunction of(List<String> row) {
        if (row.size() % 2 == 0) {
            throw new IllegalArgumentException("a parameter has a type but no name");
        }
        List<CParameter> parameters = new ArrayList<>();
        for (int i = 3; i < row.size(); i += 2) {
            parameters.add(new CParameter(row.get(i), row.get(i + 1)));
        }
        return new CFunction(row.get(1), row.get(2), List.copyOf(parameters));
    }

    /** Returns the declaration in C, without the semicolon. */
    String prototype() {
        return declare(returnType, name) + parameters.stream().map(p -> declare(p.type(), p.name()))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String declare(String type, String name) {
        if (type.contains("(*)")) {
            return type.replace("(*)", "(*" + name + ")");
        }
        return type.endsWith("*") ? type + name : type + " " + name;
    }
}
