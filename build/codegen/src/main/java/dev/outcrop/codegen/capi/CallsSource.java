package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.CFunction.CParameter;
import dev.outcrop.codegen.capi.CallClass.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The source of a {@link CallClass}: static methods, which the JIT compiler inlines like hand-written ones. They take the parameters of the
 * C functions, except that {@code unsigned char} becomes {@code boolean}.
 */
final class CallsSource {

    private static final String ENGINE = "dev.outcrop.rocksdb.engine";
    private static final String TRUTH_VALUE = "unsigned char";
    private static final String ERROR = "errptr";

    private final CallClass type;
    private final Facts facts;
    private final Types types;

    CallsSource(CallClass type, Facts facts) {
        this.type = type;
        this.facts = facts;
        this.types = new Types(facts);
    }

    String text() {
        String methods = type.calls().stream().map(this::method).collect(Collectors.joining());
        return """
                // Generated from calls.tsv; do not edit.
                package %s;

                %s
                /** %s */
                public %s class %s {
                    %s %s() {
                    }
                %s}
                """.formatted(packageName(), imports(methods), type.description(),
                type.isBase() ? "abstract" : "final", type.name(), type.isBase() ? "protected" : "private",
                type.name(), methods);
    }

    private String packageName() {
        return type.packageName().isEmpty() ? ENGINE : ENGINE + "." + type.packageName();
    }

    private String imports(String methods) {
        StringBuilder imports = new StringBuilder();
        if (methods.contains("Scratch ")) {
            imports.append("import dev.outcrop.memory.Scratch;\n");
        }
        if (methods.contains("NativeCall.") && !type.packageName().isEmpty()) {
            imports.append("import ").append(ENGINE).append(".NativeCall;\n");
        }
        imports.append("import ").append(ENGINE).append(".capi.CApi;\n");
        if (methods.contains("MemorySegment ")) {
            imports.append("import java.lang.foreign.MemorySegment;\n");
        }
        return imports.toString();
    }

    private String method(Call call) {
        CFunction function = facts.functions().get(call.function());
        if (function == null) {
            throw new IllegalArgumentException("There is no C function " + call.function());
        }
        List<String> parameters = new ArrayList<>();
        List<String> arguments = new ArrayList<>();
        if (call.reportsToScratch()) {
            parameters.add("Scratch scratch");
        }
        for (CParameter each : function.parameters()) {
            String name = Names.camel(each.name());
            if (each.name().equals(ERROR) && call.reportsToScratch()) {
                arguments.add("NativeCall.error(scratch)");
            } else if (each.type().equals(TRUTH_VALUE)) {
                parameters.add("boolean " + name);
                arguments.add("(byte) (" + name + " ? 1 : 0)");
            } else {
                parameters.add(types.parameter(each.type()).name() + " " + name);
                arguments.add(name);
            }
        }
        if (call.reportsToScratch() != arguments.contains("NativeCall.error(scratch)")) {
            throw new IllegalArgumentException(call.function() + " has no parameter " + ERROR);
        }
        String result = function.returnType();
        String cCall = "CApi." + call.function() + "(" + String.join(", ", arguments) + ")";
        return """

                    /** %s */
                    public static %s %s(%s) {
                        %s;
                    }
                """.formatted(call.description(), resultType(result), call.name(), String.join(", ", parameters),
                switch (result) {
                    case "void" -> cCall;
                    case TRUTH_VALUE -> "return " + cCall + " != 0";
                    default -> "return " + cCall;
                });
    }

    private String resultType(String cType) {
        return switch (cType) {
            case "void" -> "void";
            case TRUTH_VALUE -> "boolean";
            default -> types.result(cType).name();
        };
    }
}
