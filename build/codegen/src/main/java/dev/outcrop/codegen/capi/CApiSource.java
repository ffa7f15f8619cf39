package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.CFunction.CParameter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The source of class {@code CApi}: a static method for each C function, with its name.
 *
 * <p>Each method has a nested class that holds its method handle. The JVM initialises a class when it is first used. So linking happens
 * once, at the first call, and the handle is a constant for the compiler.
 */
final class CApiSource {

    private final Facts facts;
    private final Types types;

    CApiSource(Facts facts) {
        this.facts = facts;
        this.types = new Types(facts);
    }

    String text() {
        return """
                %s
                package dev.outcrop.rocksdb.engine.capi;

                import static java.lang.foreign.ValueLayout.*;

                import dev.outcrop.memory.NativeCalls;
                import java.lang.foreign.FunctionDescriptor;
                import java.lang.foreign.MemorySegment;
                import java.lang.foreign.SegmentAllocator;
                import java.lang.invoke.MethodHandle;

                /**
                 * The C API of RocksDB %s: one static method for each function, with its name.
                 *
                 * <p>A {@code char *} that goes in is a {@code MemorySegment}; pass {@code MemorySegment.NULL} for NULL. Every
                 * other pointer is a {@code long} address (0 is NULL), and so is every pointer that comes back.
                 * {@code size_t} is {@code long}, {@code unsigned char} is {@code byte}. Nothing is checked here: a freed
                 * or wrong address ends the JVM. A function is linked when it is first called; if the library lacks
                 * it, that call throws {@code UnsatisfiedLinkError}.
                 */
                public final class CApi {

                    private CApi() {
                    }
                %s}
                """
                .formatted(Sources.HEADER, facts.version(),
                        facts.functions().values().stream().map(this::function).collect(Collectors.joining()));
    }

    private String function(CFunction function) {
        boolean isVoid = function.returnType().equals("void");
        String call = "%s.HANDLE.invokeExact(%s)".formatted(function.name(), String.join(", ", arguments(function)));
        return """

                    /**
                     * {@code %s}.
                %s     */
                    public static %s %s(%s) {
                        try {
                            %s;
                        } catch (Throwable thrown) {
                            throw NativeCalls.unexpected(thrown);
                        }
                    }

                    private static final class %s {
                        static final MethodHandle HANDLE = Linkage.link("%s", %s, %s);
                    }
                """.formatted(function.prototype(), tags(function), isVoid ? "void" : result(function),
                function.name(), String.join(", ", declarations(function)),
                isVoid ? call : "return (" + result(function) + ") " + call, function.name(), function.name(),
                descriptor(function), CriticalFunctions.contains(function.name()));
    }

    private String result(CFunction function) {
        return types.result(function.returnType()).name();
    }

    private String tags(CFunction function) {
        StringBuilder tags = new StringBuilder();
        if (types.isStruct(function.returnType())) {
            tags.append("     * @param allocator gives the memory for the result\n");
        }
        for (CParameter parameter : function.parameters()) {
            tags.append("     * @param %s {@code %s}\n".formatted(Names.parameter(parameter.name()), parameter.type()));
        }
        if (!function.returnType().equals("void")) {
            tags.append("     * @return {@code %s}\n".formatted(function.returnType()));
        }
        return tags.toString();
    }

    private List<String> declarations(CFunction function) {
        return Stream.concat(
                types.isStruct(function.returnType()) ? Stream.of("SegmentAllocator allocator") : Stream.empty(),
                function.parameters().stream()
                        .map(p -> types.parameter(p.type()).name() + " " + Names.parameter(p.name())))
                .toList();
    }

    private List<String> arguments(CFunction function) {
        return Stream.concat(types.isStruct(function.returnType()) ? Stream.of("allocator") : Stream.empty(),
                function.parameters().stream().map(p -> Names.parameter(p.name()))).toList();
    }

    private String descriptor(CFunction function) {
        Stream<String> parameters = function.parameters().stream().map(p -> types.parameter(p.type()).layout());
        if (function.returnType().equals("void")) {
            return parameters.collect(Collectors.joining(", ", "FunctionDescriptor.ofVoid(", ")"));
        }
        return Stream.concat(Stream.of(types.result(function.returnType()).layout()), parameters)
                .collect(Collectors.joining(", ", "FunctionDescriptor.of(", ")"));
    }
}
