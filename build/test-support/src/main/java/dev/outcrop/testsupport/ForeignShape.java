package dev.outcrop.testsupport;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The signature of a native call, as a line of GraalVM's {@code reachability-metadata.json}. */
final class ForeignShape {
    // The names of the linker's canonical layouts on 64-bit Unix.
    private static final Map<Class<?>, String> NUMBERS = Map.of(boolean.class, "bool", byte.class, "char", short.class,
            "short", int.class, "int", long.class, "long", float.class, "float", double.class, "double");

    private ForeignShape() {
    }

    static String of(FunctionDescriptor descriptor, Linker.Option... options) {
        String result = descriptor.returnLayout().map(ForeignShape::of).orElse("void");
        String parameters = descriptor.argumentLayouts().stream().map(layout -> '"' + of(layout) + '"')
                .collect(Collectors.joining(", "));
        List<String> said = new ArrayList<>();
        for (Linker.Option option : options) {
            said.add(of(option));
        }
        return "{ \"returnType\": \"" + result + "\", \"parameterTypes\": [" + parameters + "]"
                + (said.isEmpty() ? "" : ", \"options\": { " + String.join(", ", said) + " }") + " }";
    }

    private static String of(MemoryLayout layout) {
        String text = switch (layout) {
            case AddressLayout _ -> "void*";
            case ValueLayout value -> number(value);
            case StructLayout struct -> "struct(" + members(struct) + ")";
            case GroupLayout union -> "union(" + members(union) + ")";
            case SequenceLayout sequence -> "sequence(" + sequence.elementCount() + ", " + of(sequence.elementLayout())
                    + ")";
            case PaddingLayout padding -> "padding(" + padding.byteSize() + ")";
        };
        if (layout instanceof ValueLayout && layout.byteAlignment() != layout.byteSize()) {
            throw new AssertionError("not aligned as C has it: " + layout);
        }
        return text;
    }

    private static String members(GroupLayout group) {
        return group.memberLayouts().stream().map(ForeignShape::of).collect(Collectors.joining(", "));
    }

    private static String number(ValueLayout layout) {
        String name = NUMBERS.get(layout.carrier());
        if (name == null || !layout.withoutName().equals(Linker.nativeLinker().canonicalLayouts().get(name))) {
            throw new AssertionError("no layout of C: " + layout);
        }
        return name;
    }

    private static String of(Linker.Option option) {
        if (option.equals(Linker.Option.captureCallState("errno"))) {
            return "\"captureCallState\": true";
        }
        if (option.equals(Linker.Option.critical(false))) {
            return "\"critical\": { \"allowHeapAccess\": false }";
        }
        if (option.equals(Linker.Option.critical(true))) {
            return "\"critical\": { \"allowHeapAccess\": true }";
        }
        return IntStream.range(0, 20).filter(index -> option.equals(Linker.Option.firstVariadicArg(index)))
                .mapToObj(index -> "\"firstVariadicArg\": " + index).findFirst()
                .orElseThrow(() -> new AssertionError("unknown option " + option));
    }
}
