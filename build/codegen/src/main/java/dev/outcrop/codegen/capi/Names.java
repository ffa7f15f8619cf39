package dev.outcrop.codegen.capi;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Java names for C names. */
final class Names {

    /** Words of Java that C uses as names of parameters or options. */
    private static final Set<String> RESERVED = Set.of("class", "default", "native", "new", "package");

    /** Options with a getter that would override a method of Object. */
    private static final Map<String, String> RENAMED = Map.of("wait", "waits");

    private Names() {
    }

    /** Returns a C name, with an underscore after it if Java reserves the word. */
    static String parameter(String cName) {
        return RESERVED.contains(cName) ? cName + "_" : cName;
    }

    /** Converts a lower-case name to the name of a Java constant. */
    static String constant(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** Returns the lowerCamelCase form of the name of an option or parameter. */
    static String camel(String cName) {
        StringBuilder camel = new StringBuilder();
        for (String word : RENAMED.getOrDefault(cName, cName).split("_", -1)) {
            camel.append(camel.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return parameter(camel.toString());
    }
}
