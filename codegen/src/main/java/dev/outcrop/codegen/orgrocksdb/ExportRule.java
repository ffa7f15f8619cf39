package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Methods that one function does which the library exports for JNI: those of classes with a row {@code exports} in the mapping, if
 * the reviewed list of exports has the function. The constant of {@code Exports} has the name of class and method.
 */
final class ExportRule {

    private static final String PREFIX = "Java_org_rocksdb_";

    /** The class whose getters are done by functions alike, which need no constants. */
    private static final String COUNTERS = "PerfContext";

    private final Set<String> symbols;
    private final Mapping mapping;
    private final Table table;

    ExportRule(Path list, Mapping mapping, Table table) throws IOException {
        this.symbols = Files.readAllLines(list).stream().filter(row -> row.startsWith(PREFIX))
                .map(row -> row.substring(0, row.indexOf('\t'))).collect(Collectors.toSet());
        this.mapping = mapping;
        this.table = table;
    }

    /** The statements of a method, or nothing. */
    String body(JavaType type, Method method) {
        String owner = mapping.exported().get(type.sourceName());
        if (owner == null || method.is("static") || method.is("abstract") || method.isConstructor()) {
            return "";
        }
        if (method.name().equals("disposeInternal") && method.descriptor().equals("(J)V")) {
            String dispose = symbols.contains(PREFIX + owner + "_disposeInternalJni") ? "disposeInternalJni" : "";
            return dispose.isEmpty()
                    ? ""
                    : "Exports." + constant(owner, dispose) + ".call(" + ClassSource.parameter(method, 0) + ");\n";
        }
        String exported = mapping.aliases().getOrDefault(type.sourceName() + "." + method.name(), method.name());
        if (!symbols.contains(PREFIX + owner + "_" + exported)) {
            return "";
        }
        if (owner.equals(COUNTERS) && method.descriptor().equals("()J")) {
            return "return parts_.read(\"" + method.name() + "\");\n";
        }
        List<String> arguments = new ArrayList<>(List.of("nativeHandle_"));
        for (int i = 0; i < method.type().parameterCount(); i++) {
            String name = ClassSource.parameter(method, i);
            String descriptor = method.type().parameterType(i).descriptorString();
            if (descriptor.length() > 1 && !isEnum(descriptor)) {
                return "";
            }
            arguments.add(switch (descriptor) {
                case "J", "I", "B" -> name;
                case "Z" -> "Natives.flag(" + name + ")";
                case "D" -> "Double.doubleToRawLongBits(" + name + ")";
                default -> name + ".toNative()";
            });
        }
        String call = "Exports." + constant(owner, exported) + ".call(" + String.join(", ", arguments) + ")";
        boolean self = method.returned().startsWith("L") && !method.returned().equals("Ljava/lang/String;");
        String statement = switch (method.returned()) {
            case "J" -> "return " + call + ";";
            case "I" -> "return (int) " + call + ";";
            case "Z" -> "return " + call + " != 0;";
            case "D" -> "return Double.longBitsToDouble(" + call + ");";
            case "V" -> call + ";";
            default -> self ? call + ";" : "";
        };
        return statement.isEmpty()
                ? ""
                : "try (dev.outcrop.memory.Scratch _ = use()) {\n" + statement + "\n}\n"
                        + (self ? "return this;\n" : "");
    }

    private boolean isEnum(String descriptor) {
        JavaType type = table.types().get(descriptor.substring(1, descriptor.length() - 1));
        return type != null && type.is("enum");
    }

    /** {@code Foo_barBaz} as {@code FOO_BAR_BAZ}. */
    static String constant(String owner, String method) {
        return (owner + "_" + method).replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2").toUpperCase(Locale.ROOT);
    }
}
