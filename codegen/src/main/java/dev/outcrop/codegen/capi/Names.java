package dev.outcrop.codegen.capi;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Java names for C names. */
final class Names {

    /** Words of Java that C uses as names of parameters or options. */
    private static final Set<String> RESERVED = Set.of("class", "default", "native", "new", "package");

    /** Options whose getter would be one of Object's own methods. */
    private static final Map<String, String> RENAMED = Map.of("wait", "waits");

    private Names() {
    }

    /** A C name as it is, with an underscore after it where Java reserves the word. */
    static String parameter(String cName) {
        return RESERVED.contains(cName) ? cName + "_" : cName;
    }

    /** A name in lower case as that of a Java constant. */
    static String constant(String name) {
        return name.toUpperCase(Locale.ROOT);
    }

    /** The lowerCamelCase form of an option's or parameter's name. */
    static String camel(String cName) {
        StringBuilder camel = new StringBuilder();
        for (String word : RENAMED.getOrDefault(cName, cName).split("_", -1)) {
            camel.append(camel.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return parameter(camel.toString());
    }
}
