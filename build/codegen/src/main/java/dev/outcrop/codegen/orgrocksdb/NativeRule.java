package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.ArrayList;
import java.util.List;

/** Generates methods that call one native method, in classes with a row {@code natives} in the mapping. */
record NativeRule(NativeTable natives, Mapping mapping, Table table) {

    /** Returns the statements of a method, or nothing. */
    String body(JavaType type, Method method) {
        String owner = mapping.natives().get(type.sourceName());
        if (owner == null || method.is("static") || method.is("abstract") || method.isConstructor()) {
            return "";
        }
        if (method.name().equals("disposeInternal") && method.descriptor().equals("(J)V")) {
            return natives.find(owner, "disposeInternalJni").map(
                    row -> owner + "." + row.caller() + "(" + ClassSource.parameter(method, 0) + ");\n").orElse("");
        }
        String name = mapping.aliases().getOrDefault(type.sourceName() + "." + method.name(), method.name());
        NativeTable.Row row = natives.find(owner, name).orElse(null);
        if (row == null) {
            return "";
        }
        List<String> arguments = new ArrayList<>(List.of("nativeHandle_"));
        for (int i = 0; i < method.type().parameterCount(); i++) {
            String parameter = ClassSource.parameter(method, i);
            String descriptor = method.type().parameterType(i).descriptorString();
            if (descriptor.length() > 1 && !isEnum(descriptor)) {
                return "";
            }
            arguments.add(descriptor.length() == 1 ? parameter : parameter + ".toNative()");
        }
        String call = owner + "." + row.caller() + "(" + String.join(", ", arguments) + ")";
        boolean self = method.returned().startsWith("L") && !method.returned().equals("Ljava/lang/String;");
        String statement = switch (method.returned()) {
            case "J", "I", "Z", "D" -> "return " + call + ";";
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
}
