package dev.outcrop.codegen.capi;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source of class {@code CCallbacks}: the signature of each callback of the C API, for its function pointer. */
record CCallbacksSource(Facts facts) {

    String text() {
        return """
                %s
                package dev.outcrop.rocksdb.engine.capi;

                import static java.lang.foreign.ValueLayout.*;

                import java.lang.foreign.FunctionDescriptor;

                /**
                 * The callbacks in the C API of RocksDB %s: the signature of each, named after its type, or after the function and
                 * the parameter that take it.
                 *
                 * <p>Every pointer is a {@code long} address (0 is NULL), so a call makes no object for it.
                 */
                public final class CCallbacks {

                    private CCallbacks() {
                    }
                %s}
                """
                .formatted(Sources.HEADER, facts.version(),
                        facts.callbacks().values().stream().map(this::constant).collect(Collectors.joining()));
    }

    private String constant(CFunction callback) {
        List<String> parameters = callback.parameters().stream().map(p -> layout(p.type())).toList();
        String descriptor = callback.returnType().equals("void")
                ? "ofVoid(" + String.join(", ", parameters) + ")"
                : Stream.concat(Stream.of(layout(callback.returnType())), parameters.stream())
                        .collect(Collectors.joining(", ", "of(", ")"));
        return """

                    /** {@code %s}. */
                    public static final FunctionDescriptor %s = FunctionDescriptor.%s;
                """.formatted(
                new CFunction(simpleName(callback), callback.returnType(), callback.parameters()).prototype(),
                callback.name().replace('.', '_').toUpperCase(Locale.ROOT), descriptor);
    }

    private static String simpleName(CFunction callback) {
        return callback.name().substring(callback.name().indexOf('.') + 1);
    }

    private static String layout(String cType) {
        return Types.callback(cType).layout();
    }
}
